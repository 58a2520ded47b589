/**
 * Whether a load-balancing worker may have requests: its health path is asked every so often.
 *
 * A fixture says in advance what will be answered when. So only the looks that bring something new
 * are events; a worker that stays healthy for a year makes none. A program is asked from outside, in
 * real time, and each answer that is another than before is heard here.
 */
import { type HealthCheck, healthOf, unwellLimitMs } from '../../model/health.ts'
import type { Worker } from '../../model/worker.ts'
import type { World } from '../../world/world.ts'
import type { EventHandlers } from '../handle-event.ts'
import { putProgram } from './programs.ts'
import { healthAt } from './routes.ts'
import { scaleEndpoint } from './scaling.ts'
import { becomeReady, removeWorker, step } from './workers.ts'

/** The worker's container is up. It is looked at at once. */
export function beginChecks(world: World, worker: Worker): void {
  const { nowMs } = world
  look(world, { id: worker.id, upAtMs: nowMs, unwellSinceMs: nowMs, timer: null })
}

/** What a program's health path answers by now, as a status of HTTP; null where nobody does. */
export function hearHealth(
  world: World,
  workerId: string,
  launch: number,
  answered: number | null,
): void {
  const program = world.programs.find(workerId)
  const check = world.healthChecks.find(workerId)
  if (check === undefined || program?.launch !== launch || program.status === 'ENDING') return
  // Observed: where nobody answers, the worker is there and never becomes ready.
  const status = answered ?? (program.status === 'STARTING' ? 204 : 502)
  if (healthOf(status) === 'healthy') putProgram(world, { ...program, status: 'UP' })
  note(world, check, status, Number.POSITIVE_INFINITY)
}

/** The worker's container is gone. */
export function endChecks(world: World, { id }: Worker): void {
  world.timeline.cancel(world.healthChecks.find(id)?.timer ?? null)
  world.healthChecks.remove(id)
}

export const healthEventHandlers: EventHandlers<'health.due'> = {
  'health.due': (world, { workerId }) => look(world, world.healthChecks.require(workerId)),
}

function look(world: World, check: HealthCheck): void {
  const worker = world.workers.require(check.id)
  if (worker.backend !== 'simulated') {
    // By itself only patience comes to an end.
    note(world, check, 204, Number.POSITIVE_INFINITY)
    return
  }
  const endpoint = world.endpoints.require(worker.endpointId)
  const { status, untilMs } = healthAt(world, endpoint, world.nowMs - check.upAtMs)
  note(world, check, status, check.upAtMs + untilMs)
}

/** `changeAtMs`: from when on another answer may come. */
function note(world: World, check: HealthCheck, status: number, changeAtMs: number): void {
  const worker = world.workers.require(check.id)
  const isHealthy = healthOf(status) === 'healthy'
  const unwellSinceMs = isHealthy ? null : (check.unwellSinceMs ?? world.nowMs)
  if (unwellSinceMs !== null && world.nowMs >= unwellSinceMs + unwellLimitMs) {
    removeWorker(world, worker, 'not healthy for eight minutes')
    scaleEndpoint(world, worker.endpointId)
    return
  }
  world.timeline.cancel(check.timer)
  const timer = lookAgain(world, { ...check, unwellSinceMs }, changeAtMs)
  world.healthChecks.put({ ...check, unwellSinceMs, timer })
  apply(world, worker, status)
}

/** At the first look from when another answer comes, or when patience ends. */
function lookAgain(
  world: World,
  { id, upAtMs, unwellSinceMs }: HealthCheck,
  changeAtMs: number,
): HealthCheck['timer'] {
  const patienceEndsAtMs = (unwellSinceMs ?? Number.POSITIVE_INFINITY) + unwellLimitMs
  const lookAtMs = Number.isFinite(changeAtMs)
    ? firstLookFrom(world, upAtMs, changeAtMs)
    : changeAtMs
  const atMs = Math.min(lookAtMs, patienceEndsAtMs)
  if (!Number.isFinite(atMs)) return null
  return world.timeline.after(atMs - world.nowMs, { kind: 'health.due', workerId: id })
}

function firstLookFrom(world: World, upAtMs: number, fromMs: number): number {
  const intervalMs = Math.max(1, world.waitMs('healthPollMs'))
  return upAtMs + Math.ceil((fromMs - upAtMs) / intervalMs) * intervalMs
}

function apply(world: World, worker: Worker, answered: number): void {
  const health = healthOf(answered)
  const { id, endpointId, status } = worker
  const inPool = status === 'IDLE' || status === 'RUNNING'
  if (health === 'healthy') {
    if (!inPool) enterPool(world, worker)
  } else if (health === 'initializing') {
    if (status === 'INITIALIZING') return
    world.timeline.record('worker.initializing', id, { endpointId })
    step(world, worker, 'defer-check', { timer: null })
  } else if (status !== 'UNHEALTHY') {
    world.timeline.record('worker.unhealthy', id, { endpointId, answered })
    step(world, worker, 'fail-check', { stage: null, timer: null })
  }
}

function enterPool(world: World, worker: Worker): void {
  const isFirst = worker.status === 'INITIALIZING'
  becomeReady(world, worker, isFirst ? 'boot' : 'pass-check')
  const ready = world.workers.find(worker.id)
  // It left the pool with requests that it still answers.
  if (ready?.status === 'IDLE' && ready.requestsInFlight > 0) {
    step(world, ready, 'take', { timer: null })
  }
}
