/** How busy a pod is said to be, and who sees it. */
import { graphqlOf } from '../support/graphql.ts'
import { startCloudWith } from '../support/world.ts'

const pod = {
  id: 'p',
  name: 'p',
  container: { image: 'example/image:1' },
  gpuTypeIds: ['NVIDIA GeForce RTX 4090'],
  gpuCount: 2,
}
const runtimeQuery = `{ pod(input: { podId: "p" }) {
  runtime { gpus { gpuUtilPercent memoryUtilPercent } container { cpuPercent memoryPercent } }
  latestTelemetry {
    cpuUtilization
    memoryUtilization
    averageGpuMetrics { percentUtilization memoryUtilization }
  }
} }`

async function start(use?: object) {
  const cloud = await startCloudWith({ pods: [use === undefined ? pod : { ...pod, use }] })
  await cloud.advance('1m')
  const read = async () => {
    const v2 = (await cloud.get('/v2/pods/p')).body.runtime
    const { runtime, latestTelemetry } = (await graphqlOf(cloud).data(runtimeQuery)).pod
    return { v2, runtime, latestTelemetry }
  }
  return { cloud, read }
}

test('a pod uses nothing of its machine until somebody says that it does', async () => {
  const { cloud, read } = await start()
  expect((await read()).v2).toMatchObject({
    gpus: [{ util: 0, memoryUtil: 0 }, {}],
    cpu: { util: 0 },
    memory: { util: 0 },
  })
  const said = await cloud.put('/_emulator/pods/p/use', { gpu: 87, gpuMemory: 40, cpu: 12 })
  expect(said).toMatchObject({
    status: 200,
    body: { gpu: 87, gpuMemory: 40, cpu: 12, memory: 0 },
  })
  const gpu = { util: 87, memoryUtil: 40 }
  const { v2, runtime, latestTelemetry } = await read()
  expect(v2).toMatchObject({ gpus: [gpu, gpu], cpu: { util: 12 }, memory: { util: 0 } })
  const gpuPercent = { gpuUtilPercent: 87, memoryUtilPercent: 40 }
  expect(runtime).toEqual({
    gpus: [gpuPercent, gpuPercent],
    container: { cpuPercent: 12, memoryPercent: 0 },
  })
  expect(latestTelemetry).toEqual({
    cpuUtilization: 12,
    memoryUtilization: 0,
    averageGpuMetrics: { percentUtilization: 87, memoryUtilization: 40 },
  })
})

test('a start state may say it, and it holds whenever the pod runs', async () => {
  const { cloud, read } = await start({ gpu: 100 })
  expect((await read()).runtime.gpus[0].gpuUtilPercent).toBe(100)
  await cloud.post('/v2/pods/p/action', { action: 'stop' })
  const stopped = await read()
  expect([stopped.v2, stopped.runtime]).toEqual([null, null])
  expect(stopped.latestTelemetry.averageGpuMetrics.percentUtilization).toBe(0)
  await cloud.post('/v2/pods/p/action', { action: 'start' })
  await cloud.advance('1m')
  expect((await read()).runtime.gpus[0].gpuUtilPercent).toBe(100)
})

test.each([
  ['more than all', 'p', { gpu: 101 }, 422],
  ['a part of a percent', 'p', { gpu: 0.5 }, 422],
  ['something else', 'p', { disk: 5 }, 422],
  ['of a pod that is not there', 'nothing', { gpu: 5 }, 404],
])('%s is refused, and nothing changes', async (_what, id, use, status) => {
  const { cloud, read } = await start()
  expect((await cloud.put(`/_emulator/pods/${id}/use`, use)).status).toBe(status)
  expect((await read()).runtime.gpus[0].gpuUtilPercent).toBe(0)
})
