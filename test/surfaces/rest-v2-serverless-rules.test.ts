/** Rules of endpoints that REST v2 spells: pools, sizes, scaling, templates, releases. */
import { type Answer, type Cloud, startCloud } from '../support/cloud.ts'

const endpoint = {
  name: 'mine',
  type: 'QUEUE',
  image: 'example/handler:1',
  gpu: { pools: ['AMPERE_24', 'ADA_24'] },
  scaling: { type: 'QUEUE_DELAY', queueDelay: 4 },
}
const requestCount = { type: 'REQUEST_COUNT', requestCount: 4 }
const cpu = [{ id: 'cpu3c', vcpuCount: 2 }]

async function create(cloud: Cloud, extra: object = {}): Promise<Answer> {
  return cloud.post('/v2/serverless', { ...endpoint, ...extra })
}

async function change(cloud: Cloud, extra: object, changes: object): Promise<Answer> {
  const { body } = await create(cloud, extra)
  return cloud.patch(`/v2/serverless/${body.id}`, changes)
}

describe('GPU types', () => {
  const { pools } = endpoint.gpu

  test('that are excluded are trimmed, must be of the pools, and must leave something', async () => {
    const cloud = await startCloud()
    const made = await create(cloud, { gpu: { pools, excludedTypes: [' NVIDIA L4 '] } })
    expect(made.body.gpu).toMatchObject({ pools, excludedTypes: ['NVIDIA L4'] })
    const tried = async (excludedTypes: string[]) =>
      (await create(cloud, { gpu: { pools: ['ADA_24'], excludedTypes } })).status
    expect(await tried(['NVIDIA L4'])).toBe(400)
    expect(await tried(['NVIDIA GeForce RTX 4090'])).toBe(400)
    expect(await tried(['-NVIDIA GeForce RTX 4090'])).toBe(422)
    expect(await tried(['NVIDIA L4', 'NVIDIA L4'])).toBe(422)
  })

  test('that a GraphQL caller excludes may be of other pools: clients send such lists', async () => {
    const cloud = await startCloud()
    const mutation = `mutation { saveEndpoint(input: {
      name: "g", gpuIds: "ADA_24,-NVIDIA L4", templateId: "demotemplate"
    }) { id gpuIds } }`
    const { body } = await cloud.post('/graphql', { query: mutation })
    expect(body.data.saveEndpoint.gpuIds).toBe('ADA_24')
    const { id } = body.data.saveEndpoint
    expect((await cloud.get(`/v2/serverless/${id}`)).body.gpu.pools).toEqual(['ADA_24'])
  })

  test('that were excluded are back when the pools are named without them', async () => {
    const cloud = await startCloud()
    const gpu = { pools, excludedTypes: ['NVIDIA L4'] }
    const { body } = await change(cloud, { gpu }, { gpu: { pools } })
    expect(body.gpu.excludedTypes).toEqual([])
    expect((await change(cloud, { gpu }, { gpu: { count: 2 } })).body.gpu).toMatchObject({
      ...gpu,
      count: 2,
    })
    const alone = { excludedTypes: ['NVIDIA L4'] }
    expect((await change(cloud, { gpu }, { gpu: alone })).status).toBe(422)
  })

  test('are held to CUDA versions until those are cleared', async () => {
    const cloud = await startCloud()
    const gpu = { pools, allowedCudaVersions: ['12.4'] }
    const floor = { minCudaVersion: '12.1' }
    expect((await create(cloud, { gpu: { ...gpu, ...floor } })).status).toBe(400)
    const both = { ...floor, allowedCudaVersions: [] }
    expect((await change(cloud, { gpu }, { gpu: both })).body.gpu).toMatchObject(both)
    const none = { minCudaVersion: '' }
    expect(
      (await change(cloud, { gpu: { pools, ...floor } }, { gpu: none })).body.gpu,
    ).toMatchObject({ minCudaVersion: null })
  })
})

