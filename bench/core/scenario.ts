/**
 * A scenario of a virtual day: jobs come as chance has it, through the request address, one in a
 * hundred fails, the autoscaler does what it does, and everything is counted. Argument: how many jobs.
 */
import { loadFixtures } from '../../src/adapters/fixtures/load.ts'
import type { Scenario } from '../../src/model/scenario.ts'
import { emptyStart } from '../../src/model/start-state.ts'
import { runScenario } from '../../src/scenarios/run.ts'
import { tell } from './plenty.ts'

const fixtures = await loadFixtures()
const example = exampleQueue()

// The first run is for the compiler.
for (const jobs of [10_000, ...process.argv.slice(2).map(Number)]) {
  const scenario = dayOf(jobs)
  const problem = () => ({ file: 'bench', line: 0, column: 0, field: '', message: '' })
  const source = { file: 'bench', value: scenario, problem }
  const startedAtMs = performance.now()
  const before = process.cpuUsage()
  const { result, emulator } = await runScenario({ scenario, source }, fixtures)
  const tookMs = performance.now() - startedAtMs
  const { user, system } = process.cpuUsage(before)
  if (result.failure !== null) throw new Error(JSON.stringify(result.failure))
  const { entryCount } = emulator.main.world.timeline
  tell({
    jobs,
    tookMs,
    cpuMs: (user + system) / 1_000,
    entries: entryCount,
    costUsd: result.costUsd,
  })
}

function exampleQueue() {
  const queue = fixtures.worlds.default?.endpoints.find(({ type }) => type === 'QUEUE')
  if (queue === undefined) throw new Error('the default world has a queue to copy')
  return queue
}

function dayOf(jobs: number): Scenario {
  const failures = Math.round(jobs / 100)
  const run = (input: object) => ({ request: { path: '/v2/day/run', body: { input } } })
  return {
    name: 'day',
    description: 'A busy day.',
    provenance: ['Assumed: for a measurement.'],
    settings: { seed: '1', profile: 'realistic', limits: 'off' },
    handlers: [],
    receivers: [],
    start: {
      ...emptyStart({
        id: 'user_bench',
        email: 'bench@example.com',
        balanceUsd: 1e6,
        spendLimitUsd: 1e6,
        workersQuota: 1_000,
        publicKeys: '',
      }),
      endpoints: [{ ...example, id: 'day', name: 'day', workersMax: 100 }],
    },
    timeline: [
      {
        repeat: {
          times: jobs - failures,
          over: '24h',
          arrivals: 'poisson',
          steps: [run({ prompt: 'hello' }), { nth: 99, ...run({ mock_error: 'boom' }) }],
        },
      },
      { until: { atRest: true, within: '2h' } },
    ],
    expect: {
      counts: { 'job.submitted': jobs, 'job.failed': failures },
      eachJobOnce: true,
    },
  }
}
