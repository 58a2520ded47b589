/** The request address of queue endpoints, with simulated workers. */
import { startCloud } from '../support/cloud.ts'

test('a cold endpoint starts one worker, runs the job, and lets the worker go when it idles', async () => {
  const { post, get, advance, world } = await startCloud()
  const { body } = await post('/v2/demo/run', { input: { n: 1 } })
  expect(body).toEqual({ id: expect.stringMatching(/^[0-9a-f-]{36}-u1$/), status: 'IN_QUEUE' })
  const cold = await get('/v2/demo/health')
  expect(cold.body.workers).toMatchObject({ initializing: 1, ready: 0, running: 0 })

  await advance('2s')
  const done = await get(`/v2/demo/status/${body.id}`)
  expect(done.body).toEqual({
    delayTime: expect.any(Number),
    executionTime: expect.any(Number),
    id: body.id,
    output: { n: 1 },
    status: 'COMPLETED',
    workerId: expect.stringMatching(/^[a-z0-9]{14}$/),
  })
  expect((await get('/v2/demo/health')).body).toMatchObject({
    jobs: { completed: 1, failed: 0, inProgress: 0, inQueue: 0, retried: 0 },
    workers: { idle: 1, ready: 1, running: 0 },
  })

  await advance('10s')
  expect((await get('/v2/demo/health')).body.workers.idle).toBe(0)
  expect(world().workers.size).toBe(world().endpoints.require('demolb').spec.workersMin)
})

test('nothing of a job is left pending once its result has expired and its worker has gone', async () => {
  const { post, advance, world, delete: remove } = await startCloud()
  await remove('/v2/serverless/demolb')
  await post('/v2/demo/run', { input: 1 })
  await advance('31m')
  const kinds = new Set(world().timeline.pending.map(({ event }) => event.kind))
  // Whether anybody still uses an endpoint is looked at for as long as it lives, and the balance for
  // as long as it goes down.
  expect([...kinds]).toEqual(['endpoint.unused-due', 'balance.due'])
  expect(world().jobs.size).toBe(0)
})

test('runsync answers with the result once it is there', async () => {
  const { post, advance } = await startCloud()
  const answer = post('/v2/demo/runsync', { input: 'now' })
  await advance('2s')
  expect(await answer).toMatchObject({
    status: 200,
    body: { id: expect.stringMatching(/^sync-/), status: 'COMPLETED', output: 'now' },
  })
})

test('runsync hands a job over that takes longer than the wait, and status-sync brings it', async () => {
  const { post, get, advance } = await startCloud()
  const first = post('/v2/demo/runsync?wait=1000', { input: { mock_delay: 3 } })
  await advance('1s')
  const { body } = await first
  expect(body).toMatchObject({ status: 'IN_PROGRESS', id: expect.stringMatching(/^sync-/) })

  const rest = get(`/v2/demo/status-sync/${body.id}?wait=90000`)
  await advance('5s')
  expect(await rest).toMatchObject({ body: { status: 'COMPLETED', executionTime: 3_000 } })
  await advance('1m')
  expect(await get(`/v2/demo/status/${body.id}`)).toMatchObject({ status: 404 })
})

test('a result is kept for 30 minutes, to the millisecond', async () => {
  const { post, get, advance, world } = await startCloud()
  const { body } = await post('/v2/demo/run', { input: 1 })
  await advance('2s')
  const endedAtMs = world().jobs.require(body.id).endedAtMs ?? 0
  await advance(endedAtMs + 1_800_000 - 1 - world().nowMs)
  expect((await get(`/v2/demo/status/${body.id}`)).status).toBe(200)
  await advance(1)
  expect((await get(`/v2/demo/status/${body.id}`)).status).toBe(404)
})

test('a stream hands out each chunk once and ends with the status and nothing more', async () => {
  const { post, get, advance } = await startCloud()
  const { body } = await post('/v2/demo/run', { input: { mock_stream: ['a', 'b'], mock_delay: 1 } })
  await advance('1s')
  const path = `/v2/demo/stream/${body.id}`
  expect((await get(path)).body).toEqual({
    status: 'IN_PROGRESS',
    stream: [{ output: 'a' }, { output: 'b' }],
  })
  const held = get(path)
  await advance('1s')
  expect((await held).body).toEqual({ status: 'COMPLETED', stream: [] })
  expect((await get(path)).body).toEqual({ status: 'COMPLETED', stream: [] })
})

test('an empty stream is held for less than ten seconds', async () => {
  const { post, get, advance } = await startCloud()
  const { body } = await post('/v2/demo/run', { input: { mock_delay: 60 } })
  await advance('1s')
  const held = get(`/v2/demo/stream/${body.id}`)
  await advance('9999ms')
  expect((await held).body).toEqual({ status: 'IN_PROGRESS', stream: [] })
})

