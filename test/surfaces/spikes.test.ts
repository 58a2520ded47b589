/** More load than usual, and machines that come and go. */
import type { Cloud } from '../support/cloud.ts'
import { healthOf, setStock, startQueue } from '../support/queue.ts'

const submit = async ({ post }: Cloud, times: number, seconds = 30) => {
  for (let job = 0; job < times; job++) {
    expect((await post('/v2/e/run', { input: { mock_delay: seconds } })).status).toBe(200)
  }
}
const kinds = ({ world }: Cloud, kind: string) =>
  world().timeline.past.filter((entry) => entry.kind === kind)

test('a spike stops at the maximum, as it was seen to', async () => {
  const cloud = await startQueue({ endpoint: { workersMin: 1, workersMax: 2 } })
  await cloud.advance('5s')
  await submit(cloud, 10)
  await cloud.advance('25s')
  expect((await healthOf(cloud)).workers).toMatchObject({ running: 2 })
})

test('with extra workers switched on, a spike gets two more, and they leave with it', async () => {
  const cloud = await startQueue(
    { endpoint: { workersMin: 1, workersMax: 2 } },
    { fidelity: { extraWorkers: 'two' } },
  )
  await cloud.advance('5s')
  await submit(cloud, 10)
  await cloud.advance('25s')
  expect((await healthOf(cloud)).workers).toMatchObject({ running: 4 })
  await cloud.advance('90s')
  expect((await healthOf(cloud)).jobs).toMatchObject({ completed: 10, inQueue: 0 })
  expect((await healthOf(cloud)).workers).toMatchObject({ idle: 1, running: 0 })
  const why = kinds(cloud, 'worker.removed').map(({ detail }) => detail?.why)
  expect(why).toContain('above the maximum')
})

test('there are no extra workers for an image that no worker has pulled yet', async () => {
  const cloud = await startQueue(
    { endpoint: { workersMax: 1 } },
    { fidelity: { extraWorkers: 'two' }, profile: 'realistic' },
  )
  await submit(cloud, 10)
  expect(cloud.world().queues.of('e').workerCount).toBe(1)
})

test('standby workers are there before any job, unpaid, and resume in a moment', async () => {
  const cloud = await startQueue({ endpoint: { workersStandby: 2, workersMax: 3 } })
  expect((await healthOf(cloud)).workers).toMatchObject({ initializing: 2 })
  await cloud.advance('10s')
  expect((await healthOf(cloud)).workers).toMatchObject({ idle: 2, ready: 2, initializing: 0 })
  expect([cloud.world().ledger.size, cloud.world().meters.size]).toEqual([0, 0])
  expect((await cloud.get('/v2/serverless/e/workers')).body.workers).toEqual([])
  const { body } = await cloud.post('/v2/e/run', { input: 1 })
  await cloud.advance(cloud.world().settings.profile.workerResumeMs as number)
  expect((await cloud.get(`/v2/e/status/${body.id}`)).body.status).toBe('IN_PROGRESS')
  await cloud.advance('10s')
  expect((await healthOf(cloud)).workers).toMatchObject({ idle: 2, running: 0 })
  expect(cloud.world().workers.size).toBe(2)
})

test('a new release replaces standby workers too', async () => {
  const cloud = await startQueue({ endpoint: { workersStandby: 1 } })
  await cloud.advance('10s')
  const [before] = cloud.world().workers.all()
  await cloud.patch('/v2/serverless/e', { image: 'example/handler:2' })
  await cloud.advance('10s')
  const [after] = cloud.world().workers.all()
  expect(after).toMatchObject({ status: 'PARKED', version: 2 })
  expect(after?.id).not.toBe(before?.id)
})

