/** Playing scenarios: when steps happen, what they see, and what a failure tells. */
import { playScenario } from '../src/scenarios/library.ts'
import { describeFailure } from '../src/scenarios/report.ts'
import { play, queueStart } from './support/scenario.ts'

const run = (input: unknown = 1) => ({ path: '/v2/e/run', body: { input } })
const linesOf = (transcript: string | undefined) =>
  (transcript ?? '')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line))

test('steps happen at their times, and what one saves the next may say', async () => {
  const { result, transcript } = await play(
    {
      timeline: [
        { at: '10s', request: run({ deep: ['a'] }), save: { job: 'id' } },
        {
          after: '5s',
          request: { path: '/v2/e/status/{{job}}' },
          save: { word: 'output.deep[0]' },
        },
        { request: run('got {{word}}'), save: { second: 'id' } },
        {
          at: '1m',
          request: { path: '/v2/e/status/{{second}}' },
          expect: { body: { output: 'got a' } },
        },
      ],
    },
    { transcript: true },
  )
  expect(result).toMatchObject({ failure: null, virtualMs: 60_000, jobs: 2 })
  const steps = linesOf(transcript).filter(({ step }) => step !== undefined)
  expect(steps.map(({ atMs, status }) => [atMs, status])).toEqual([
    [10_000, 200],
    [15_000, 200],
    [15_000, 200],
    [60_000, 200],
  ])
})

test('a request that waits takes its time, unless it is sent to the background', async () => {
  const slow = { path: '/v2/e/runsync', body: { input: { mock_delay: 20, mock_return: 'done' } } }
  const done = { body: { status: 'COMPLETED', output: 'done' } }
  const waited = await play({ timeline: [{ request: slow, expect: done }] })
  expect(waited.result.failure).toBeNull()
  expect(waited.result.virtualMs).toBeGreaterThanOrEqual(20_000)
  const behind = await play({
    timeline: [
      { request: slow, background: true, expect: done, save: { job: 'id' } },
      { request: { path: '/v2/e/health' }, expect: { body: { jobs: { inQueue: 1 } } } },
      { advance: '30s' },
      { request: { path: '/v2/e/status/{{job}}' }, expect: { status: 200 } },
    ],
  })
  expect(behind.result.failure).toBeNull()
})

test('what is asked for in the background has to be answered by the end', async () => {
  const { result } = await play({
    timeline: [
      {
        request: { path: '/v2/e/runsync', body: { input: { mock_error: 'no' } } },
        background: true,
        expect: { body: { status: 'COMPLETED' } },
      },
    ],
  })
  expect(result.failure).toMatchObject({ step: '1 POST /v2/e/runsync' })
})

test('a failure tells the step, its line, what was expected and found, and what was going on', async () => {
  const { result } = await play({
    timeline: [
      { request: run(), save: { job: 'id' } },
      {
        name: 'too early',
        request: { path: '/v2/e/status/{{job}}' },
        expect: { status: 200, body: { status: 'COMPLETED', output: { $any: true } } },
      },
      { request: { path: '/never' } },
    ],
  })
  const { failure, startMs, replies } = result
  expect(replies).toEqual({ 200: 2 })
  expect(failure?.mismatches).toEqual([
    { where: 'body.status', expected: '"COMPLETED"', found: '"IN_QUEUE"' },
    { where: 'body.output', expected: 'anything', found: 'nothing' },
  ])
  const text = failure === null ? '' : describeFailure(failure, startMs).join('\n')
  expect(text).toMatch(/^failed at \+0.000s, step 2 too early \(.*mine.json:\d+ timeline\[1\]\)/)
  expect(text).toContain('job.submitted')
  expect(text).toMatch(/due next:\n {4}in \d/)
})

test('what has not to be there is said with $not, of a body and of a text', async () => {
  const health = { path: '/v2/e/health' }
  const failureOf = async (expect: object) =>
    (await play({ timeline: [{ request: health, expect }] })).result.failure?.mismatches
  const fits = { body: { jobs: { failed: { $not: 1 } } }, text: { $not: { $contains: 'error' } } }
  expect(await failureOf(fits)).toBeUndefined()
  expect(await failureOf({ text: { $matches: '"jobs":.*"workers":' } })).toBeUndefined()
  expect(await failureOf({ body: { jobs: { failed: { $not: { $atMost: 0 } } } } })).toMatchObject([
    { where: 'body.jobs.failed', expected: 'anything but {"$atMost":0}', found: '0' },
  ])
  expect(await failureOf({ text: { $not: { $contains: 'workers' } } })).toMatchObject([
    { where: 'text', expected: 'anything but {"$contains":"workers"}' },
  ])
})