test('progress shows as output until the job ends', async () => {
  const { post, get, advance } = await startCloud()
  const input = {
    mock_progress: { updates: ['half'], wait_time: 1 },
    mock_return: 'done',
    mock_delay: 5,
  }
  const { body } = await post('/v2/demo/run', { input })
  await advance('3s')
  const path = `/v2/demo/status/${body.id}`
  expect((await get(path)).body).toMatchObject({ status: 'IN_PROGRESS', output: 'half' })
  await advance('10s')
  expect((await get(path)).body).toMatchObject({ status: 'COMPLETED', output: 'done' })
})

test('a handler that fails makes its job FAILED, with a text as the error', async () => {
  const { post, get, advance } = await startCloud()
  const { body } = await post('/v2/demo/run', { input: { mock_error: 'boom' } })
  await advance('2s')
  const failed = (await get(`/v2/demo/status/${body.id}`)).body
  expect(failed.status).toBe('FAILED')
  expect(JSON.parse(failed.error)).toEqual({
    error_type: "<class 'Exception'>",
    error_message: 'boom',
    error_traceback: expect.stringContaining('boom'),
    hostname: expect.stringContaining(`${failed.workerId}-`),
    worker_id: failed.workerId,
    runpod_version: '1.12.0',
  })
})

test('a job whose worker crashes is tried once more and then fails', async () => {
  const { post, get, advance } = await startCloud({ profile: 'realistic' })
  const { body } = await post('/v2/demo/run', { input: { mock_crash: true, mock_delay: 1 } })
  await advance('1h')
  expect((await get('/v2/demo/health')).body.jobs).toMatchObject({ failed: 1, retried: 1 })
  expect((await get(`/v2/demo/status/${body.id}`)).status).toBe(404)
})

test('the failure of a lost job names its retry and shows the last wait', async () => {
  const { post, get, advance } = await startCloud()
  const { body } = await post('/v2/demo/run', { input: { mock_crash: true, mock_delay: 1 } })
  await advance('20m')
  expect((await get(`/v2/demo/status/${body.id}`)).body).toMatchObject({
    status: 'FAILED',
    error: 'job timed out after 1 retries',
    retries: 1,
  })
})

test('a job that runs too long fails with the words of the platform, and its worker goes', async () => {
  const { post, get, advance, world } = await startCloud()
  const { body } = await post('/v2/demo/run', {
    input: { mock_delay: 60 },
    policy: { executionTimeout: 5_000 },
  })
  await advance('1s')
  const { workerId } = (await get(`/v2/demo/status/${body.id}`)).body
  await advance('6s')
  expect((await get(`/v2/demo/status/${body.id}`)).body).toMatchObject({
    status: 'FAILED',
    error: 'executionTimeout exceeded',
    executionTime: 5_000,
  })
  expect(world().workers.find(workerId)).toBeUndefined()
})

test('a job past its TTL is gone, waiting or running', async () => {
  const { post, get, advance } = await startCloud()
  await post('/v2/demo/run', { input: { mock_delay: 60 } })
  await post('/v2/demo/run', { input: { mock_delay: 60 } })
  await post('/v2/demo/run', { input: { mock_delay: 60 } })
  const policy = { ttl: 10_000 }
  const waiting = await post('/v2/demo/run', { input: 1, policy })
  const running = await post('/v2/demostream/run', { input: { mock_delay: 60 }, policy })
  await advance(9_999)
  expect((await get(`/v2/demo/status/${waiting.body.id}`)).body.status).toBe('IN_QUEUE')
  expect((await get(`/v2/demostream/status/${running.body.id}`)).body.status).toBe('IN_PROGRESS')
  await advance(1)
  expect((await get(`/v2/demo/status/${waiting.body.id}`)).status).toBe(404)
  expect((await get(`/v2/demostream/status/${running.body.id}`)).status).toBe(404)
  expect((await get('/v2/demostream/health')).body.workers).toMatchObject({ running: 0, idle: 1 })
})

test('cancel ends a job that waits and one that runs, and leaves one that has ended', async () => {
  const { post, get, advance } = await startCloud()
  const waiting = await post('/v2/demo/run', { input: 1 })
  expect((await post(`/v2/demo/cancel/${waiting.body.id}`)).body).toMatchObject({
    id: waiting.body.id,
    status: 'CANCELLED',
  })

  const running = await post('/v2/demo/run', { input: { mock_delay: 60 } })
  await advance('1s')
  expect((await post(`/v2/demo/cancel/${running.body.id}`, {})).body.status).toBe('CANCELLED')
  expect((await get('/v2/demo/health')).body.workers).toMatchObject({ running: 0, idle: 1 })

  const ended = await post('/v2/demo/run', { input: 1 })
  await advance('1s')
  expect((await post(`/v2/demo/cancel/${ended.body.id}`)).body.status).toBe('COMPLETED')
})

