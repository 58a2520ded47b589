/**
 * The simulated day: jobs arrive as chance has it, 11.6 a second, about a thousand workers run them
 * for 80 seconds each, and results expire. Fewer jobs are a shorter piece of the same day.
 */
import { submitJob } from '../../src/domain/serverless/submit.ts'
import type { Session } from '../../src/emulator/session.ts'
import { Random } from '../../src/sim/random.ts'
import { startPlenty, tell } from './plenty.ts'

const arrivalsPerMs = 1_000_000 / 86_400_000
/** Results are kept for half an hour; after this the world is at rest. */
const afterwardsMs = 3_600_000

// The first run is for the compiler.
for (const jobs of [10_000, ...process.argv.slice(2).map(Number)]) {
  tell(await simulate(jobs))
}

async function simulate(jobs: number) {
  const emulator = await startPlenty({
    clock: 'manual',
    seed: '1',
    waits: { modelLoadMs: 15_000, jobExecutionMs: 80_000, scalerIntervalMs: 1_000 },
    queues: [{ id: 'day', workersMax: 1_000 }],
  })
  const session = emulator.main
  const gaps = new Random('arrivals').stream('gaps')
  const load = session.world.queues.of('day')
  let events = 0
  let peakWorkers = 0
  let atMs = session.world.nowMs
  const startedAtMs = performance.now()
  for (let index = 0; index < jobs; index++) {
    atMs += -Math.log(1 - gaps.uint32() / 2 ** 32) / arrivalsPerMs
    events += passTime(session, Math.floor(atMs))
    submit(session, index)
    peakWorkers = Math.max(peakWorkers, load.workerCount)
  }
  events += passTime(session, atMs + afterwardsMs)
  const tookMs = performance.now() - startedAtMs
  emulator.close()
  requireRest(session, jobs)
  return { jobs, tookMs, events, peakWorkers, rssBytes: process.memoryUsage().rss }
}

/** Every job was submitted, started, completed and forgotten, and nobody is left. */
function requireRest({ world }: Session, jobs: number): void {
  const { timeline, workers } = world
  if (timeline.entryCount >= 4 * jobs && world.jobs.size === 0 && workers.size === 0) return
  throw new Error(`${world.jobs.size} of ${jobs} jobs and ${workers.size} workers are left`)
}

function passTime(session: Session, untilMs: number): number {
  let events = 0
  while (session.step(untilMs)) events += 1
  return events
}

function submit(session: Session, index: number): void {
  session.turn(() =>
    submitJob(session.world, 'day', {
      input: { prompt: index },
      sync: false,
      webhook: null,
      s3Config: undefined,
      policy: {},
    }),
  )
}
