/** Jobs do not pile up: when results expire, the memory they took comes back. */
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { loadFixtures } from '../../src/adapters/fixtures/load.ts'
import { handleDue } from '../../src/domain/handle-event.ts'
import { submitJob } from '../../src/domain/serverless/submit.ts'
import { startWorld } from '../../src/domain/start-world.ts'
import { defaultKeep } from '../../src/emulator/options.ts'
import { readSettings } from '../../src/emulator/settings.ts'
import type { World } from '../../src/world/world.ts'

setFlagsFromString('--expose-gc')
const collectGarbage = runInNewContext('gc') as () => void

const heapMb = (): number => {
  collectGarbage()
  return process.memoryUsage().heapUsed / 1_048_576
}

/** Jobs with an input of about 4 KB each, and half an hour in which their results expire. */
function submitMany(world: World, jobs: number): void {
  for (let job = 0; job < jobs; job++) {
    const input = { text: Buffer.alloc(4_000, `${job}.`).toString('latin1') }
    submitJob(world, 'demo', { input, sync: false, webhook: null, s3Config: undefined, policy: {} })
    if (job % 100 === 0) passTime(world, 1_000)
  }
}

function passTime(world: World, ms: number): void {
  handleDue(world, world.nowMs + ms, Number.POSITIVE_INFINITY)
  world.takeEffects()
}

test('after their retention twenty thousand jobs leave nothing behind, and memory returns', async () => {
  const settings = readSettings(await loadFixtures(), { keep: defaultKeep })
  const world = startWorld({ settings, seed: 'memory', startMs: 0 })
  const rest = () => {
    passTime(world, 24 * 3_600_000)
    return heapMb()
  }
  // The first round fills what is bounded: the timeline, the logs, the room of collections.
  submitMany(world, 20_000)
  const warm = rest()
  submitMany(world, 20_000)
  const loaded = heapMb()
  expect(world.jobs.size).toBeGreaterThan(10_000)
  const after = rest()
  expect(world.jobs.size).toBe(0)
  expect(loaded - warm).toBeGreaterThan(40)
  expect(after - warm).toBeLessThan((loaded - warm) / 10)
}, 60_000)