describe('CPU sizes', () => {
  test('may come in several flavors, each once, and are replaced as a whole', async () => {
    const cloud = await startCloud()
    const sizes = [...cpu, { id: 'cpu3c', vcpuCount: 4 }]
    const made = await create(cloud, { gpu: undefined, cpu: sizes })
    expect(made.body.cpu).toEqual([
      { id: 'cpu3c', vcpuCount: 2, memory: 4 },
      { id: 'cpu3c', vcpuCount: 4, memory: 8 },
    ])
    expect(made.body.gpu).toBeUndefined()
    const { body } = await cloud.patch(`/v2/serverless/${made.body.id}`, { cpu })
    expect(body.cpu).toHaveLength(1)
  })

  test.each([
    ['the same size twice', [...cpu, ...cpu], 422],
    ['no size', [], 422],
    ['a size that is no power of two', [{ id: 'cpu3c', vcpuCount: 3 }], 422],
    ['more than the flavor has', [{ id: 'cpu3c', vcpuCount: 64 }], 400],
    ['an unknown flavor', [{ id: 'cpu9z', vcpuCount: 2 }], 400],
  ])('are refused: %s', async (_what, sizes, status) => {
    const cloud = await startCloud()
    const before = cloud.world().endpoints.size
    expect((await create(cloud, { gpu: undefined, cpu: sizes })).status).toBe(status)
    expect(cloud.world().endpoints.size).toBe(before)
  })

  test('and GPUs are never exchanged for each other', async () => {
    const cloud = await startCloud()
    const { gpu } = endpoint
    expect((await create(cloud, { cpu })).status).toBe(400)
    expect((await create(cloud, { gpu: undefined })).status).toBe(400)
    expect((await change(cloud, {}, { cpu })).status).toBe(400)
    expect((await change(cloud, { gpu: undefined, cpu }, { gpu })).status).toBe(400)
    expect((await change(cloud, {}, { gpu, cpu })).status).toBe(400)
  })
})

describe('scaling', () => {
  test('of a load balancer is by requests, when it is made and ever after', async () => {
    const cloud = await startCloud()
    const balancer = { type: 'LOAD_BALANCER', scaling: requestCount }
    const refused = await change(cloud, balancer, { scaling: endpoint.scaling })
    expect(refused).toMatchObject({
      status: 422,
      body: { errors: ["$.scaling.type: value must be one of 'REQUEST_COUNT'"] },
    })
    const { body } = await change(cloud, balancer, { workers: { idleTimeout: 5 } })
    expect(body).toMatchObject({ scaling: requestCount, workers: { idleTimeout: 5 } })
    const delayed = await create(cloud, { type: 'LOAD_BALANCER' })
    expect(delayed).toMatchObject({ status: 422 })
    expect(delayed.body.errors).toContain("$.scaling.type: value must be one of 'REQUEST_COUNT'")
  })

  test('of a queue by requests has no idle timeout to show or to set', async () => {
    const cloud = await startCloud()
    const { body } = await create(cloud, { scaling: requestCount, workers: { max: 5 } })
    expect(body.workers).toEqual({ min: 0, max: 5 })
    const refused = await cloud.patch(`/v2/serverless/${body.id}`, { workers: { idleTimeout: 5 } })
    expect(refused).toMatchObject({
      status: 422,
      body: {
        detail: 'idleTimeout does not apply to queue-based endpoints scaling on requestCount',
      },
    })
    const changed = await cloud.patch(`/v2/serverless/${body.id}`, {
      scaling: endpoint.scaling,
      workers: { idleTimeout: 7 },
    })
    expect(changed.body.workers).toEqual({ min: 0, max: 5, idleTimeout: 7 })
  })

  test.each([
    ['an unknown kind', { type: 'MAGIC', queueDelay: 4 }],
    ['no kind', { queueDelay: 4 }],
    ['no value', { type: 'QUEUE_DELAY' }],
    ['a number', 4],
    ['no requests', { type: 'REQUEST_COUNT', requestCount: 0 }],
    ['the fields of v1', { type: 'QUEUE_DELAY', value: 4, idleTimeout: 5 }],
  ])('by %s is refused', async (_what, scaling) => {
    const cloud = await startCloud()
    expect((await create(cloud, { scaling })).status).toBe(422)
  })
})

test('a timeout that is left out is five minutes, or none where the switch says so', async () => {
  expect((await create(await startCloud())).body.timeout).toBe(300_000)
  const live = await startCloud({ fidelity: { omittedTimeout: '0' } })
  expect((await create(live)).body.timeout).toBe(0)
  expect((await create(live, { timeout: 5_000 })).body.timeout).toBe(5_000)
})