test('a data center that loses its machines throttles idle workers at once and busy ones after their job', async () => {
  const cloud = await startQueue({ endpoint: { workersMin: 2, workersMax: 2 } })
  await cloud.advance('5s')
  await submit(cloud, 1, 20)
  await setStock(cloud, 0)
  expect((await healthOf(cloud)).workers).toMatchObject({ running: 1, throttled: 1, idle: 0 })
  await cloud.advance('21s')
  expect((await healthOf(cloud)).jobs).toMatchObject({ completed: 1 })
  expect((await healthOf(cloud)).workers).toMatchObject({ running: 0, throttled: 2 })
  expect(cloud.world().workers.all()).toMatchObject([{ placement: null }, { placement: null }])
  await setStock(cloud, 4)
  await cloud.advance('5s')
  expect((await healthOf(cloud)).workers).toMatchObject({ idle: 2, throttled: 0 })
})

test('only as many workers are throttled as machines are gone', async () => {
  const cloud = await startQueue({
    endpoint: { gpuTypeIds: ['NVIDIA L4'], workersMin: 3, workersMax: 3 },
  })
  await cloud.advance('5s')
  const [{ placement } = { placement: null }] = cloud.world().workers.all()
  await setStock(cloud, 0, ['NVIDIA L4'])
  await setStock(cloud, 1, ['NVIDIA L4'])
  await cloud.advance('5s')
  expect(placement).not.toBeNull()
  const change = { dataCenterId: placement?.dataCenterId, typeId: 'NVIDIA L4', total: 0 }
  const before = (await healthOf(cloud)).workers
  await cloud.put('/_emulator/capacity', change)
  const after = (await healthOf(cloud)).workers
  expect(after.throttled).toBe(before.throttled + 1)
})

test.each([
  ['a data center that is none', { dataCenterId: 'XX-1', typeId: 'NVIDIA L4', total: 0 }, 404],
  ['a type that is none', { dataCenterId: 'EU-RO-1', typeId: 'NVIDIA X', total: 0 }, 400],
  ['less than nothing', { dataCenterId: 'EU-RO-1', typeId: 'NVIDIA L4', total: -1 }, 422],
  [
    'CPUs in the community cloud',
    { dataCenterId: 'EU-RO-1', typeId: 'cpu3c', cloud: 'COMMUNITY', total: 1 },
    400,
  ],
])('capacity of %s is refused', async (_what, body, status) => {
  const { put, get } = await startQueue({})
  const before = (await get('/_emulator/capacity')).text
  expect((await put('/_emulator/capacity', body)).status).toBe(status)
  expect((await get('/_emulator/capacity')).text).toBe(before)
})

test('the telemetry of a worker tells whether it is at a job', async () => {
  const cloud = await startQueue({ endpoint: { workersMin: 1 } })
  await cloud.advance('5s')
  const query = `{ myself { endpoints { pods {
    latestTelemetry { state averageGpuMetrics { percentUtilization } } } } } }`
  const telemetry = async () => {
    const { body } = await cloud.post('/graphql', { query })
    return body.data.myself.endpoints[0].pods[0].latestTelemetry
  }
  expect(await telemetry()).toEqual({
    state: 'running',
    averageGpuMetrics: { percentUtilization: 0 },
  })
  await submit(cloud, 1)
  expect(await telemetry()).toMatchObject({ averageGpuMetrics: { percentUtilization: 100 } })
})

test('GraphQL sets standby workers, and an update that does not name them keeps them', async () => {
  const cloud = await startQueue({})
  const save = async (fields: string) => {
    const query = `mutation { saveEndpoint(input: { id: "e", name: "e", ${fields} }) { workersStandby } }`
    return (await cloud.post('/graphql', { query })).body
  }
  expect((await save('workersStandby: 1')).data?.saveEndpoint).toEqual({ workersStandby: 1 })
  await cloud.advance('10s')
  expect((await healthOf(cloud)).workers).toMatchObject({ idle: 1, running: 0 })
  expect((await save('workersMax: 2')).data?.saveEndpoint).toEqual({ workersStandby: 1 })
})