test('time passes until an entry of the timeline, a condition, rest, or a reply to a poll', async () => {
  const timeline = [
    { request: run({ mock_delay: 5 }), save: { job: 'id' } },
    { until: { happened: { kind: 'worker.ready' }, within: '10s' } },
    { until: { condition: 'jobs.{{job}}.status == IN_PROGRESS', within: '10s' } },
    {
      until: {
        request: { path: '/v2/e/status/{{job}}' },
        expect: { body: { status: 'COMPLETED' } },
        every: '100ms',
        within: '10s',
      },
    },
    { until: { atRest: true, within: '10s' } },
  ]
  const { result } = await play({ timeline })
  expect(result.failure).toBeNull()
  expect(result.virtualMs).toBeGreaterThanOrEqual(5_000)
  expect(result.virtualMs).toBeLessThan(6_000)
  expect(result.replies[200]).toBeGreaterThan(40)
})

test('a step that waits too long fails with what it waited for', async () => {
  const { result } = await play({
    timeline: [{ until: { happened: 'job.completed', within: '1m' } }],
  })
  expect(result.failure).toMatchObject({
    mismatches: [{ where: 'until', expected: '"job.completed"', found: 'not within 1m' }],
  })
  expect(result.virtualMs).toBe(60_000)
})

test('requests come evenly, or as the seed has it, at the same rate', async () => {
  const load = (arrivals: string) => ({
    timeline: [
      {
        repeat: {
          ...{ times: 100, over: '100s', arrivals },
          steps: [{ request: run('{{index}}'), expect: { status: 200 } }],
        },
      },
    ],
    expect: { counts: { 'job.submitted': 100 }, replies: { 200: 100 } },
  })
  const timesOf = async (arrivals: string, seed: string) => {
    const { result, transcript } = await play(load(arrivals), { transcript: true, seed })
    expect(result.failure).toBeNull()
    const entries = linesOf(transcript)
    return entries.filter(({ kind }) => kind === 'job.submitted').map(({ atMs }) => atMs as number)
  }
  const even = await timesOf('even', '1')
  expect(even).toEqual(Array.from({ length: 100 }, (_, index) => index * 1_000))
  const first = await timesOf('poisson', '1')
  expect(first).not.toEqual(await timesOf('poisson', '2'))
  expect(first).toEqual(await timesOf('poisson', '1'))
  expect(first.at(-1)).toBeGreaterThan(60_000)
  expect(first.at(-1)).toBeLessThan(160_000)
})

test('within a repeat a step may happen only each so many times', async () => {
  const { result } = await play({
    timeline: [
      {
        repeat: {
          times: 10,
          steps: [{ request: run() }, { nth: 5, request: run({ mock_error: 'each fifth' }) }],
        },
      },
      { until: { atRest: true, within: '1h' } },
    ],
    expect: { counts: { 'job.completed': 10, 'job.failed': 2 } },
  })
  expect(result.failure).toBeNull()
})

test('webhooks go to the scenario’s receivers, and to nobody else', async () => {
  const url = 'https://app.example/hook'
  const { result } = await play({
    receivers: [{ url, answers: [500, 0] }],
    timeline: [
      { request: { path: '/v2/e/run', body: { input: 1, webhook: url } } },
      { request: { path: '/v2/e/run', body: { input: 2, webhook: 'https://elsewhere.example/' } } },
      { advance: '1m' },
      {
        request: { path: '/_emulator/webhooks' },
        expect: {
          body: {
            webhooks: [
              {
                status: 'DELIVERED',
                attempts: [{ answered: 500 }, { answered: 0 }, { answered: 200 }],
              },
              { status: 'FAILED', attempts: { $length: 3 } },
            ],
          },
        },
      },
    ],
  })
  expect(result.failure).toBeNull()
})

