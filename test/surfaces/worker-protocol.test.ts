/** What programs that do the jobs say to the queue, and what it says to them. */
import type { EmulatorOptions } from '../../src/emulator/options.ts'
import { saveWorld } from '../../src/world/snapshot.ts'
import { type Cloud, startCloud } from '../support/cloud.ts'
import { createWorker, type TestWorker } from '../support/worker.ts'

/** A world whose endpoint `e` has only workers that join it. */
const startQueue = (options: EmulatorOptions = {}): Promise<Cloud> =>
  startCloud({ workers: { e: 'attached' }, ...options })

async function startWithWorker(
  options: EmulatorOptions = {},
): Promise<{ cloud: Cloud; worker: TestWorker }> {
  const cloud = await startQueue(options)
  return { cloud, worker: createWorker(cloud, 'e', 'w1') }
}

const run = async ({ post }: Cloud, input: unknown = { x: 1 }, more: object = {}) =>
  (await post('/v2/e/run', { input, ...more })).body.id as string
const status = async ({ get }: Cloud, id: string) => (await get(`/v2/e/status/${id}`)).body
const workersOf = (cloud: Cloud) => cloud.world().queues.of('e').workerCount
const health = async ({ get }: Cloud) => (await get('/v2/e/health')).body

/** A job that the worker has taken. */
async function taken({ cloud, worker }: { cloud: Cloud; worker: TestWorker }, more: object = {}) {
  const id = await run(cloud, { x: 1 }, more)
  expect((await worker.take()).body.id).toBe(id)
  return id
}

describe('a job goes to the worker that asks', () => {
  test('one that waits in the queue is the answer at once, with what its caller sent for it', async () => {
    const { cloud, worker } = await startWithWorker()
    const s3Config = { accessId: 'a', accessSecret: 'b', bucketName: 'c', endpointUrl: 'd' }
    const webhook = 'http://127.0.0.1:9/none'
    const id = await run(cloud, { x: 1 }, { webhook, s3Config })
    const { status: code, body } = await worker.take()
    expect(code).toBe(200)
    expect(body).toEqual({ id, input: { x: 1 }, webhook, s3Config })
    expect(await status(cloud, id)).toMatchObject({ status: 'IN_PROGRESS', workerId: 'w1' })
  })

  test('a worker that asks first is held, and answered by the next job', async () => {
    const { cloud, worker } = await startWithWorker()
    const answer = worker.take()
    const id = await run(cloud)
    expect((await answer).body).toEqual({ id, input: { x: 1 } })
  })

  test('a question that nothing answers is over after half a minute, with 204', async () => {
    const { cloud, worker } = await startWithWorker()
    const answers = Promise.all([worker.take(), worker.stop()])
    await cloud.advance('30s')
    expect((await answers).map((answer) => answer.status)).toEqual([204, 204])
  })

  test('a worker that asks again is let go of its first question, and has one job, not two', async () => {
    const { cloud, worker } = await startWithWorker()
    const [first, second] = [worker.take(), worker.take()]
    const id = await run(cloud)
    await run(cloud)
    expect((await first).status).toBe(204)
    expect((await second).body.id).toBe(id)
    expect(await health(cloud)).toMatchObject({ jobs: { inProgress: 1, inQueue: 1 } })
  })

  test('a batch is as many as there are, up to as many as were asked for', async () => {
    const { cloud, worker } = await startWithWorker()
    const ids = [await run(cloud), await run(cloud), await run(cloud)]
    const first = await worker.take(2)
    expect(first.body.map(({ id }: { id: string }) => id)).toEqual(ids.slice(0, 2))
    expect((await worker.take(5)).body).toHaveLength(1)
    expect(cloud.world().workers.require('w1').status).toBe('RUNNING')
  })

  test('what an address without a query makes of the parameters is understood', async () => {
    const { cloud } = await startWithWorker()
    const id = await run(cloud)
    const headers = { authorization: 'test-key' }
    const path = '/v2/e/job-take-batch/w1&batch_size=3&job_in_progress=0'
    expect((await cloud.get(path, headers)).body).toHaveLength(1)
    const done = await cloud.post(`/v2/e/job-done/w1/${id}&isStream=false`, { output: 1 }, headers)
    expect(done.status).toBe(200)
    expect(await status(cloud, id)).toMatchObject({ status: 'COMPLETED', output: 1 })
  })

  test('of two workers that ask, the one that was busy last gets the job', async () => {
    const { cloud, worker } = await startWithWorker()
    const first = await taken({ cloud, worker })
    const other = createWorker(cloud, 'e', 'w2')
    const waiting = other.take()
    await cloud.advance(1_000)
    await worker.done(first, { output: 1 })
    const answer = worker.take()
    const next = await run(cloud)
    expect((await answer).body.id).toBe(next)
    await run(cloud)
    expect((await waiting).status).toBe(200)
  })

  test('an empty input, which the platform drops, is lost by its worker and fails after one retry', async () => {
    const { cloud, worker } = await startWithWorker()
    const id = await run(cloud, {})
    expect((await worker.take()).body).toEqual({ id })
    const again = worker.take()
    await cloud.advance('20s')
    expect((await again).body).toEqual({ id })
    await cloud.advance('20s')
    expect(await status(cloud, id)).toMatchObject({
      status: 'FAILED',
      error: 'job timed out after 1 retries',
      retries: 1,
    })
  })
})

