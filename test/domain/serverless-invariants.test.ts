/** What holds for an endpoint whatever is done to it, in whatever order. */
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

const gpuTypeId = 'NVIDIA GeForce RTX 4090'
const settings = await readTestSettings()

test('ten thousand jobs end exactly once each on at most a hundred workers, and leave no timer', () => {
  const world = makeWorld('load', 100)
  for (let job = 0; job < 10_000; job++) {
    submit(world, { mock_delay: (job % 7) / 10 })
    if (job % 10 === 0) passTime(world, 20)
    expect(world.queues.of('e').workerCount).toBeLessThanOrEqual(100)
  }
  passTime(world, 30 * 60_000 - 1)
  const ended = new Set(
    world.jobs.where(({ status }) => status === 'COMPLETED').map(({ id }) => id),
  )
  expect(world.usage.require('e')).toMatchObject({ completed: 10_000, failed: 0, retried: 0 })
  expect(world.queues.of('e').jobs).toMatchObject({
    IN_QUEUE: 0,
    IN_PROGRESS: 0,
    COMPLETED: ended.size,
  })
  expectSound(world)

  passTime(world, 60 * 60_000)
  expect(world.jobs.size).toBe(0)
  expect(world.workers.size).toBe(0)
  const kinds = world.timeline.pending.map(({ event }) => event.kind)
  expect(kinds).toEqual(['endpoint.unused-due'])
}, 30_000)

const action = fc.oneof(
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
type Action = typeof action extends fc.Arbitrary<infer Value> ? Value : never

test('no order of submits, cancels, crashes, stock-outs and changes breaks an invariant', () => {
  fc.assert(
    fc.property(
      fc.array(action, { minLength: 1, maxLength: 60 }),
      fc.boolean(),
      (actions, parks) => {
        const world = makeWorld('property', 4, parks ? 'FLASHBOOT' : 'OFF')
        for (const each of actions) {
          perform(world, each)
          expectSound(world)
        }
        recover(world)
        passTime(world, 25 * 60_000)
        expectSound(world)
        expect(world.queues.of('e').jobs).toMatchObject({ IN_QUEUE: 0, IN_PROGRESS: 0 })
        expectBilled(world)
      },
    ),
    { numRuns: 300 },
  )
}, 60_000)

function perform(world: World, each: Action): void {
  const pick = <Item>(items: readonly Item[], which: number) => items[which % items.length]
  switch (each.do) {
    case 'submit':
      submit(world, { mock_delay: each.seconds })
      return
    case 'submit-crash':
      submit(world, { mock_crash: true, mock_delay: 1 })
      return
    case 'time':
      passTime(world, each.ms)
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

/** What must be true of every world at every moment between two turns. */
function expectSound(world: World): void {
  const load = world.queues.of('e')
  const jobs = { IN_QUEUE: 0, IN_PROGRESS: 0, COMPLETED: 0, FAILED: 0, CANCELLED: 0, TIMED_OUT: 0 }
  for (const { status } of world.jobs.values()) jobs[status] += 1
  expect(load.jobs).toEqual(jobs)

  const workers = { INITIALIZING: 0, IDLE: 0, RUNNING: 0, THROTTLED: 0, UNHEALTHY: 0, PARKED: 0 }
  const taken = new Set<string>()
  for (const worker of world.workers.values()) {
    workers[worker.status] += 1
    const runs = worker.jobId === null ? undefined : world.jobs.require(worker.jobId)
    expect(runs?.status).toBe(worker.status === 'RUNNING' ? 'IN_PROGRESS' : undefined)
    if (runs === undefined) continue
    expect(runs.workerId).toBe(worker.id)
    expect(taken.has(runs.id)).toBe(false)
    taken.add(runs.id)
  }
  expect(load.workers).toEqual(workers)
  const { workersMax } = world.endpoints.require('e').spec
  expect(load.workerCount).toBeLessThanOrEqual(Math.max(workersMax, workers.RUNNING))
  for (const dataCenter of world.stock.dataCenters) {
    expect(world.stock.freeGpus(dataCenter, gpuTypeId, 'SECURE')).toBeGreaterThanOrEqual(0)
  }
}

/** What the ledger says is what the timeline says: time from ready to parked, throttled, removed or crashed. */
function expectBilled(world: World): void {
  const readyAtMs = new Map<string, number>()
  let paidMs = 0
  for (const { kind, id, atMs } of world.timeline.past) {
    if (kind === 'worker.ready') readyAtMs.set(id, atMs)
    if (!/^worker\.(parked|removed|crashed|throttled)$/.test(kind)) continue
    const since = readyAtMs.get(id)
    if (since !== undefined) paidMs += atMs - since
    readyAtMs.delete(id)
  }
  let openMs = 0
  for (const since of readyAtMs.values()) openMs += world.nowMs - since
  let chargedMs = 0
  for (const { activeMs, flexMs } of world.ledger.values()) chargedMs += activeMs + flexMs
  let dueMs = 0
  for (const { billedSinceMs } of world.workers.values())
    dueMs += world.nowMs - (billedSinceMs ?? world.nowMs)
  expect(chargedMs + dueMs).toBe(paidMs + openMs)
}

function submit(world: World, input: unknown): void {
  submitJob(world, 'e', { input, sync: false, webhook: null, s3Config: undefined, policy: {} })
}

function passTime(world: World, ms: number): void {
  const limit = 1_000_000
  expect(handleDue(world, world.nowMs + ms, limit)).toBeLessThan(limit)
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

function recover(world: World): void {
  setStock(world, 100)
  change(world, { workersMin: 0, workersMax: 4 })
}

function makeWorld(
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
  const start = { ...settings.start, pods: [], endpoints: [endpoint] }
  return startWorld({ settings: { ...settings, start }, seed, startMs: 0 })
}

async function readTestSettings(): Promise<Settings> {
  return readSettings(await loadFixtures(), { keep: { ...defaultKeep, entries: 1_000_000 } })
}