test.each([
  ['counts', { counts: { 'job.completed': 2 } }, 'counts.job.completed'],
  ['order', { happened: ['job.completed', 'job.submitted'] }, 'happened[1]'],
  ['replies', { replies: { 429: { atLeast: 1 } } }, 'replies.429'],
  ['delays', { delayMs: { p50: { atMost: 1 } } }, 'delayMs.p50'],
  ['cost', { costUsd: 0 }, 'costUsd'],
  ['what is left', { left: { workers: 5 } }, 'left.workers'],
  ['conditions', { holds: ['counts.jobs == 7'] }, 'holds'],
  ['state', { state: { counts: { pods: 3 } } }, 'state.counts.pods'],
])('what is expected at the end is looked at: %s', async (_, expected, where) => {
  const { result } = await play({
    timeline: [{ request: run() }, { advance: '1m' }],
    expect: expected,
  })
  expect(result.failure).toMatchObject({ step: 'the end', mismatches: [{ where }] })
})

test('a job that has not ended is told apart from one that ended once', async () => {
  const { result } = await play({
    timeline: [{ request: run({ mock_delay: 500 }) }, { advance: '1m' }],
    expect: { eachJobOnce: true },
  })
  expect(result.failure?.mismatches).toMatchObject([{ expected: 'one end', found: '0 ends' }])
})

test('a stream is read as long as the step says', async () => {
  const { result } = await play({
    timeline: [
      { request: run(), background: true },
      { advance: '1s' },
      { request: { path: '/v2/serverless/e/workers' }, save: { worker: 'workers[0].id' } },
      {
        request: { path: '/v2/serverless/e/workers/{{worker}}/logs', readFor: '30s' },
        expect: { status: 200, text: 'remove container' },
      },
    ],
  })
  expect(result.failure).toBeNull()
})

test('a line that breaks, and one that falls silent, give what has come by then', async () => {
  const struck = (effect: object, expected: object) => [
    { fault: { operation: 'jobs.health', times: 1, effect } },
    { request: { path: '/v2/e/health', readFor: '30s' }, expect: expected },
  ]
  const { result } = await play({
    timeline: [
      ...struck({ kind: 'reset' }, { cut: true, body: { $absent: true } }),
      ...struck({ kind: 'truncate', bytes: 8 }, { cut: true, text: '{"jobs":' }),
      ...struck({ kind: 'stall', bytes: 8 }, { cut: true, text: '{"jobs":' }),
      ...struck({ kind: 'delay', ms: 7_000 }, { status: 200, cut: false }),
      ...struck({ kind: 'refuse', code: 'internal_error' }, { status: 500 }),
    ],
  })
  expect(result.failure).toBeNull()
  expect(result.virtualMs).toBe(37_000)
})

test('a program plays a scenario by its file or its name', async () => {
  const named = await playScenario('happy-queue', { seed: '7' })
  expect(named).toMatchObject({ name: 'happy-queue', seed: '7', failure: null })
  await expect(playScenario('no-such-scenario')).rejects.toThrow('no such scenario')
})

test('a job that takes too long is ended late, and what it returns by then is taken', async () => {
  const policy = { executionTimeout: 5_000 }
  const job = (seconds: number) => ({
    path: '/v2/e/runsync',
    body: { input: { mock_delay: seconds, mock_return: seconds }, policy },
  })
  const { result } = await play({
    settings: { waits: { jobOverrunMs: 3_000 } },
    timeline: [
      {
        request: job(7),
        expect: { body: { status: 'COMPLETED', output: 7, executionTime: 7_000 } },
      },
      { request: job(9), expect: { body: { status: 'FAILED', executionTime: 8_000 } } },
    ],
  })
  expect(result.failure).toBeNull()
})

test('a body is held against the limit of whoever gets it, as it would be on the wire', async () => {
  const text = `{"name": "${'x'.repeat(110_000)}"}`
  const { result } = await play({
    timeline: [{ request: { path: '/v2/pods', text }, expect: { status: 413 } }],
  })
  expect(result.failure).toBeNull()
})

test('an endpoint is called by a name of its own, the cloud’s or this machine’s', async () => {
  const endpoint = { ...queueStart.endpoints[0], id: 'lb', type: 'LOAD_BALANCER' }
  const { result } = await play({
    start: { ...queueStart, endpoints: [endpoint] },
    timeline: ['lb.api.runpod.ai', 'lb.localhost'].map((host) => ({
      request: { host, path: '/ping' },
      expect: { status: 200, body: { status: 'healthy' } },
    })),
  })
  expect(result.failure).toBeNull()
})
