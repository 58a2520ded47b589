/** Load-balancing endpoints: any path, answered by a worker that is up. */
import { startCloud } from '../support/cloud.ts'

test('/ping answers once a worker is up, and says which worker it was', async () => {
  const { get, advance, world } = await startCloud()
  const answer = get('/v2/demolb/ping')
  await advance('2s')
  const [worker] = world().workers.where(({ endpointId }) => endpointId === 'demolb')
  expect(await answer).toMatchObject({
    status: 200,
    headers: { 'x-runpod-worker-id': worker?.id },
  })
})

test('custom paths are the handler fixture’s, and one it does not know is the worker’s own 404', async () => {
  const { get, post, advance } = await startCloud()
  await advance('2s')
  const generate = post('/v2/demolb/generate', { prompt: 'x' })
  const unknown = get('/v2/demolb/no/such/path')
  await advance('1m')
  expect((await generate).status).toBe(200)
  expect(await unknown).toMatchObject({ status: 404, body: { detail: 'Not Found' } })
})

test('a request waits two minutes for a worker and is then refused', async () => {
  const { get, patch, advance } = await startCloud()
  await patch('/v2/serverless/demolb', { workers: { min: 0, max: 0 } })
  let answered = false
  const answer = get('/v2/demolb/ping').then((reply) => {
    answered = true
    return reply
  })
  await advance(119_999)
  expect(answered).toBe(false)
  await advance(1)
  expect(await answer).toMatchObject({ status: 400, body: { error: 'no workers available' } })
})

test('the refusal can be a 503, for those who were told so', async () => {
  const { get, patch, advance } = await startCloud({ fidelity: { lbNoWorkerStatus: '503' } })
  await patch('/v2/serverless/demolb', { workers: { min: 0, max: 0 } })
  const answer = get('/v2/demolb/ping')
  await advance('2m')
  expect((await answer).status).toBe(503)
})

test('queue operations are refused on a load balancer, and its paths on a queue', async () => {
  const { post, get } = await startCloud()
  const refusal = { status: 400, body: { error: 'not allowed for QB API' } }
  expect(await post('/v2/demolb/run', { input: 1 })).toMatchObject(refusal)
  expect(await get('/v2/demo/generate')).toMatchObject(refusal)
})

test('many requests at once bring more workers, and those go again', async () => {
  const { post, patch, advance, world } = await startCloud()
  await patch('/v2/serverless/demolb', { workers: { min: 0, max: 3, idleTimeout: 5 } })
  const answers = Array.from({ length: 9 }, () => post('/v2/demolb/generate', {}))
  await advance('1m')
  for (const answer of answers) expect((await answer).status).toBe(200)
  const created = world().timeline.past.filter(
    ({ kind, detail }) => kind === 'worker.created' && detail?.endpointId === 'demolb',
  )
  expect(created.length).toBeGreaterThanOrEqual(3)
  expect(world().queues.of('demolb').workerCount).toBe(0)
})

test('a request whose endpoint is deleted gets an answer', async () => {
  const { get, delete: remove } = await startCloud()
  const answer = get('/v2/demolb/ping')
  await remove('/v2/serverless/demolb')
  expect((await answer).status).toBe(400)
})