describe('a worker reports on its job', () => {
  test.each([
    ['a value', { output: [1, 'ü'] }, { status: 'COMPLETED', output: [1, 'ü'] }],
    ['nothing', { output: null }, { status: 'COMPLETED', output: null }],
    ['an empty object', {}, { status: 'COMPLETED' }],
    [
      'an error and an output',
      { error: 'soft', output: { detail: 1 } },
      { status: 'FAILED', error: 'soft', output: { detail: 1 } },
    ],
    ['an error that is an object', { error: { a: 1 } }, { status: 'FAILED', error: '{"a":1}' }],
    ['an error that is empty', { error: '', output: 1 }, { status: 'COMPLETED', output: 1 }],
  ])('%s', async (_name, body, shown) => {
    const both = await startWithWorker()
    const id = await taken(both)
    await both.cloud.advance(1_200)
    expect(await both.worker.done(id, body)).toMatchObject({ status: 200, body: {} })
    const job = await status(both.cloud, id)
    expect(job).toMatchObject({ ...shown, workerId: 'w1', executionTime: 1_200, delayTime: 0 })
    expect('output' in job).toBe('output' in shown)
    expect(await health(both.cloud)).toMatchObject({
      jobs: { inProgress: 0 },
      workers: { idle: 1 },
    })
  })

  test('progress shows while the job runs, and changes nothing once it has ended', async () => {
    const both = await startWithWorker()
    const id = await taken(both)
    const progress = (output: string) => both.worker.done(id, { status: 'IN_PROGRESS', output })
    await progress('half way')
    expect(await status(both.cloud, id)).toMatchObject({
      status: 'IN_PROGRESS',
      output: 'half way',
    })
    await both.worker.done(id, { output: 'all' })
    expect((await progress('late')).status).toBe(200)
    expect(await status(both.cloud, id)).toMatchObject({ status: 'COMPLETED', output: 'all' })
  })

  test('what it streams is there for the next reader, and without collecting it there is no output', async () => {
    const both = await startWithWorker()
    const id = await taken(both)
    const read = async () => (await both.cloud.get(`/v2/e/stream/${id}`)).body
    await both.worker.stream(id, { output: { word: 'one' } })
    expect(await read()).toEqual({ status: 'IN_PROGRESS', stream: [{ output: { word: 'one' } }] })
    await both.worker.stream(id, { output: 'two' })
    await both.worker.done(id, { output: [] }, 'isStream=true')
    expect(await read()).toEqual({ status: 'COMPLETED', stream: [{ output: 'two' }] })
    expect(await read()).toEqual({ status: 'COMPLETED', stream: [] })
    expect(await status(both.cloud, id)).not.toHaveProperty('output')
  })

  test('a result that is said twice is taken once', async () => {
    const both = await startWithWorker()
    const id = await taken(both)
    await both.worker.done(id, { output: 1 })
    expect((await both.worker.done(id, { output: 2 })).status).toBe(200)
    expect(await status(both.cloud, id)).toMatchObject({ output: 1 })
    expect((await health(both.cloud)).jobs.completed).toBe(1)
  })

  test('a worker that asks to be refreshed is let go after its last job', async () => {
    const { cloud, worker } = await startWithWorker()
    const ids = [await run(cloud), await run(cloud)] as const
    await worker.take(2)
    await worker.done(ids[0], { output: 1, stopPod: true })
    const more = worker.take()
    await run(cloud)
    expect(cloud.world().workers.require('w1').status).toBe('RUNNING')
    await worker.done(ids[1], { output: 1 })
    expect((await more).status).toBe(204)
    expect(workersOf(cloud)).toBe(0)
  })

  test('a result above the limit is refused, and its job has none', async () => {
    const both = await startWithWorker({ limits: 'on' })
    const id = await taken(both)
    const refused = await both.worker.done(id, { output: 'x'.repeat(11 * 1_048_576) })
    expect(refused.status).toBe(400)
    const job = await status(both.cloud, id)
    expect(job.status).toBe('COMPLETED')
    expect(job).not.toHaveProperty('output')
  })
})

