/** Pods through REST v2. */
import { type Cloud, startCloud } from '../support/cloud.ts'

const gpu = { id: 'NVIDIA GeForce RTX 4090' }
const request = { name: 'mine', image: 'example/image:1', gpu, ports: ['8888/http', '22/tcp'] }

async function runningPod(cloud: Cloud, extra: object = {}): Promise<string> {
  const { body } = await cloud.post('/v2/pods', { ...request, ...extra })
  await cloud.advance('5s')
  return `/v2/pods/${body.id}`
}

test('a new pod is PROVISIONING, and the reply has everything a client may read', async () => {
  const { post } = await startCloud()
  const made = await post('/v2/pods', { ...request, env: { A: '1' }, args: 'sleep infinity' })
  expect(made).toMatchObject({
    status: 201,
    body: {
      id: expect.stringMatching(/^[a-z0-9]{14}$/),
      name: 'mine',
      status: 'PROVISIONING',
      actions: ['stop', 'terminate'],
      image: 'example/image:1',
      args: 'sleep infinity',
      cmd: ['sleep', 'infinity'],
      entrypoint: [],
      disk: 50,
      env: { A: '1' },
      ports: ['8888/http', '22/tcp'],
      registry: null,
      mounts: {},
      gpu: { id: gpu.id, count: 1 },
      cloud: 'SECURE',
      template: null,
      locked: false,
      runtime: null,
      ssh: { direct: null, proxy: { host: 'ssh.runpod.io' } },
      startedAt: null,
      globalNetworking: { enabled: false },
    },
  })
  expect(made.body.cost).toBeGreaterThan(0)
})

test('a pod is STARTING before it runs, and reachable a little after', async () => {
  const { post, get, advance, world } = await startCloud()
  const { body } = await post('/v2/pods', request)
  const { podPlacementMs, podBootMs, podReachableMs } = world().settings.profile
  const status = async () => (await get(`/v2/pods/${body.id}`)).body
  await advance(podPlacementMs as number)
  expect((await status()).status).toBe('STARTING')
  await advance(podBootMs as number)
  expect(await status()).toMatchObject({ status: 'RUNNING', runtime: null })
  await advance(podReachableMs as number)
  const pod = await status()
  expect(pod.runtime.ports).toEqual([
    { private: 8888, public: null, type: 'http', ip: null },
    {
      private: 22,
      public: expect.any(Number),
      type: 'tcp',
      ip: expect.stringMatching(/^203\.0\.113\./),
    },
  ])
  expect(pod.ssh.direct).toMatchObject({ port: pod.runtime.ports[1].public })
})

test('a pod that is stopped while it starts takes the full time when it is started again', async () => {
  const { post, get, advance, world } = await startCloud()
  const { body } = await post('/v2/pods', request)
  const { podPlacementMs, podBootMs } = world().settings.profile
  const path = `/v2/pods/${body.id}`
  await advance((podPlacementMs as number) + (podBootMs as number) - 1)
  expect((await post(`${path}/action`, { action: 'stop' })).body.status).toBe('EXITED')
  await post(`${path}/action`, { action: 'start' })
  await advance((podPlacementMs as number) + (podBootMs as number) - 1)
  expect((await get(path)).body.status).toBe('STARTING')
  await advance(1)
  expect((await get(path)).body.status).toBe('RUNNING')
})

test('stop frees the GPU and costs nothing; start takes it again, at another public port', async () => {
  const cloud = await startCloud()
  const path = await runningPod(cloud)
  const before = (await cloud.get(path)).body
  const stopped = await cloud.post(`${path}/action`, { action: 'stop' })
  expect(stopped).toMatchObject({
    status: 200,
    body: { status: 'EXITED', cost: 0, runtime: null, actions: ['start', 'terminate'] },
  })
  await cloud.post(`${path}/action`, { action: 'start' })
  await cloud.advance('5s')
  const after = (await cloud.get(path)).body
  expect(after).toMatchObject({ status: 'RUNNING', cost: before.cost })
  expect(after.runtime.ports[1].public).not.toBe(before.runtime.ports[1].public)
})

test('a restart passes through STARTING and comes back', async () => {
  const cloud = await startCloud()
  const path = await runningPod(cloud)
  expect((await cloud.post(`${path}/action`, { action: 'restart' })).body.status).toBe('STARTING')
  await cloud.advance('5s')
  expect((await cloud.get(path)).body.status).toBe('RUNNING')
})