test('retry is for jobs that failed, and keeps their id', async () => {
  const { post, get, advance } = await startCloud()
  const failed = await post('/v2/demo/run', { input: { mock_error: 'x' } })
  await advance('2s')
  expect((await post(`/v2/demo/retry/${failed.body.id}`)).body).toEqual({
    id: failed.body.id,
    status: 'IN_QUEUE',
  })
  await advance('2s')
  expect((await get(`/v2/demo/status/${failed.body.id}`)).body.status).toBe('FAILED')

  const fine = await post('/v2/demo/run', { input: 1 })
  await advance('2s')
  expect(await post(`/v2/demo/retry/${fine.body.id}`)).toMatchObject({ status: 400 })
})

test('purge takes what waits off the queue and leaves what runs', async () => {
  const { post, get, advance } = await startCloud()
  const jobs = []
  for (let n = 0; n < 5; n++)
    jobs.push((await post('/v2/demo/run', { input: { mock_delay: 60 } })).body)
  await advance('1s')
  const before = (await get('/v2/demo/health')).body.jobs
  const purged = await post('/v2/demo/purge-queue', {})
  expect(purged.body).toEqual({ removed: before.inQueue, status: 'completed' })
  expect((await get('/v2/demo/health')).body.jobs).toMatchObject({
    inQueue: 0,
    inProgress: before.inProgress,
  })
})

test('an empty input never reaches the handler, as on the real platform, unless it is switched', async () => {
  const dropping = await startCloud()
  const lost = await dropping.post('/v2/demo/run', { input: {} })
  await dropping.advance('20m')
  expect((await dropping.get(`/v2/demo/status/${lost.body.id}`)).body).toMatchObject({
    status: 'FAILED',
    error: 'job timed out after 1 retries',
  })

  const accepting = await startCloud({ fidelity: { emptyInput: 'accept' } })
  const fine = await accepting.post('/v2/demo/run', { input: {} })
  await accepting.advance('2s')
  expect((await accepting.get(`/v2/demo/status/${fine.body.id}`)).body).toMatchObject({
    status: 'COMPLETED',
    output: {},
  })
})

test('workers come one after the other while jobs wait too long, up to the maximum', async () => {
  const { post, get, advance } = await startCloud()
  for (let n = 0; n < 9; n++) await post('/v2/demo/run', { input: { mock_delay: 30 } })
  await advance('1s')
  expect((await get('/v2/demo/health')).body.workers.running).toBe(1)
  await advance('10s')
  expect((await get('/v2/demo/health')).body.workers.running).toBe(3)
})

test.each([
  ['GET', '/v2/nowhere/health', 404],
  ['POST', '/v2/nowhere/run', 404],
  ['GET', '/v2/demo/status/none', 404],
  ['POST', '/v2/demolb/run', 400],
  ['POST', '/v2/demo/retry/none', 404],
])('%s %s is refused with %i', async (method, path, status) => {
  const { send, world } = await startCloud()
  const entries = world().timeline.entryCount
  const body = method === 'POST' ? { input: 1 } : undefined
  expect((await send(method, path, body)).status).toBe(status)
  expect(world().timeline.entryCount).toBe(entries)
})

test.each([
  ['no input', {}],
  ['a webhook that is no address', { input: 1, webhook: 'nowhere' }],
  ['a TTL below ten seconds', { input: 1, policy: { ttl: 9_999 } }],
  ['a time limit that is a text', { input: 1, policy: { executionTimeout: 'long' } }],
])('a job with %s is refused and nothing is queued', async (_what, body) => {
  const { post, world } = await startCloud()
  expect(await post('/v2/demo/run', body)).toMatchObject({ status: 400 })
  expect(world().jobs.size).toBe(0)
})

test('every state of a job can be read with GET and with POST', async () => {
  const { get, post, advance } = await startCloud()
  const { body } = await post('/v2/demo/run', { input: 1 })
  await advance('2s')
  expect(await post(`/v2/demo/status/${body.id}`)).toEqual(await get(`/v2/demo/status/${body.id}`))
})

test('the webhook gets the whole job, and again until it answers, three times at most', async () => {
  const { post, advance, world } = await startCloud()
  // Port 9 discards: nobody answers there.
  await post('/v2/demo/run', { input: { n: 1 }, webhook: 'http://127.0.0.1:9/hook' })
  await advance('1h')
  const [delivery] = world().deliveries.all()
  expect(delivery).toMatchObject({
    status: 'FAILED',
    attempts: [{ status: 0 }, { status: 0 }, { status: 0 }],
  })
  expect(JSON.parse(delivery?.body ?? '')).toMatchObject({
    status: 'COMPLETED',
    input: { n: 1 },
    output: { n: 1 },
    webhook: 'http://127.0.0.1:9/hook',
  })
})