describe('a worker is told to stop', () => {
  test('a job that was cancelled, and what it posts of it is not taken', async () => {
    const both = await startWithWorker()
    const id = await taken(both)
    const stop = both.worker.stop()
    expect((await both.cloud.post(`/v2/e/cancel/${id}`, {})).body.status).toBe('CANCELLED')
    expect((await stop).body).toEqual({ jobsToStop: [id] })
    expect((await both.worker.done(id, { output: 1 })).status).toBe(200)
    expect(await status(both.cloud, id)).toMatchObject({ status: 'CANCELLED' })
  })

  test('a job that takes too long: it fails, and its worker hears of it', async () => {
    const both = await startWithWorker()
    const id = await taken(both, { policy: { executionTimeout: 5_000 } })
    const stop = both.worker.stop()
    await both.cloud.advance('5s')
    expect((await stop).body).toEqual({ jobsToStop: [id] })
    const job = { status: 'FAILED', error: 'executionTimeout exceeded', executionTime: 5_000 }
    expect(await status(both.cloud, id)).toMatchObject(job)
  })

  test('a job that is past its time to live: its result finds nobody', async () => {
    const both = await startWithWorker()
    const id = await taken(both, { policy: { ttl: 10_000 } })
    await both.cloud.advance('5s')
    await both.worker.ping([id])
    await both.cloud.advance('5s')
    expect((await both.worker.stop()).body).toEqual({ jobsToStop: [id] })
    expect((await both.worker.done(id, { output: 1 })).status).toBe(404)
  })

  test('one that goes on regardless is replaced', async () => {
    const both = await startWithWorker()
    const id = await taken(both)
    await both.cloud.post(`/v2/e/cancel/${id}`, {})
    for (let ping = 0; ping < 3; ping++) await both.worker.ping([id])
    expect(workersOf(both.cloud)).toBe(1)
    await both.worker.ping([id])
    expect(workersOf(both.cloud)).toBe(0)
  })
})

