/** Handler fixtures: what simulated workers do with the jobs of a queue. */
import type { Cloud } from '../support/cloud.ts'
import { startCloud } from '../support/cloud.ts'
import { entriesOf } from '../support/faults.ts'
import { startQueue } from '../support/queue.ts'
import { worldFixture } from '../support/world-fixture.ts'

const start = (handler: object, endpoint: object = {}): Promise<Cloud> =>
  startQueue({
    handlers: [{ name: 'own', ...handler }],
    endpoint: { handler: 'own', workersMax: 1, ...endpoint },
  })

/** Runs a job for a minute, and resolves to what its caller sees. */
async function run(cloud: Cloud, input: unknown = { job: 1 }) {
  const { body } = await cloud.post('/v2/e/run', { input })
  await cloud.advance('1m')
  return (await cloud.get(`/v2/e/status/${body.id}`)).body
}

test('a template is filled from the input, and a blank alone keeps its type', async () => {
  const cloud = await start({
    template: {
      url: 'https://images.example.com/{{input.id}}/{{ input.size.0 }}.png',
      sizes: '{{input.size}}',
      list: ['{{input.id}}', '{{job.retries}}'],
      same: '{{input.nothing}}',
    },
  })
  const { output } = await run(cloud, { id: 7, size: [512, 768], nothing: null })
  expect(output).toEqual({
    url: 'https://images.example.com/7/512.png',
    sizes: [512, 768],
    list: [7, 0],
    same: null,
  })
})

test('a job that lacks what its template needs fails, and says what is missing', async () => {
  const cloud = await start({ template: 'for {{input.user.name}}, {{input.constructor}}' })
  expect(await run(cloud, { user: {} })).toMatchObject({
    status: 'FAILED',
    error: "the handler's template needs input.user.name, input.constructor",
  })
})

test('outcomes come in sequence, the last for all that follow', async () => {
  const cloud = await start({ sequence: [{ output: 1 }, { error: 'two' }, { output: 3 }] })
  const seen: unknown[] = []
  for (let job = 0; job < 4; job++) {
    const { output, error } = await run(cloud, { job })
    seen.push(output ?? error)
  }
  expect(seen).toEqual([1, 'two', 3, 3])
})

test('a sequence may begin again, and each endpoint counts for itself', async () => {
  const handlers = [{ name: 'own', sequence: [{ output: 'a' }, { output: 'b' }], repeat: true }]
  const shared = { container: { image: 'x' }, gpuTypeIds: ['NVIDIA L4'], handler: 'own' }
  const endpoints = ['e', 'f'].map((id) => ({ id, name: id, ...shared }))
  const cloud = await startCloud(worldFixture({ endpoints }, handlers))
  expect((await run(cloud)).output).toBe('a')
  await cloud.post('/v2/f/run', { input: 1 })
  expect((await run(cloud)).output).toBe('b')
  expect((await run(cloud)).output).toBe('a')
  const usage = cloud.world().usage
  expect([usage.require('e').handlerCalls, usage.require('f').handlerCalls]).toEqual([
    { '-1': 3 },
    { '-1': 1 },
  ])
})

test('a handler can fail at first and succeed then', async () => {
  const cloud = await start({ failFirst: { times: 2, error: 'not yet' }, output: 'done' })
  expect(await run(cloud)).toMatchObject({ status: 'FAILED', error: 'not yet' })
  expect(await run(cloud)).toMatchObject({ status: 'FAILED' })
  expect(await run(cloud)).toMatchObject({ status: 'COMPLETED', output: 'done' })
})

test('an attempt that is lost counts too: the next one is tried on what comes next', async () => {
  const cloud = await start({ sequence: [{ ends: 'crash' }, { output: 'second' }] })
  expect(await run(cloud)).toMatchObject({ status: 'COMPLETED', output: 'second', retries: 1 })
})