test.each(['terminate', 'DELETE'])(
  'after %s a pod is gone, its GPU free, and no timer is left',
  async (how) => {
    const cloud = await startCloud()
    const pending = cloud.world().timeline.pendingCount
    const { body } = await cloud.post('/v2/pods', request)
    const path = `/v2/pods/${body.id}`
    const gone =
      how === 'DELETE'
        ? await cloud.delete(path)
        : await cloud.post(`${path}/action`, { action: how })
    expect(gone).toMatchObject({ status: 204, text: '' })
    expect(await cloud.get(path)).toMatchObject({
      status: 404,
      body: { title: 'Not Found', status: 404, detail: 'pod not found' },
    })
    expect(cloud.world().timeline.pendingCount).toBe(pending)
  },
)

const notAllowed = [
  ['PROVISIONING', 'start'],
  ['PROVISIONING', 'restart'],
  ['RUNNING', 'start'],
  ['EXITED', 'stop'],
  ['EXITED', 'restart'],
] as const

test.each(notAllowed)(
  'a pod that is %s cannot %s: 409, and nothing changes',
  async (status, action) => {
    const cloud = await startCloud()
    const { body } = await cloud.post('/v2/pods', request)
    const path = `/v2/pods/${body.id}`
    if (status !== 'PROVISIONING') await cloud.advance('5s')
    if (status === 'EXITED') await cloud.post(`${path}/action`, { action: 'stop' })
    const entries = cloud.world().timeline.entryCount
    expect(await cloud.post(`${path}/action`, { action })).toMatchObject({
      status: 409,
      headers: { 'content-type': 'application/problem+json' },
      body: { title: 'Conflict', status: 409, detail: `cannot ${action} a pod that is ${status}` },
    })
    expect(cloud.world().timeline.entryCount).toBe(entries)
  },
)

test('an unknown action is refused with the list of those there are', async () => {
  const cloud = await startCloud()
  const path = await runningPod(cloud)
  expect(await cloud.post(`${path}/action`, { action: 'reset' })).toMatchObject({
    status: 422,
    body: {
      title: 'Unprocessable Entity',
      detail: 'Request validation failed.',
      errors: ["$.action: value must be one of 'start', 'stop', 'restart', 'terminate'"],
    },
  })
})

test('every reason of a malformed body is listed, and no pod is made', async () => {
  const { post, world } = await startCloud()
  const before = world().pods.size
  const reply = await post('/v2/pods', { cloud: 'ALL', gpuCount: 1, gpu: { id: 'x', count: 0 } })
  expect(reply.status).toBe(422)
  expect(reply.body.errors).toEqual(
    expect.arrayContaining([
      "$: missing property 'name'",
      "$: missing property 'image'",
      "$: additional properties 'gpuCount' not allowed",
      "$.cloud: value must be one of 'SECURE', 'COMMUNITY'",
      '$.gpu.count: must be at least 1',
    ]),
  )
  expect(world().pods.size).toBe(before)
})

test.each([
  ['neither gpu nor cpu', { gpu: undefined }, 400],
  ['both gpu and cpu', { cpu: { id: 'cpu3c', vcpuCount: 2 } }, 400],
  ['an unknown GPU type', { gpu: { id: 'GTX 1' } }, 400],
  [
    'a persistent and a network mount',
    {
      mounts: {
        persistent: { size: 10, path: '/w' },
        network: [{ volumeId: 'demovolume', path: '/v' }],
      },
    },
    400,
  ],
  [
    'a network volume that is not there',
    { mounts: { network: [{ volumeId: 'none', path: '/v' }] } },
    404,
  ],
  ['a template that is not there', { templateId: 'none' }, 404],
  ['a template for endpoints', { templateId: 'demotemplate' }, 422],
  [
    'CUDA floor and list at once',
    { gpu: { ...gpu, minCudaVersion: '12.1', allowedCudaVersions: ['12.4'] } },
    400,
  ],
  ['three vCPUs', { gpu: undefined, cpu: { id: 'cpu3c', vcpuCount: 3 } }, 422],
  ['a port above 65535 digits', { ports: ['x/udp'] }, 422],
])('a pod with %s is refused', async (_what, changes, status) => {
  const { post, world } = await startCloud()
  const before = world().pods.size
  expect(await post('/v2/pods', { ...request, ...changes })).toMatchObject({ status })
  expect(world().pods.size).toBe(before)
})