describe('a worker is lost', () => {
  test('when it was heard of and then is not: its job goes to another, once', async () => {
    const both = await startWithWorker()
    const id = await taken(both)
    await both.worker.ping([id])
    await both.cloud.advance('7s')
    await both.worker.ping([id])
    await both.cloud.advance('7s')
    expect(await status(both.cloud, id)).toMatchObject({ status: 'IN_PROGRESS' })
    const other = createWorker(both.cloud, 'e', 'w2')
    const answer = other.take()
    await both.cloud.advance('1s')
    expect((await answer).body.id).toBe(id)
    expect(await status(both.cloud, id)).toMatchObject({ status: 'IN_PROGRESS', retries: 1 })
    expect((await health(both.cloud)).jobs.retried).toBe(1)
    expect(both.cloud.world().workers.find('w1')).toBeUndefined()

    expect((await both.worker.done(id, { output: 'late' })).status).toBe(404)
    await other.done(id, { output: 'good' })
    expect(await status(both.cloud, id)).toMatchObject({ status: 'COMPLETED', output: 'good' })
  })

  test('when it never said that it lives, as soon as any other: it has its job for so long', async () => {
    const both = await startWithWorker()
    const id = await taken(both)
    await both.cloud.advance('7s')
    expect(await status(both.cloud, id)).toMatchObject({ status: 'IN_PROGRESS' })
    await both.cloud.advance('1s')
    expect(await status(both.cloud, id)).toMatchObject({ status: 'IN_QUEUE', retries: 1 })
    expect(workersOf(both.cloud)).toBe(0)
    expect((await both.worker.done(id, { output: 'late' })).status).toBe(404)
  })

  test('and what it reports on its job counts as a sign of life', async () => {
    const both = await startWithWorker()
    const id = await taken(both)
    await both.cloud.advance('7s')
    await both.worker.done(id, { status: 'IN_PROGRESS', output: 'half way' })
    await both.cloud.advance('7s')
    expect(await status(both.cloud, id)).toMatchObject({ status: 'IN_PROGRESS' })
  })

  test('and a job that is lost twice fails', async () => {
    const both = await startWithWorker()
    const id = await taken(both)
    await both.worker.ping([id])
    await both.cloud.advance('8s')
    const other = createWorker(both.cloud, 'e', 'w2')
    expect((await other.take()).body.id).toBe(id)
    await other.ping([id])
    await both.cloud.advance('8s')
    const error = 'job timed out after 1 retries'
    expect(await status(both.cloud, id)).toMatchObject({ status: 'FAILED', error, retries: 1 })
  })

  test('a job that its worker does not name any more is lost alone', async () => {
    const { cloud, worker } = await startWithWorker()
    const ids = [await run(cloud), await run(cloud)]
    await worker.take(2)
    for (let ping = 0; ping < 4; ping++) await worker.ping(ids.slice(0, 1))
    await cloud.advance(0)
    expect(await status(cloud, ids[0] ?? '')).toMatchObject({ status: 'IN_PROGRESS' })
    expect(await status(cloud, ids[1] ?? '')).toMatchObject({ status: 'IN_QUEUE', retries: 1 })
  })

  test('one that does nothing but wait is there until it stops asking', async () => {
    const { cloud, worker } = await startWithWorker()
    const answer = worker.take()
    await cloud.advance('29s')
    expect((await health(cloud)).workers.idle).toBe(1)
    await cloud.advance('1s')
    await answer
    await cloud.advance('8s')
    expect((await health(cloud)).workers.idle).toBe(0)
    const again = worker.take()
    expect((await health(cloud)).workers.idle).toBe(1)
    const id = await run(cloud)
    expect((await again).body.id).toBe(id)
  })

  test('one whose own check fails takes no more jobs', async () => {
    const both = await startWithWorker()
    const waiting = both.worker.take()
    const path = '/v2/e/ping/w1?status=unhealthy&check=disk&reason=full'
    expect((await both.cloud.get(path)).status).toBe(200)
    expect((await waiting).status).toBe(204)
    expect(workersOf(both.cloud)).toBe(0)
  })
})

describe('a worker is refused', () => {
  const secret = 'rpa_READER'

  async function expectRefused(
    { cloud }: { cloud: Cloud },
    answer: Promise<{ status: number; text: string }>,
    code: number,
    words: string,
  ) {
    const before = cloud.world().timeline.entryCount
    const { status: found, text } = await answer
    expect(`${found} ${text}`).toContain(words)
    expect(found).toBe(code)
    expect(cloud.world().timeline.entryCount).toBe(before)
  }

  test('without a key, or with one that opens something else', async () => {
    const both = await startWithWorker()
    const other = both.cloud.world().endpoints.require('demo').aiKey
    const own = both.cloud.world().endpoints.require('e').aiKey
    const none = createWorker(both.cloud, 'e', 'w2', { authorization: undefined })
    const wrong = createWorker(both.cloud, 'e', 'w2', { authorization: other })
    const right = createWorker(both.cloud, 'e', 'w2', { authorization: own })
    await expectRefused(both, none.take(), 401, 'no token provided')
    await expectRefused(both, wrong.take(), 403, 'access denied')
    await run(both.cloud)
    expect((await right.take()).status).toBe(200)
  })

  test('with a key that nobody knows, where only known keys are let in; its own is known', async () => {
    const both = await startWithWorker({ auth: 'strict' })
    const own = { authorization: both.cloud.world().endpoints.require('e').aiKey }
    await expectRefused(both, both.worker.take(), 401, 'invalid api key')
    const stop = createWorker(both.cloud, 'e', 'w2', own).stop()
    await both.cloud.advance('30s')
    expect((await stop).status).toBe(204)
    expect(secret).not.toBe(own.authorization)
  })

  test('at an endpoint that is not there, or not its own, or has no queue', async () => {
    const both = await startWithWorker()
    await taken(both)
    const at = (endpointId: string) => createWorker(both.cloud, endpointId, 'w1').take()
    await expectRefused(both, at('nowhere'), 404, 'endpoint not found')
    await expectRefused(both, at('demo'), 409, 'worker w1 is one of another endpoint')
    await expectRefused(both, at('demolb'), 400, 'not allowed for QB API')
  })

  test('under the name of a worker that is simulated', async () => {
    const both = await startWithWorker()
    await both.cloud.post('/v2/demo/run', { input: 1 })
    const id = both.cloud.world().workers.where(({ endpointId }) => endpointId === 'demo')[0]?.id
    const taking = createWorker(both.cloud, 'demo', id ?? '').take()
    await expectRefused(both, taking, 409, 'is simulated')
  })

  test('when it speaks of a job that is not its own', async () => {
    const both = await startWithWorker()
    const id = await taken(both)
    const other = createWorker(both.cloud, 'e', 'w2')
    const waiting = await run(both.cloud)
    const [mine] = [(await other.take()).body.id]
    expect(mine).toBe(waiting)
    await expectRefused(both, other.done(id, { output: 1 }), 409, `job ${id} is not at worker w2`)
    await expectRefused(both, other.stream(id, { output: 1 }), 409, 'is not at worker w2')
    await expectRefused(both, other.done('nothing', { output: 1 }), 404, 'job not found')
    const stranger = createWorker(both.cloud, 'e', 'w3')
    await expectRefused(both, stranger.done(id, {}), 404, 'endpoint e has no worker w3')
    expect(await status(both.cloud, id)).toMatchObject({ status: 'IN_PROGRESS' })
  })

  test('when what it posts is not JSON, or no object', async () => {
    const both = await startWithWorker()
    const id = await taken(both)
    await expectRefused(both, both.worker.done(id, 'output=1'), 400, 'the body is not JSON')
    await expectRefused(both, both.worker.done(id, '[1]'), 400, 'object')
    await expectRefused(both, both.worker.done(id, '{"output": NaN}'), 400, 'the body is not JSON')
    expect(await status(both.cloud, id)).toMatchObject({ status: 'IN_PROGRESS' })
  })
})

