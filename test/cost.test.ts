/** What things cost, and what they would have cost with other settings. */
import { loadFixtures } from '../src/adapters/fixtures/load.ts'
import { startEmulator } from '../src/emulator/start.ts'
import type { Recording } from '../src/model/recording.ts'
import { plotOutcomes } from '../src/scenarios/plot.ts'
import { recordingOf } from '../src/scenarios/recording.ts'
import { combine, readVary } from '../src/scenarios/variations.ts'
import { whatIf } from '../src/scenarios/what-if.ts'
import { run, start } from './support/command.ts'
import { startQueue } from './support/queue.ts'
import { play } from './support/scenario.ts'

const post = (url: string, path: string, body: unknown) =>
  fetch(`${url}${path}`, {
    method: 'POST',
    body: JSON.stringify(body),
    headers: { authorization: 'Bearer k', 'content-type': 'application/json' },
  })

test('what each resource has cost is what the balance has lost', async () => {
  const cloud = await startQueue({})
  for (let job = 0; job < 5; job++) {
    await cloud.post('/v2/e/run', { input: { mock_delay: 60 } })
    await cloud.advance('2m')
  }
  const { status, body } = await cloud.get('/_emulator/cost')
  expect(status).toBe(200)
  expect(body.resources).toMatchObject([{ resourceId: 'e', paidMs: 5 * 65_000 }])
  expect(body.totalUsd).toBeGreaterThan(0)
  expect(body.totalUsd).toBeCloseTo(1_000 - body.balanceUsd, 9)
})

test('a recording has the jobs that ran, when they came and how long they took', async () => {
  const cloud = await startQueue({})
  await cloud.post('/v2/e/run', { input: { mock_delay: 7 } })
  await cloud.advance('1m')
  const { body } = await cloud.get('/_emulator/recordings/e')
  expect(body).toMatchObject({
    endpointId: 'e',
    spec: { workersMax: 3, idleTimeoutMs: 5_000 },
    submissions: [{ endpointId: 'e', executionMs: 7_000 }],
  })
  expect((await cloud.get('/_emulator/recordings/none')).status).toBe(404)
})

test('a recording says how far back it goes, once jobs are forgotten', async () => {
  const cloud = await startQueue({}, { keep: { entries: 20 } })
  const recorded = async () => (await cloud.get('/_emulator/recordings/e')).body
  await cloud.post('/v2/e/run', { input: 1 })
  await cloud.advance('1m')
  expect(await recorded()).toMatchObject({ sinceMs: null, submissions: [{}] })
  for (let job = 0; job < 10; job++) {
    await cloud.post('/v2/e/run', { input: 1 })
    await cloud.advance('1m')
  }
  const { sinceMs, submissions } = await recorded()
  expect(submissions.length).toBeLessThan(11)
  expect(sinceMs).toBe(cloud.world().timeline.past[0]?.atMs)
})

