/** REST v2 beside its pods: endpoints, templates, volumes, registries, keys, its document. */
import { startCloud } from '../support/cloud.ts'

const endpoint = {
  name: 'mine',
  type: 'QUEUE',
  image: 'example/handler:1',
  gpu: { pools: ['AMPERE_16'] },
  scaling: { type: 'QUEUE_DELAY', queueDelay: 4 },
}

test('a new endpoint has the defaults of v2 and addresses on the host that was asked', async () => {
  const { post } = await startCloud()
  const { status, body } = await post('/v2/serverless', endpoint)
  expect(status).toBe(201)
  expect(body).toMatchObject({
    workers: { min: 0, max: 3, idleTimeout: 10 },
    timeout: 300_000,
    flashboot: 'OFF',
    gpu: { pools: ['AMPERE_16'], excludedTypes: [], count: 1, minCudaVersion: null },
    scaling: { type: 'QUEUE_DELAY', queueDelay: 4 },
    requestUrls: {
      run: `http://127.0.0.1:4300/v2/${body.id}/run`,
      status: `http://127.0.0.1:4300/v2/${body.id}/status/{job_id}`,
    },
  })
})

test('an endpoint made through v2 runs jobs at its request address', async () => {
  const { post, get, advance } = await startCloud()
  const { body } = await post('/v2/serverless', endpoint)
  const job = await post(`/v2/${body.id}/run`, { input: 'hi' })
  await advance('5s')
  expect((await get(`/v2/${body.id}/status/${job.body.id}`)).body.output).toBe('hi')
})

test.each([
  ['a load balancer that scales by delay', { type: 'LOAD_BALANCER' }, 422],
  ['a queue delay below half a second', { scaling: { type: 'QUEUE_DELAY', queueDelay: 0.4 } }, 422],
  [
    'fields of both kinds of scaling',
    { scaling: { type: 'QUEUE_DELAY', queueDelay: 4, requestCount: 4 } },
    422,
  ],
  [
    'an idle timeout where none applies',
    { scaling: { type: 'REQUEST_COUNT', requestCount: 4 }, workers: { idleTimeout: 5 } },
    422,
  ],
  ['no image and no template', { image: undefined }, 422],
  ['flashboot as a switch', { flashboot: true }, 422],
  ['an unknown pool', { gpu: { pools: ['VOLTA_16'] } }, 400],
  [
    'an excluded type of another pool',
    { gpu: { pools: ['ADA_24'], excludedTypes: ['NVIDIA L4'] } },
    400,
  ],
  [
    'every type excluded',
    { gpu: { pools: ['ADA_24'], excludedTypes: ['NVIDIA GeForce RTX 4090'] } },
    400,
  ],
  ['more workers at least than at most', { workers: { min: 4, max: 3 } }, 400],
  ['a network volume that is not there', { networkVolumes: ['none'] }, 404],
])('an endpoint with %s is refused', async (_what, changes, status) => {
  const { post, world } = await startCloud()
  const before = world().endpoints.size
  expect(await post('/v2/serverless', { ...endpoint, ...changes })).toMatchObject({ status })
  expect(world().endpoints.size).toBe(before)
})

test('scaling changes in place; a new image makes a new version and replaces idle workers', async () => {
  const { patch, get, advance, world } = await startCloud()
  await patch('/v2/serverless/demo', { workers: { min: 1, idleTimeout: 60 } })
  await advance('5s')
  const version = world().endpoints.require('demo').version
  expect(version).toBe(1)
  const [old] = (await get('/v2/serverless/demo/workers')).body.workers
  expect(old).toMatchObject({ status: 'IDLE', isStale: false, version: 1 })

  await patch('/v2/serverless/demo', { image: 'example/handler:2' })
  const after = (await get('/v2/serverless/demo/workers')).body
  expect(after).toMatchObject({ endpointVersion: 2, summary: { total: 1, initializing: 1 } })
  expect(after.workers[0]).toMatchObject({ version: 2, image: 'example/handler:2' })
  expect(after.workers[0].id).not.toBe(old.id)
})