test('a GPU type that is sold out is a plain 400 with the words that clients know', async () => {
  const { post, world } = await startCloud()
  for (const { id } of world().stock.dataCenters) world().stock.set(id, gpu.id, 'SECURE', 0)
  expect(await post('/v2/pods', request)).toMatchObject({
    status: 400,
    body: {
      title: 'Bad Request',
      detail:
        'There are no longer any instances available with the requested specifications. Please refresh and try again.',
    },
  })
})

test('a stopped pod whose host filled up cannot start, and stays EXITED', async () => {
  const cloud = await startCloud()
  const path = await runningPod(cloud)
  await cloud.post(`${path}/action`, { action: 'stop' })
  const { dataCenterId } = (await cloud.get(path)).body
  cloud.world().stock.set(dataCenterId, gpu.id, 'SECURE', 0)
  expect(await cloud.post(`${path}/action`, { action: 'start' })).toMatchObject({
    status: 400,
    body: { detail: 'There are not enough free GPUs on the host machine to start this pod.' },
  })
  expect((await cloud.get(path)).body.status).toBe('EXITED')
})

test('a network volume puts the pod in its data center', async () => {
  const { post } = await startCloud()
  const mounts = { network: [{ volumeId: 'demovolume', path: '/data' }] }
  const { body } = await post('/v2/pods', { ...request, mounts })
  expect(body).toMatchObject({ dataCenterId: 'EU-RO-1', mounts })
})

test('data centers that are asked for are the only ones looked at', async () => {
  const { post, world } = await startCloud()
  const { dataCenters } = world().stock
  const has = dataCenters.find(({ gpus }) => (gpus[gpu.id]?.secure ?? 0) > 0)?.id ?? ''
  const hasNot = dataCenters.find(({ gpus }) => (gpus[gpu.id]?.secure ?? 0) === 0)?.id ?? ''
  expect((await post('/v2/pods', { ...request, dataCenterIds: [has] })).body.dataCenterId).toBe(has)
  expect((await post('/v2/pods', { ...request, dataCenterIds: [hasNot] })).status).toBe(400)
})

test('a template is applied once: the body wins, environments are merged', async () => {
  const { post, world } = await startCloud()
  const template = await post('/v2/templates', {
    name: 't',
    image: 'example/of-template:1',
    env: { A: 'template', B: 'template' },
    ports: ['80/http'],
  })
  const { body } = await post('/v2/pods', {
    name: 'x',
    gpu,
    templateId: template.body.id,
    env: { B: 'body' },
  })
  expect(body).toMatchObject({
    image: 'example/of-template:1',
    ports: ['80/http'],
    env: { A: 'template', B: 'body' },
    template: null,
  })
  expect(world().pods.require(body.id).spec.templateId).toBeNull()
})

test('a CPU pod has the memory of its flavor and no GPU', async () => {
  const { post } = await startCloud()
  const { body } = await post('/v2/pods', {
    ...request,
    gpu: undefined,
    cpu: { id: 'cpu3g', vcpuCount: 4 },
  })
  expect(body).toMatchObject({ cpu: { id: 'cpu3g', vcpuCount: 4, memory: 16 } })
  expect(body.gpu).toBeUndefined()
})

test('a new name is taken in place, a new image makes the container anew', async () => {
  const cloud = await startCloud()
  const path = await runningPod(cloud)
  expect((await cloud.patch(path, { name: 'renamed' })).body).toMatchObject({
    name: 'renamed',
    status: 'RUNNING',
  })
  expect((await cloud.patch(path, { image: 'example/image:2' })).body).toMatchObject({
    image: 'example/image:2',
    status: 'STARTING',
  })
  await cloud.advance('5s')
  expect((await cloud.get(path)).body.status).toBe('RUNNING')
})

test('a locked pod cannot be stopped until it is unlocked', async () => {
  const cloud = await startCloud()
  const path = await runningPod(cloud)
  await cloud.patch(path, { locked: true })
  expect((await cloud.post(`${path}/action`, { action: 'stop' })).status).toBe(409)
  await cloud.patch(path, { locked: false })
  expect((await cloud.post(`${path}/action`, { action: 'stop' })).status).toBe(200)
})

test('a persistent disk grows and never shrinks', async () => {
  const cloud = await startCloud()
  const path = await runningPod(cloud, { mounts: { persistent: { size: 20, path: '/w' } } })
  const grow = (size: number) => cloud.patch(path, { mounts: { persistent: { size, path: '/w' } } })
  expect((await grow(30)).body.mounts.persistent.size).toBe(30)
  expect((await grow(29)).status).toBe(400)
})