describe('a template for endpoints', () => {
  const made = async (cloud: Cloud): Promise<string> =>
    (
      await cloud.post('/v2/templates', {
        name: 't',
        image: 'example/of-template:1',
        serverless: true,
        env: { A: 'template', B: 'template' },
        allowedCudaVersions: ['12.4'],
      })
    ).body.id

  test('is applied once: the body wins, variables are merged, SSH and Jupyter are ignored', async () => {
    const cloud = await startCloud()
    const templateId = await made(cloud)
    const { body } = await create(cloud, { image: undefined, templateId, env: { B: 'body' } })
    expect(body).toMatchObject({
      image: 'example/of-template:1',
      env: { A: 'template', B: 'body' },
    })
    expect(Object.keys(body.env)).toEqual(['A', 'B'])
    expect(body.gpu.allowedCudaVersions).toEqual(['12.4'])
    await cloud.patch(`/v2/templates/${templateId}`, { image: 'example/of-template:2' })
    const after = (await cloud.get(`/v2/serverless/${body.id}`)).body
    expect(after.image).toBe('example/of-template:1')
  })

  test('yields its CUDA versions to a floor', async () => {
    const cloud = await startCloud()
    const gpu = { ...endpoint.gpu, minCudaVersion: '12.1' }
    const { body } = await create(cloud, { gpu, templateId: await made(cloud) })
    expect(body.gpu).toMatchObject({ allowedCudaVersions: [], minCudaVersion: '12.1' })
  })

  test('in a change merges its variables with the body', async () => {
    const cloud = await startCloud()
    const changes = { templateId: await made(cloud), env: { B: 'body' } }
    const { body } = await change(cloud, { env: { OLD: '1' } }, changes)
    expect(body).toMatchObject({ image: 'example/of-template:1' })
    expect(body.env).toEqual({ A: 'template', B: 'body' })
  })

  test.each([
    ['none', 404],
    ['podtemplate', 422],
  ])('named %s is refused with %i', async (templateId, status) => {
    const cloud = await startCloud()
    expect((await create(cloud, { templateId })).status).toBe(status)
    expect((await cloud.patch('/v2/serverless/demo', { templateId })).status).toBe(status)
  })
})

test('an endpoint has one network volume in each data center', async () => {
  const cloud = await startCloud()
  const volume = { name: 'v', size: 10, dataCenter: 'EU-RO-1' }
  const { body } = await cloud.post('/v2/network-volumes', volume)
  const networkVolumes = ['demovolume', body.id]
  expect((await create(cloud, { networkVolumes: ['demovolume'] })).body.networkVolumes).toEqual([
    'demovolume',
  ])
  expect((await create(cloud, { networkVolumes })).status).toBe(400)
})

test('addresses of a load balancer are its base and its health', async () => {
  const { body } = await (await startCloud()).get('/v2/serverless/demolb')
  const base = 'http://127.0.0.1:4300/v2/demolb'
  expect(body.requestUrls).toEqual({ base, health: `${base}/ping` })
})

test('releases are listed page by page, each endpoint’s own, and a cursor is good for one endpoint', async () => {
  const cloud = await startCloud()
  const path = '/v2/serverless/demo/releases'
  for (const tag of [2, 3]) {
    await cloud.patch('/v2/serverless/demo', { image: `example/handler:${tag}` })
    await cloud.patch('/v2/serverless/demostream', { image: `example/other:${tag}` })
  }
  const versions = ({ body }: Answer) =>
    body.releases.map(({ version }: { version: number }) => version)
  const first = await cloud.get(`${path}?limit=2`)
  expect(versions(first)).toEqual([3, 2])
  const { nextCursor, hasNextPage } = first.body.pagination
  expect(hasNextPage).toBe(true)
  const second = await cloud.get(`${path}?limit=2&cursor=${nextCursor}`)
  expect(versions(second)).toEqual([1])
  expect(second.body).toMatchObject({
    endpointVersion: 3,
    pagination: { nextCursor: null, hasNextPage: false },
  })
  const foreign = `/v2/serverless/demostream/releases?cursor=${nextCursor}`
  expect(await cloud.get(foreign)).toMatchObject({
    status: 422,
    body: { detail: 'the cursor is not valid here' },
  })
})

test('an endpoint’s workers are counted by what they do, and those that are gone are not', async () => {
  const cloud = await startCloud()
  await cloud.patch('/v2/serverless/demo', { workers: { min: 2, max: 2, idleTimeout: 5 } })
  await cloud.post('/v2/demo/run', { input: { mock_delay: 5 } })
  await cloud.advance('1s')
  const { body } = await cloud.get('/v2/serverless/demo/workers')
  expect(body.summary).toEqual({
    running: 1,
    idle: 1,
    initializing: 0,
    throttled: 0,
    unhealthy: 0,
    total: 2,
  })
  expect(body.workers[0]).toMatchObject({
    gpuCount: 1,
    image: 'example/handler:1.0',
    isStale: false,
    version: 1,
    gpuTypeId: expect.any(String),
    dataCenterId: expect.any(String),
    startedAt: expect.stringMatching(/Z$/),
  })
  await cloud.patch('/v2/serverless/demo', { workers: { min: 0, max: 0 } })
  await cloud.advance('1m')
  expect((await cloud.get('/v2/serverless/demo/workers')).body).toMatchObject({
    workers: [],
    summary: { total: 0 },
  })
})
