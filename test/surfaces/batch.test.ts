/** Batches: drafts of many requests that are queued together. */
import { batchLimits, endedBatchesKept } from '../../src/model/batch.ts'
import { type Cloud, startCloud } from '../support/cloud.ts'

const path = '/v2/demo/batch'
const items = (count: number, input: unknown = 1) =>
  Array.from({ length: count }, () => ({ input }))

async function createBatch({ post }: Cloud, requests: readonly unknown[] = []): Promise<string> {
  const { body, status } = await post(path, requests)
  expect({ status, body }).toEqual({
    status: 200,
    body: { id: expect.stringMatching(/^batch_[a-z0-9]{10}$/), status: 'DRAFT' },
  })
  return body.id
}

const countsOf = async ({ get }: Cloud, id: string) => {
  const { requestTotal, requestInProgress, requestCompleted, requestFailed, status } = (
    await get(`${path}/${id}`)
  ).body
  return [status, requestTotal, requestInProgress, requestCompleted, requestFailed]
}

test('a batch runs once it is final, and is done when completed and failed reach the total', async () => {
  const cloud = await startCloud()
  const { get, post, advance, world } = cloud
  const createdAt = world().nowMs
  const id = await createBatch(cloud, [{ input: 'a' }, { input: { mock_error: 'no' } }])
  expect((await post(`${path}/${id}/requests`, { requests: [{ input: 'c' }] })).status).toBe(200)
  await advance('1m')
  expect(world().jobs.size).toBe(0)

  const final = await post(`${path}/${id}/finalize`)
  expect(final).toMatchObject({
    status: 200,
    body: {
      id,
      endpointId: 'demo',
      status: 'FINALIZED',
      requestTotal: 3,
      requestInProgress: 0,
      requestCompleted: 0,
      requestFailed: 0,
      createdAt,
    },
  })
  expect(world().jobs.size).toBe(3)
  expect(
    world()
      .jobs.all()
      .every(({ batchId }) => batchId === id),
  ).toBe(true)

  await advance('1m')
  expect(await countsOf(cloud, id)).toEqual(['FINALIZED', 3, 0, 2, 1])
  const { requests } = (await get(`${path}/${id}/requests`)).body
  expect(requests).toEqual([
    expect.objectContaining({ status: 'FAILED', error: expect.stringContaining('no') }),
    expect.objectContaining({ status: 'COMPLETED', output: 'a' }),
    expect.objectContaining({ status: 'COMPLETED', output: 'c' }),
  ])
  for (const { startedAt, completedAt } of requests) {
    expect(startedAt).toBeGreaterThan(createdAt + 60_000)
    expect(completedAt).toBeGreaterThan(startedAt)
  }
})

test('a request is a job of its own id, and its result outlives the job’s', async () => {
  const cloud = await startCloud()
  const { get, post, advance } = cloud
  const id = await createBatch(cloud, [{ input: 'kept' }])
  const [{ id: requestId }] = (await get(`${path}/${id}/requests`)).body.requests
  await post(`${path}/${id}/finalize`)
  await advance('5s')
  expect((await get(`/v2/demo/status/${requestId}`)).body).toMatchObject({ output: 'kept' })
  await advance('30m')
  expect((await get(`/v2/demo/status/${requestId}`)).status).toBe(404)
  expect((await get(`${path}/${id}/requests`)).body.requests).toMatchObject([
    { id: requestId, status: 'COMPLETED', output: 'kept' },
  ])
})

test('requests are listed failed first, then those that run, wait and are done', async () => {
  const cloud = await startCloud()
  const { get, post, advance } = cloud
  const id = await createBatch(cloud, [
    { input: 'done' },
    { input: { mock_error: 'x' } },
    { input: { mock_delay: 60 } },
    ...items(4),
  ])
  await cloud.patch('/v2/serverless/demo', { workers: { min: 0, max: 1 } })
  await post(`${path}/${id}/finalize`)
  await advance('10s')
  const statuses = async (query = '') =>
    (await get(`${path}/${id}/requests${query}`)).body.requests.map(
      ({ status }: { status: string }) => status,
    )
  expect(await statuses()).toEqual([
    'FAILED',
    'IN_PROGRESS',
    'IN_QUEUE',
    'IN_QUEUE',
    'IN_QUEUE',
    'IN_QUEUE',
    'COMPLETED',
  ])
  expect(await countsOf(cloud, id)).toEqual(['FINALIZED', 7, 1, 1, 1])
  expect(await statuses('?offset=5&limit=9')).toEqual(['IN_QUEUE', 'COMPLETED'])
})