test('an account that cannot pay for an hour rents nothing', async () => {
  const { post, world } = await startCloud()
  world().account = { ...world().account, balanceUsd: 0.01 }
  expect(await post('/v2/pods', request)).toMatchObject({
    status: 402,
    body: { title: 'Payment Required' },
  })
})

test('pods are listed newest first, page by page, and a cursor is only good where it came from', async () => {
  const { post, get } = await startCloud()
  for (const name of ['a', 'b', 'c']) await post('/v2/pods', { ...request, name })
  const first = (await get('/v2/pods?limit=2')).body
  expect(first.pods.map((pod: { name: string }) => pod.name)).toEqual(['c', 'b'])
  const cursor = first.pagination.nextCursor
  const second = (await get(`/v2/pods?limit=2&cursor=${cursor}`)).body
  expect(second.pods.map((pod: { name: string }) => pod.name)).toEqual(['a', 'demo pod'])
  expect(second.pagination).toEqual({ nextCursor: null, hasNextPage: false })
  expect((await get(`/v2/serverless?cursor=${cursor}`)).status).toBe(422)
})

test('a page goes on where the last one ended, though its pods are gone and the world was brought back', async () => {
  const { post, get, delete: remove } = await startCloud()
  for (const name of ['a', 'b', 'c', 'd']) await post('/v2/pods', { ...request, name })
  const first = (await get('/v2/pods?limit=2')).body
  const next = async () => {
    const { nextCursor } = first.pagination
    const { pods } = (await get(`/v2/pods?limit=2&cursor=${nextCursor}`)).body
    return pods.map(({ name }: { name: string }) => name)
  }
  for (const { id } of first.pods) await remove(`/v2/pods/${id}`)
  expect(await next()).toEqual(['b', 'a'])
  await post('/_emulator/snapshots', { name: 'shorter' })
  await post('/v2/pods', { ...request, name: 'e' })
  await post('/_emulator/snapshots/shorter/load')
  expect(await next()).toEqual(['b', 'a'])
})

test.each(['x', 'bGlzdFBvZHM6MQ==', 'bGlzdFBvZHM6OTk5', 'bGlzdFBvZHM6LTE', '%20'])(
  'a cursor that nobody gave out (%s) is refused',
  async (cursor) => {
    const { get } = await startCloud()
    expect((await get(`/v2/pods?cursor=${cursor}`)).status).toBe(422)
    expect((await get('/v2/pods?limit=0')).status).toBe(422)
    expect((await get('/v2/pods?limit=1001')).status).toBe(422)
  },
)

test('a cursor belongs to what else the list was asked for', async () => {
  const { post, get } = await startCloud()
  await post('/v2/pods', request)
  const { nextCursor } = (await get('/v2/pods?limit=1')).body.pagination
  const path = `/v2/pods?cursor=${nextCursor}&includeClusterPods`
  expect((await get(`${path}=false`)).status).toBe(200)
  expect((await get(`${path}=true`)).status).toBe(422)
})

test('the log is a stream of events that can be taken up where it was left', async () => {
  const cloud = await startCloud()
  const path = await runningPod(cloud)
  const all = await cloud.get(`${path}/logs`)
  expect(all.headers['content-type']).toBe('text/event-stream')
  const lines = [...all.text.matchAll(/^data: (.*)$/gm)].map(([, data]) => JSON.parse(data ?? ''))
  expect(lines.map(({ source, line }) => [source, line])).toEqual([
    ['system', 'create container example/image:1'],
    ['system', 'start container for example/image:1: begin'],
    ['container', 'mine is ready'],
  ])
  const [firstId] = [...all.text.matchAll(/^id: (.*)$/gm)].map(([, id]) => id)
  const rest = await cloud.get(`${path}/logs`, { 'last-event-id': firstId })
  expect(rest.text.match(/^data:/gm)).toHaveLength(2)
  expect((await cloud.get(`${path}/logs?source=container`)).text.match(/^data:/gm)).toHaveLength(1)
  expect((await cloud.get(`${path}/logs?tail=0`)).text).toBe('')
  expect((await cloud.get(`${path}/logs?source=kernel`)).status).toBe(422)
  expect((await cloud.get('/v2/pods/none/logs')).status).toBe(404)
})