describe('a fault strikes the job of a program', () => {
  const strike = ({ post }: Cloud, kind: string) =>
    post('/_emulator/faults', { effect: { kind }, resource: 'e', times: 1 })
  const crashes = ({ world }: Cloud) =>
    world().timeline.past.flatMap(({ kind, detail }) =>
      kind === 'worker.crashed' || kind === 'worker.removed' ? [detail?.why] : [],
    )

  async function startOwn(kind: string) {
    const cloud = await startCloud({ workers: { e: 'true' } })
    expect((await strike(cloud, kind)).status).toBe(201)
    const id = await run(cloud, { x: 1 }, { policy: { executionTimeout: 5_000 } })
    await cloud.advance('1s')
    const [own] = cloud.world().queues.workersOf('e')
    return { cloud, id, worker: createWorker(cloud, 'e', own?.id ?? '') }
  }

  test.each([
    ['crash-job', 'killed by SIGKILL'],
    ['oom-job', 'out of memory, exit code 137'],
  ])('%s kills it, and the job is tried once more', async (kind, why) => {
    const { cloud, id, worker } = await startOwn(kind)
    expect((await worker.take()).status).toBe(204)
    expect(crashes(cloud)).toEqual([why])
    expect(await status(cloud, id)).toMatchObject({ status: 'IN_PROGRESS' })
    await cloud.advance('3s')
    expect(await status(cloud, id)).toMatchObject({ status: 'IN_QUEUE', retries: 1 })
  })

  test('hang-job: nothing that it says is heard, until the job’s time is up and it is ended', async () => {
    const { cloud, id, worker } = await startOwn('hang-job')
    expect((await worker.take()).body.id).toBe(id)
    for (let ping = 0; ping < 5; ping++) await worker.ping([])
    expect((await worker.done(id, { output: 'late' })).status).toBe(200)
    await cloud.advance('4999ms')
    expect(await status(cloud, id)).toMatchObject({ status: 'IN_PROGRESS' })
    await cloud.advance(1)
    const ended = { status: 'FAILED', error: 'executionTimeout exceeded' }
    expect(await status(cloud, id)).toMatchObject(ended)
    expect(crashes(cloud)).toEqual(['execution timeout'])
  })

  test('crash-job lets go of one that somebody else started, which may join again', async () => {
    const both = await startWithWorker()
    await strike(both.cloud, 'crash-job')
    const id = await run(both.cloud)
    expect((await both.worker.take()).status).toBe(204)
    expect(workersOf(both.cloud)).toBe(0)
    await both.cloud.advance('3s')
    expect((await both.worker.take()).body.id).toBe(id)
  })

  test('hang-job ends with the job for one that somebody else started', async () => {
    const both = await startWithWorker()
    await strike(both.cloud, 'hang-job')
    const id = await taken(both, { policy: { executionTimeout: 5_000 } })
    await both.worker.done(id, { output: 'late' })
    await both.cloud.advance('5s')
    expect(await status(both.cloud, id)).toMatchObject({ status: 'FAILED' })
    const next = await run(both.cloud)
    expect((await both.worker.take()).body.id).toBe(next)
  })
})