test('a page has 50 requests unless it is told otherwise, and says whether there are more', async () => {
  const cloud = await startCloud()
  const id = await createBatch(cloud, items(120))
  const page = async (query: string) => {
    const { requests, ...rest } = (await cloud.get(`${path}/${id}/requests${query}`)).body
    return { ...rest, count: requests.length }
  }
  expect(await page('')).toEqual({ total: 120, offset: 0, limit: 50, hasMore: true, count: 50 })
  expect(await page('?offset=100')).toMatchObject({ hasMore: false, count: 20 })
  expect((await cloud.get(`${path}/${id}/requests?limit=0`)).status).toBe(400)
})

test('only a draft can be changed', async () => {
  const cloud = await startCloud()
  const { get, post, delete: remove } = cloud
  const id = await createBatch(cloud, items(2))
  const [first, second] = (await get(`${path}/${id}/requests`)).body.requests
  const removed = await remove(`${path}/${id}/requests/${first.id}`)
  expect(removed.body).toMatchObject({ id, requestTotal: 1 })
  await post(`${path}/${id}/finalize`)
  expect((await remove(`${path}/${id}/requests/${second.id}`)).status).toBe(409)
  expect((await post(`${path}/${id}/requests`, { requests: items(1) })).status).toBe(409)
  expect((await post(`${path}/${id}/finalize`)).status).toBe(409)
  expect(await countsOf(cloud, id)).toEqual(['FINALIZED', 1, 0, 0, 0])
})

test('cancelling ends what waits at once and lets what runs finish', async () => {
  const cloud = await startCloud()
  const { get, post, advance } = cloud
  const id = await createBatch(cloud, items(5, { mock_delay: 3 }))
  await cloud.patch('/v2/serverless/demo', { workers: { min: 0, max: 1 } })
  await post(`${path}/${id}/finalize`)
  await advance('1s')
  const { body } = await post(`${path}/${id}/cancel`)
  expect(body).toMatchObject({ status: 'FINALIZED', requestInProgress: 1, requestFailed: 4 })
  expect((await get('/v2/demo/health')).body.jobs).toMatchObject({ inQueue: 0, inProgress: 1 })
  expect((await post(`${path}/${id}/cancel`)).body.status).toBe('FINALIZED')

  await advance('3s')
  expect(await countsOf(cloud, id)).toEqual(['CANCELLED', 5, 0, 1, 4])
  expect((await post(`${path}/${id}/cancel`)).status).toBe(409)
})

test('a draft is cancelled at once, and a batch that is done cannot be', async () => {
  const cloud = await startCloud()
  const { post, advance } = cloud
  const draft = await createBatch(cloud, items(2))
  expect((await post(`${path}/${draft}/cancel`)).body).toMatchObject({
    status: 'CANCELLED',
    requestFailed: 2,
  })
  expect((await post(`${path}/${draft}/finalize`)).status).toBe(409)

  const done = await createBatch(cloud, items(1))
  await post(`${path}/${done}/finalize`)
  await advance('1m')
  expect((await post(`${path}/${done}/cancel`)).status).toBe(409)
  expect(await countsOf(cloud, done)).toEqual(['FINALIZED', 1, 0, 1, 0])
})

test('a batch has failed when none of its requests succeeded', async () => {
  const cloud = await startCloud()
  const id = await createBatch(cloud, items(2, { mock_error: 'x' }))
  await cloud.post(`${path}/${id}/finalize`)
  await cloud.advance('1m')
  expect(await countsOf(cloud, id)).toEqual(['FAILED', 2, 0, 0, 2])
})

test('a request whose TTL is over counts as failed, and one that is retried counts once', async () => {
  const cloud = await startCloud()
  const { get, post, advance } = cloud
  await cloud.patch('/v2/serverless/demo', { workers: { min: 0, max: 1 } })
  const id = await createBatch(cloud, [
    { input: { mock_error: 'x' } },
    { input: { mock_delay: 60 } },
    { input: 1, policy: { ttl: 10_000 } },
  ])
  await post(`${path}/${id}/finalize`)
  await advance('15s')
  expect(await countsOf(cloud, id)).toEqual(['FINALIZED', 3, 1, 0, 2])
  const { requests } = (await get(`${path}/${id}/requests`)).body
  expect(requests[1]).toMatchObject({ status: 'TIMED_OUT', error: 'job expired' })
  await post(`/v2/demo/retry/${requests[0].id}`)
  await advance('2m')
  expect(await countsOf(cloud, id)).toEqual(['FINALIZED', 3, 0, 1, 2])
})