describe('what if', () => {
  let recording: Recording
  let fixtures: Awaited<ReturnType<typeof loadFixtures>>

  beforeAll(async () => {
    fixtures = await loadFixtures()
    const { result, ...rest } = await play({
      settings: { profile: 'realistic', limits: 'off' },
      timeline: [
        {
          repeat: {
            ...{ times: 200, over: '1h', arrivals: 'poisson' },
            steps: [{ request: { path: '/v2/e/run', body: { input: 1 } } }],
          },
        },
        { until: { atRest: true, within: '1h' } },
      ],
    })
    expect(result.failure).toBeNull()
    const found = recordingOf({ result, ...rest })
    if (found === undefined) throw new Error('one endpoint has run jobs')
    recording = found
  })

  const vary = (...texts: string[]) =>
    whatIf(recording, combine(texts.map(readVary)), fixtures).map(({ variation, ...outcome }) => ({
      ...outcome,
      name: Object.values(variation).join(),
    }))

  test('a longer idle timeout costs more and lets jobs wait less', () => {
    const [short, middle, long] = vary('workers.idleTimeout=1,30,300')
    expect(short?.costUsd).toBeLessThan(middle?.costUsd ?? 0)
    expect(middle?.costUsd).toBeLessThan(long?.costUsd ?? 0)
    expect(short?.p50DelayMs).toBeGreaterThan(long?.p50DelayMs ?? 0)
  })

  test('workers that are always there are paid for all the while', () => {
    const [none, one] = vary('workers.min=0,1')
    expect(one?.costUsd).toBeGreaterThan(none?.costUsd ?? 0)
    expect(one?.p95DelayMs).toBeLessThan(none?.p95DelayMs ?? 0)
  })

  test('every combination is tried, but for those that contradict themselves', () => {
    const names = vary('workers.min=0..2', 'workers.max=1..2').map(({ name }) => name)
    expect(names).toEqual(['0,1', '0,2', '1,1', '1,2', '2,2'])
  })

  test('the same recording gives the same outcome', () => {
    expect(vary('workers.max=1..3')).toEqual(vary('workers.max=1..3'))
  })

  test('the best are those that no other beats in both cost and delay', () => {
    const outcomes = vary('workers.idleTimeout=1,5,60', 'workers.max=1..2')
    expect(outcomes.some(({ best }) => best)).toBe(true)
    for (const own of outcomes) {
      const beaten = outcomes.some(
        (other) => other.costUsd < own.costUsd && other.p95DelayMs < own.p95DelayMs,
      )
      if (own.best) expect(beaten).toBe(false)
    }
  })

  test('the plot has a point for each', () => {
    const outcomes = whatIf(recording, combine([readVary('workers.max=1..4')]), fixtures)
    const svg = plotOutcomes(outcomes, 'jobs & <costs>')
    expect(svg.match(/<circle/g)).toHaveLength(4)
    expect(svg).toContain('jobs &amp; &lt;costs>')
  })

  test.each([
    ['workers.maximum=1', "no setting 'workers.maximum'"],
    ['workers.max=', 'has no values'],
    ['workers.max=few', "workers.max takes a number from 1, not 'few'"],
    ['flashBoot=ON', "flashBoot takes OFF or FLASHBOOT or PRIORITY_FLASHBOOT, not 'ON'"],
    ['workers.max=1..2000', 'are more than 1000'],
  ])('%s is refused', (text, message) => {
    expect(() => vary(text)).toThrow(message)
  })
})

test('the command prices what a running emulator did, and what it might have done', async () => {
  const { url, stop } = await start(['--clock', 'manual'])
  for (let job = 0; job < 3; job++) {
    await post(url, '/v2/demo/run', { input: { mock_delay: 10 } })
    await post(url, '/_emulator/clock/advance', { by: '1m' })
  }
  const env = { COMPUTE_EMULATOR_URL: url }
  expect((await run(['cost'], env)).stdout).toMatch(/demo +\d+\.\d s[\s\S]* USD in all; /)
  const ask = ['cost', 'what-if', '--vary', 'workers.idleTimeout=1,120']
  const { code, stdout } = await run([...ask, '--endpoint', 'demo'], env)
  expect(code).toBe(0)
  expect(stdout).not.toContain('missing')
  expect(stdout).toMatch(/workers.idleTimeout +USD +P50 DELAY +P95 DELAY +WORKERS\n\*? +1 +0\.\d+/)
  const unclear = await run(ask, env)
  expect([unclear.code, unclear.stderr]).toEqual([2, expect.stringContaining('--endpoint demo')])
  const unused = await run([...ask, '--endpoint', 'demostream'], env)
  expect([unused.code, unused.stderr]).toEqual([1, expect.stringContaining('has run no job')])
  await stop()
}, 60_000)

test('the command says that jobs are missing where the timeline was cut, in words and as data', async () => {
  const options = { clock: 'manual', keep: { entries: 25 } } as const
  await using emulator = await startEmulator(options)
  const { url } = emulator
  for (let job = 0; job < 8; job++) {
    await post(url, '/v2/demo/run', { input: 1 })
    await post(url, '/_emulator/clock/advance', { by: '1m' })
  }
  const since = new Date(emulator.emulator.main.world.timeline.past[0]?.atMs ?? 0).toISOString()
  const env = { COMPUTE_EMULATOR_URL: url }
  const ask = ['cost', 'what-if', '--endpoint', 'demo', '--vary', 'workers.max=1,2']
  const { jobs, ...told } = JSON.parse((await run([...ask, '--json'], env)).stdout)
  expect(jobs).toBeLessThan(8)
  expect(told).toMatchObject({ endpointId: 'demo', since })
  const { stdout } = await run(ask, env)
  expect(stdout).toContain(
    `Of ${jobs} jobs alone: the timeline is kept back to ${since}, and jobs from before are missing.`,
  )
  const none = await run([...ask.slice(0, 3), 'demostream', ...ask.slice(4)], env)
  expect(none.stderr).toContain(`has run no job since ${since}`)
}, 60_000)