test('workers that joined and simulated ones share an endpoint', async () => {
  const cloud = await startCloud()
  const worker = createWorker(cloud, 'demo', 'mine')
  const answer = worker.take()
  const submit = async () => (await cloud.post('/v2/demo/run', { input: { x: 1 } })).body.id
  const mine = await submit()
  expect((await answer).body.id).toBe(mine)
  const theirs = await submit()
  await cloud.advance('6s')
  expect((await cloud.get(`/v2/demo/status/${theirs}`)).body.status).toBe('COMPLETED')
  const { workers } = (await cloud.get('/v2/serverless/demo/workers')).body
  expect(workers).toMatchObject([{ id: 'mine', status: 'RUNNING' }, { status: expect.any(String) }])
  expect(cloud.world().ledger.size).toBe(0)
})

test('a world that begins again lets go of workers that ask', async () => {
  const { cloud, worker } = await startWithWorker()
  const answers = Promise.all([worker.take(), worker.stop()])
  cloud.emulator.reset()
  expect((await answers).map((answer) => answer.status)).toEqual([204, 204])
  expect(workersOf(cloud)).toBe(0)
})

test('a world that was saved goes on without its programs: what they had is lost, and tried again', async () => {
  const both = await startWithWorker()
  const id = await taken(both)
  const { world, emulator } = both.cloud
  emulator.load(emulator.main, structuredClone(saveWorld(world())))
  expect(workersOf(both.cloud)).toBe(0)
  await both.cloud.advance('2s')
  expect(await status(both.cloud, id)).toMatchObject({ status: 'IN_QUEUE', retries: 1 })
  expect((await both.worker.take()).body.id).toBe(id)
})

describe('a worker that the platform started', () => {
  /** Its process is not started in a world without an address; the test speaks in its place. */
  async function startOwn() {
    const cloud = await startCloud({ workers: { e: 'true' } })
    const id = await run(cloud, { x: 1 }, { policy: { executionTimeout: 5_000 } })
    await cloud.advance('1s')
    const [own] = cloud.world().queues.workersOf('e')
    return { cloud, id, own, worker: createWorker(cloud, 'e', own?.id ?? '') }
  }

  test('is ready with its first question, and not before', async () => {
    const { cloud, id, own, worker } = await startOwn()
    expect(own).toMatchObject({ status: 'INITIALIZING', stage: 'boot' })
    expect((await worker.take()).body.id).toBe(id)
    expect((await health(cloud)).workers).toMatchObject({ initializing: 0, running: 1 })
  })

  test('is not joined by strangers: one of those may be what was left of an earlier world', async () => {
    const { cloud } = await startOwn()
    const stranger = createWorker(cloud, 'e', 'stranger')
    expect(await stranger.take()).toMatchObject({ status: 404 })
    expect(workersOf(cloud)).toBe(1)
  })

  test('is given up when it is not ready within seven minutes', async () => {
    const { cloud, own } = await startOwn()
    await cloud.advance('7m')
    const crash = cloud.world().timeline.past.find(({ kind }) => kind === 'worker.crashed')
    expect(crash).toMatchObject({ id: own?.id, detail: { why: 'it was not ready in time' } })
  })

  test('is stopped when its job takes too long, and what became of the job stays to be read', async () => {
    const { cloud, id, own, worker } = await startOwn()
    await worker.take()
    await cloud.advance('5s')
    expect(cloud.world().workers.find(own?.id ?? '')).toBeUndefined()
    await cloud.advance('20s')
    const ended = { status: 'FAILED', error: 'executionTimeout exceeded' }
    expect(await status(cloud, id)).toMatchObject(ended)
    const asked = worker.take()
    await cloud.advance('1s')
    expect((await asked).status).toBe(204)
  })
})
