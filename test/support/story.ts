/** A world with one endpoint, `e`, and what can happen to it, for tests that make up stories. */
import fc from 'fast-check'
import { loadFixtures } from '../../src/adapters/fixtures/load.ts'
import { updateEndpoint } from '../../src/domain/endpoints.ts'
import { handleDue } from '../../src/domain/handle-event.ts'
import { cancelJob, purgeQueue, retryJob } from '../../src/domain/serverless/jobs.ts'
import { submitJob } from '../../src/domain/serverless/submit.ts'
import { crashWorker } from '../../src/domain/serverless/workers.ts'
import { startWorld } from '../../src/domain/start-world.ts'
import { changeStock } from '../../src/domain/stock-changes.ts'
import { defaultKeep } from '../../src/emulator/options.ts'
import { readSettings } from '../../src/emulator/settings.ts'
import type { Settings } from '../../src/model/settings.ts'
import type { World } from '../../src/world/world.ts'

export const gpuTypeId = 'NVIDIA GeForce RTX 4090'
export const settings = await readTestSettings()

export const action = fc.oneof(
  { weight: 6, arbitrary: fc.record({ do: fc.constant('submit' as const), seconds: fc.nat(20) }) },
  { weight: 4, arbitrary: fc.record({ do: fc.constant('time' as const), ms: fc.nat(8_000) }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('submit-crash' as const) }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('cancel' as const), which: fc.nat() }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('retry' as const), which: fc.nat() }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('purge' as const) }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('crash' as const), which: fc.nat() }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('stock' as const), total: fc.nat(6) }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('max' as const), max: fc.nat(5) }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('min' as const), min: fc.nat(2) }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('image' as const), tag: fc.nat(3) }) },
)
export type Action = typeof action extends fc.Arbitrary<infer Value> ? Value : never

/** One request, or a span of time. */
export function perform(world: World, each: Action, afterEvent = () => {}): void {
  world.timeline.beginRequest()
  const pick = <Item>(items: readonly Item[], which: number) => items[which % items.length]
  switch (each.do) {
    case 'submit':
      submit(world, { mock_delay: each.seconds })
      return
    case 'submit-crash':
      submit(world, { mock_crash: true, mock_delay: 1 })
      return
    case 'time':
      passTime(world, each.ms, afterEvent)
      return
    case 'purge':
      purgeQueue(world, 'e')
      return
    case 'cancel': {
      const job = pick(world.jobs.all(), each.which)
      if (job !== undefined) cancelJob(world, job)
      return
    }
    case 'retry': {
      const job = pick(
        world.jobs.where(({ status }) => status === 'FAILED'),
        each.which,
      )
      if (job !== undefined) retryJob(world, job)
      return
    }
    case 'crash': {
      const up = world.workers.where(({ status }) => status === 'IDLE' || status === 'INITIALIZING')
      const worker = pick(up, each.which)
      if (worker !== undefined) crashWorker(world, worker, 'the test says so')
      return
    }
    case 'stock':
      setStock(world, each.total)
      return
    case 'max':
      change(world, { workersMax: each.max, workersMin: 0 })
      return
    case 'min':
      change(world, { workersMin: each.min, workersMax: 4 })
      return
    case 'image':
      change(world, {}, `example/handler:${each.tag}`)
      return
  }
}

export function submit(world: World, input: unknown): void {
  submitJob(world, 'e', { input, sync: false, webhook: null, s3Config: undefined, policy: {} })
}

export function passTime(world: World, ms: number, afterEvent = () => {}): void {
  const limit = 1_000_000
  const untilMs = world.nowMs + ms
  let events = 0
  while (handleDue(world, untilMs, 1) === 1) {
    events += 1
    expect(events).toBeLessThan(limit)
    afterEvent()
  }
  world.takeEffects()
}

function change(
  world: World,
  changes: { workersMin?: number; workersMax?: number },
  image?: string,
): void {
  const { spec } = world.endpoints.require('e')
  const container = image === undefined ? spec.container : { ...spec.container, image }
  updateEndpoint(world, 'e', { ...spec, ...changes, container })
}

function setStock(world: World, total: number): void {
  for (const { id } of world.stock.dataCenters) {
    const there = { dataCenterId: id, typeId: gpuTypeId }
    changeStock(world, { ...there, cloud: 'SECURE', total: id === 'EU-RO-1' ? total : 0 })
    changeStock(world, { ...there, cloud: 'COMMUNITY', total: 0 })
  }
}

export function recover(world: World): void {
  setStock(world, 100)
  change(world, { workersMin: 0, workersMax: 4 })
}

export function makeWorld(
  seed: string,
  workersMax: number,
  flashBoot: 'OFF' | 'FLASHBOOT' = 'OFF',
): World {
  const [demo] = settings.start.endpoints
  if (demo === undefined) throw new Error('the default world has an endpoint')
  const { scaling: _scaling, ...rest } = demo
  const endpoint = {
    ...rest,
    id: 'e',
    handler: 'echo',
    gpuTypeIds: [gpuTypeId],
    workersMax,
    flashBoot,
  }
  const start = { ...settings.start, pods: [], networkVolumes: [], endpoints: [endpoint] }
  return startWorld({ settings: { ...settings, start }, seed, startMs: 0 })
}

async function readTestSettings(): Promise<Settings> {
  return readSettings(await loadFixtures(), { keep: { ...defaultKeep, entries: 1_000_000 } })
}
