/** What holds for an endpoint whatever is done to it, in whatever order. */
import fc from 'fast-check'
import { chargesOf } from '../../src/domain/billing.ts'
import type { World } from '../../src/world/world.ts'
import {
  action,
  gpuTypeId,
  makeWorld,
  passTime,
  perform,
  recover,
  submit,
} from '../support/story.ts'

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
  for (const { fromMs, toMs } of chargesOf(world)) chargedMs += toMs - fromMs
  expect(chargedMs).toBe(paidMs + openMs)
}