test('a busy worker of an old version finishes its job before it goes', async () => {
  const { post, patch, get, advance } = await startCloud()
  const job = await post('/v2/demo/run', { input: { mock_delay: 20 } })
  await advance('2s')
  await patch('/v2/serverless/demo', { image: 'example/handler:2' })
  expect((await get('/v2/serverless/demo/workers')).body.workers).toMatchObject([
    { status: 'RUNNING', isStale: true },
  ])
  await advance('20s')
  expect((await get(`/v2/demo/status/${job.body.id}`)).body.status).toBe('COMPLETED')
  expect((await get('/v2/serverless/demo/workers')).body.workers).toEqual([])
})

test('releases tell what changed in each version and how far the last one is rolled out', async () => {
  const { post, patch, get, advance } = await startCloud()
  await post('/v2/demo/run', { input: { mock_delay: 20 } })
  await advance('2s')
  await patch('/v2/serverless/demo', { image: 'example/handler:2', gpu: { pools: ['ADA_24'] } })
  const { body } = await get('/v2/serverless/demo/releases')
  expect(body).toMatchObject({
    endpointVersion: 2,
    rollout: { inProgress: true, workersOnLatest: 0, workersTotal: 1, percentOnLatest: 0 },
    releases: [
      {
        version: 2,
        source: 'MANUAL',
        buildId: null,
        workerCount: 0,
        diff: [
          { field: 'gpuIds', old: 'AMPERE_16,ADA_24', new: 'ADA_24' },
          { field: 'template.imageName', old: 'example/handler:1.0', new: 'example/handler:2' },
        ],
      },
      { version: 1, workerCount: 1, diff: [] },
    ],
  })
  await advance('60s')
  expect((await get('/v2/serverless/demo/releases')).body.rollout.inProgress).toBe(false)
})

test('the type of an endpoint cannot be changed', async () => {
  const { patch } = await startCloud()
  expect(await patch('/v2/serverless/demo', { type: 'LOAD_BALANCER' })).toMatchObject({
    status: 422,
    body: { errors: ["$: additional properties 'type' not allowed"] },
  })
})

test('deleting an endpoint ends its workers and jobs and leaves no timer', async () => {
  const { post, delete: remove, get, advance, world } = await startCloud()
  const pending = world().timeline.pendingCount
  const { body } = await post('/v2/serverless', endpoint)
  const waiting = post(`/v2/${body.id}/runsync`, { input: { mock_delay: 60 } })
  await post(`/v2/${body.id}/run`, { input: 1 })
  await advance('2s')
  expect(await remove(`/v2/serverless/${body.id}`)).toMatchObject({ status: 204 })
  expect((await waiting).status).toBe(404)
  expect((await get(`/v2/serverless/${body.id}`)).status).toBe(404)
  expect(world().jobs.size).toBe(0)
  expect(world().timeline.pendingCount).toBeLessThanOrEqual(pending)
})

test("a worker's log tells how it came and ends when it goes", async () => {
  const { post, get, advance } = await startCloud()
  await post('/v2/demo/run', { input: { mock_logs: [{ level: 'info', message: 'hello' }] } })
  await advance('2s')
  const [worker] = (await get('/v2/serverless/demo/workers')).body.workers
  const log = (await get(`/v2/serverless/demo/workers/${worker.id}/logs`)).text
  for (const line of ['create container example/handler:1.0', 'worker is ready', 'info | hello']) {
    expect(log).toContain(line)
  }
})