test('a case answers the inputs that it fits, with a count of its own', async () => {
  const cloud = await start({
    cases: [
      { when: { kind: 'image', size: [1, 1] }, output: 'small image' },
      { when: { kind: 'image' }, sequence: [{ output: 'first' }, { output: 'later' }] },
      { when: 'text', template: '{{input}}!' },
    ],
  })
  expect((await run(cloud, { kind: 'image', size: [1, 1], more: true })).output).toBe('small image')
  expect((await run(cloud, { kind: 'image', size: [1, 1, 1] })).output).toBe('first')
  expect((await run(cloud, { kind: 'image' })).output).toBe('later')
  expect((await run(cloud, 'text')).output).toBe('text!')
  expect((await run(cloud, { kind: 'other' })).output).toEqual({ kind: 'other' })
})

test('progress and chunks are spread over the time that a job takes', async () => {
  const cloud = await start({
    logs: ['loading'],
    progress: ['a third'],
    stream: ['chunk'],
    output: 'all',
    delayMs: 3_000,
  })
  await run(cloud, 'warm up')
  const { body } = await cloud.post('/v2/e/run', { input: 1 })
  const status = async () => (await cloud.get(`/v2/e/status/${body.id}`)).body
  await cloud.advance(1_500)
  const startedAfterMs = (await status()).delayTime
  await cloud.advance(startedAfterMs)
  expect(await status()).toMatchObject({ status: 'IN_PROGRESS', output: 'a third' })
  await cloud.advance(1_500)
  expect(await status()).toMatchObject({ status: 'COMPLETED', output: 'all', executionTime: 3_000 })
  expect((await cloud.get(`/v2/e/stream/${body.id}`)).body.stream).toEqual([{ output: 'chunk' }])
})

test('a worker can run out of memory, and a job can hang until its time limit', async () => {
  const oom = await start({ ends: 'oom' })
  expect(await run(oom)).toMatchObject({ status: 'FAILED', retries: 1 })
  expect(entriesOf(oom, 'worker.crashed')[0]?.detail).toMatchObject({
    why: 'out of memory, exit code 137',
  })
  const hang = await start({ ends: 'hang' }, { executionTimeoutMs: 30_000 })
  expect(await run(hang)).toMatchObject({ status: 'FAILED', error: 'executionTimeout exceeded' })
})

test('an output can be as large as it is asked to be', async () => {
  const cloud = await start({ outputBytes: 1_234 })
  expect((await run(cloud)).output).toHaveLength(1_234)
})

test.each([
  ['two ends', { output: 1, error: 'e' }, 'error: contradicts output'],
  ['two ends in a case', { cases: [{ when: 1, ends: 'hang', template: 't' }] }, 'cases[0].ends: '],
  ['more than its sequence', { sequence: [{}], output: 1 }, 'output: has no effect beside a'],
  ['a repetition of nothing', { repeat: true }, 'repeat: needs a sequence'],
  ['an end there is not', { ends: 'explode' }, "ends: must be one of 'crash', 'oom', 'hang'"],
  ['words beside a model', { openai: { model: 'm', text: 't' }, cases: [{ when: 1 }] }, 'cases: '],
])('a handler with %s is refused, with its place', async (_what, handler, message) => {
  await expect(start(handler)).rejects.toThrow(message)
})

test('a template knows who did the job', async () => {
  const cloud = await start({ template: '{{worker.image}} in version {{worker.version}}' })
  expect((await run(cloud)).output).toBe('example/handler:1 in version 1')
})

describe('a handler that returns an error', () => {
  test.each([
    ['with more beside it', { error: 'no', code: 7 }, { error: 'no', output: { code: 7 } }],
    ['alone', { error: 'no' }, { error: 'no' }],
    ['that is an object', { error: { code: 7 } }, { error: '{"code":7}' }],
  ])('%s fails its job', async (_, output, expected) => {
    const cloud = await start({ output })
    const { id, status, delayTime, executionTime, workerId, ...found } = await run(cloud)
    expect([status, found]).toEqual(['FAILED', expected])
  })

  test('that is empty, or in a list, does not', async () => {
    expect((await run(await start({ output: { error: '' } }))).status).toBe('COMPLETED')
    expect((await run(await start({ output: [{ error: 'no' }] }))).status).toBe('COMPLETED')
  })

  test('by the words of the mock worker likewise', async () => {
    const job = await run(await start({}), { mock_return: { error: 'no', code: 7 } })
    expect(job).toMatchObject({ status: 'FAILED', error: 'no', output: { code: 7 } })
  })
})