test('batches are listed with the newest first, under the names they are given', async () => {
  const cloud = await startCloud()
  const { get, put } = cloud
  const first = await createBatch(cloud)
  await cloud.advance(1)
  const second = await createBatch(cloud)
  expect((await put(`${path}/${first}`, { name: 'nightly' })).body).toMatchObject({
    id: first,
    name: 'nightly',
  })
  expect((await get(path)).body.batches).toMatchObject([
    { id: second },
    { id: first, name: 'nightly' },
  ])
  expect((await get('/v2/demostream/batch')).body).toEqual({ batches: [] })
})

test('an endpoint has ten active batches at most; one that is over makes room', async () => {
  const cloud = await startCloud()
  const ids: string[] = []
  for (let n = 0; n < batchLimits.activePerEndpoint; n++) ids.push(await createBatch(cloud))
  expect((await cloud.post(path, [])).status).toBe(400)
  expect((await cloud.post('/v2/demostream/batch', [])).status).toBe(200)
  await cloud.post(`${path}/${ids[0]}/cancel`)
  await createBatch(cloud)
})

test('a batch has 5 000 requests at most, and the queue of an endpoint 50 000', async () => {
  const cloud = await startCloud()
  const { post, world } = cloud
  await cloud.patch('/v2/serverless/demo', { workers: { min: 0, max: 0 } })
  const ids: string[] = []
  for (let n = 0; n < 10; n++) ids.push(await createBatch(cloud, items(5_000)))
  expect((await post(`${path}/${ids[0]}/requests`, { requests: items(1) })).status).toBe(400)
  expect((await post('/v2/demostream/batch', items(5_001))).status).toBe(400)

  await post('/v2/demo/run', { input: 1 })
  for (const id of ids.slice(0, 9)) {
    expect((await post(`${path}/${id}/finalize`)).status).toBe(200)
  }
  expect((await post(`${path}/${ids[9]}/finalize`)).status).toBe(400)
  expect(world().queues.of('demo').jobs.IN_QUEUE).toBe(45_001)
  expect(await countsOf(cloud, ids[9] ?? '')).toEqual(['DRAFT', 5_000, 0, 0, 0])
})

test('one call brings 10 MiB of requests at most', async () => {
  const cloud = await startCloud()
  const large = [{ input: 'x'.repeat(10 * 1_048_576) }]
  expect((await cloud.post(path, large)).status).toBe(400)
  const id = await createBatch(cloud)
  expect((await cloud.post(`${path}/${id}/requests`, { requests: large })).status).toBe(400)
  expect(await countsOf(cloud, id)).toEqual(['DRAFT', 0, 0, 0, 0])
})

test('the last batches that are over can be read, and all go with their endpoint', async () => {
  const cloud = await startCloud()
  const { post, get, world } = cloud
  const ids: string[] = []
  for (let n = 0; n < endedBatchesKept + 2; n++) {
    const id = await createBatch(cloud, items(1))
    await post(`${path}/${id}/cancel`)
    ids.push(id)
  }
  expect((await get(path)).body.batches).toHaveLength(endedBatchesKept)
  expect((await get(`${path}/${ids[1]}`)).status).toBe(404)
  expect(world().batchRequests.size).toBe(endedBatchesKept)

  await createBatch(cloud, items(3))
  await cloud.delete('/v2/serverless/demo')
  expect([world().batches.size, world().batchRequests.size]).toEqual([0, 0])
})

test.each([
  ['a body that is no list', 'POST', path, { requests: [] }, 400],
  ['a request without input', 'POST', path, [{ webhook: 'https://x.example' }], 400],
  ['a batch of a load balancer', 'POST', '/v2/demolb/batch', [], 400],
  ['a batch of nobody', 'POST', '/v2/nowhere/batch', [], 404],
  ['a batch that is not there', 'GET', `${path}/batch_none`, undefined, 404],
])('%s is refused', async (_what, method, target, body, status) => {
  const { send, world } = await startCloud()
  expect((await send(method, target, body)).status).toBe(status)
  expect(world().batches.size).toBe(0)
})

test('an empty batch is not finalized, and another endpoint’s is not found', async () => {
  const cloud = await startCloud()
  const id = await createBatch(cloud)
  expect((await cloud.post(`${path}/${id}/finalize`)).status).toBe(400)
  expect((await cloud.get(`/v2/demostream/batch/${id}`)).status).toBe(404)
})