test('a template can be made, read, changed and deleted, under a name of its own', async () => {
  const { post, get, patch, delete: remove } = await startCloud()
  const made = await post('/v2/templates', { name: 't', image: 'example/image:1' })
  expect(made).toMatchObject({
    status: 201,
    body: {
      startSsh: true,
      startJupyter: true,
      category: 'NVIDIA',
      ports: [],
      mounts: {},
      serverless: false,
    },
  })
  const path = `/v2/templates/${made.body.id}`
  expect((await post('/v2/templates', { name: 't', image: 'x' })).status).toBe(400)
  expect((await patch(path, { env: { A: '1' } })).body.env).toEqual({ A: '1' })
  expect((await get('/v2/templates')).body.templates[0].id).toBe(made.body.id)
  expect((await remove(path)).status).toBe(204)
  expect((await get(path)).status).toBe(404)
})

test('a network volume grows, never shrinks, and stays while something uses it', async () => {
  const { post, patch, delete: remove } = await startCloud()
  const made = await post('/v2/network-volumes', { name: 'v', size: 10, dataCenter: 'EU-RO-1' })
  expect(made).toMatchObject({ status: 201, body: { size: 10, dataCenter: 'EU-RO-1' } })
  const path = `/v2/network-volumes/${made.body.id}`
  expect((await patch(path, { size: 20 })).body.size).toBe(20)
  expect((await patch(path, { size: 19 })).status).toBe(400)
  expect((await patch(path, {})).status).toBe(422)
  await post('/v2/pods', {
    name: 'p',
    image: 'x',
    gpu: { id: 'NVIDIA GeForce RTX 4090' },
    mounts: { network: [{ volumeId: made.body.id, path: '/v' }] },
  })
  expect((await remove(path)).status).toBe(409)
})

test('a data center without network volumes is refused with those that have some', async () => {
  const { post, world } = await startCloud()
  const without = world().stock.dataCenters.find(({ volumeTypes }) => volumeTypes.length === 0)
  const reply = await post('/v2/network-volumes', { name: 'v', size: 10, dataCenter: without?.id })
  expect(reply).toMatchObject({ status: 400, body: { detail: expect.stringContaining('EU-RO-1') } })
})

test('registry credentials are never shown again', async () => {
  const { post, get } = await startCloud()
  const made = await post('/v2/registries', { name: 'r', username: 'u', password: 'secret' })
  expect(made).toMatchObject({ status: 201, body: { id: expect.any(String), name: 'r' } })
  expect((await get(`/v2/registries/${made.body.id}`)).text).not.toContain('secret')
})

test('without a key nothing is told', async () => {
  const { get } = await startCloud()
  expect(await get('/v2/pods', { authorization: undefined })).toMatchObject({
    status: 401,
    headers: { 'content-type': 'application/problem+json' },
    body: { title: 'Unauthorized', status: 401 },
  })
})

test('an unknown path is 404, a wrong method 405 with those that are right', async () => {
  const { get, put } = await startCloud()
  expect(await get('/v2/pods/x/y/z')).toMatchObject({
    status: 404,
    body: { detail: 'The requested path was not found.' },
  })
  expect(await put('/v2/pods')).toMatchObject({ status: 405, headers: { allow: 'GET, POST' } })
})

test.each([
  ['text that is no JSON', '{"name":'],
  ['a list', '[]'],
  ['nothing', ''],
])('a body that is %s is refused with 422', async (_what, body) => {
  const { send } = await startCloud()
  expect(await send('POST', '/v2/pods', body)).toMatchObject({ status: 422 })
})

test('the document is made of the same table as the routes', async () => {
  const { get, emulator } = await startCloud()
  const { body } = await get('/v2/openapi.json', { authorization: undefined })
  expect(body.openapi).toBe('3.1.0')
  for (const [path, methods] of Object.entries<Record<string, { operationId: string }>>(
    body.paths,
  )) {
    for (const [method, { operationId }] of Object.entries(methods)) {
      const match = await emulator.route(method.toUpperCase(), path.replaceAll(/\{\w+\}/g, 'x'))
      expect([path, method, match.operation?.name]).toEqual([path, method, operationId])
    }
  }
  expect(
    body.paths['/v2/pods'].post.requestBody.content['application/json'].schema.properties.name,
  ).toBeDefined()
})
