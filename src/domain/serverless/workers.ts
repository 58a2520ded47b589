/** The life of workers: started, at work, idle, parked, crashed, gone. */
import type { Endpoint } from '../../model/endpoint.ts'
import { nextStatus } from '../../model/transitions.ts'
import {
  draftOfWorker,
  isBilled,
  type Worker,
  type WorkerStatus,
  type WorkerStep,
  workerTransitions,
} from '../../model/worker.ts'
import { invariant } from '../../sim/invariant.ts'
import type { TimerId } from '../../sim/timeline.ts'
import type { World } from '../../world/world.ts'
import { stopMeter } from '../billing.ts'
import type { EventHandlers } from '../handle-event.ts'
import { retireWorker } from './affinity.ts'
import { boot, restartStage } from './boots.ts'
import { dispatch } from './dispatch.ts'
import { endChecks } from './health.ts'
import { newWorker } from './new-worker.ts'
import { park, parkedWorker, standbyPlaceFree, stepAside } from './parking.ts'
import { endProgram } from './programs.ts'
import { cutOff, handOverWaiting, refuseAffinity } from './requests.ts'
import { scaleEndpoint } from './scaling.ts'
import { hasLostMachine, throttleWorker } from './throttling.ts'
import { becomeActive, beginBilling, isNeeded } from './worker-billing.ts'

const dayMs = 86_400_000
// Spec: a worker that keeps crashing is tried for seven days; then its endpoint is scaled down.
const giveUpAfterMs = 7 * dayMs

/** A parked worker if there is one, or else a new one; THROTTLED when there is no room for it. */
export function startWorker(world: World, endpoint: Endpoint, why: string): Worker {
  const parked = parkedWorker(world, endpoint)
  if (parked !== undefined) {
    world.timeline.record('worker.resumed', parked.id, { endpointId: endpoint.id, why })
    return boot(world, parked, 'resume')
  }
  return createWorker(world, endpoint, why)
}

/** `id`: for one that takes the place of a worker that was scaled down. */
export function createWorker(
  world: World,
  endpoint: Endpoint,
  why: string,
  id: string = world.ids.next('worker'),
): Worker {
  world.timeline.record('worker.created', id, { endpointId: endpoint.id, why })
  return boot(world, newWorker(world, endpoint, id))
}

export function removeWorker(world: World, worker: Worker, why: string): void {
  world.timeline.cancel(worker.timer)
  endProgram(world, worker.id, true)
  endChecks(world, worker)
  stopMeter(world, worker.id)
  world.timeline.record('worker.removed', worker.id, { endpointId: worker.endpointId, why })
  if (worker.status !== 'PARKED') world.log(worker.id, 'system', `stop container ${worker.id}`)
  world.log(worker.id, 'system', 'remove container')
  world.workers.remove(worker.id)
  world.endLog(worker.id)
  cutOff(world, worker)
  refuseAffinity(world, worker)
}

/** The worker's process died. It is started again, later each time it happens. */
export function crashWorker(world: World, worker: Worker, why: string): void {
  const crashes = worker.crashes + 1
  const restartMs = Math.min(
    world.waitMs('workerRestartMs') * 2 ** (crashes - 1),
    world.waitMs('workerRestartMaxMs'),
  )
  world.timeline.record('worker.crashed', worker.id, { endpointId: worker.endpointId, why })
  world.log(worker.id, 'system', `container exited: ${why}`)
  const timer = world.timeline.after(restartMs, { kind: 'worker.restart-due', workerId: worker.id })
  const crashingSinceMs = worker.crashingSinceMs ?? world.nowMs
  endProgram(world, worker.id, false)
  endChecks(world, worker)
  const idle = { stage: null, jobId: null, requestsInFlight: 0 }
  step(world, worker, 'crash', { ...idle, crashes, crashingSinceMs, timer })
  cutOff(world, worker)
  refuseAffinity(world, worker)
}

/** Up and waiting for work. */
export function becomeReady(
  world: World,
  worker: Worker,
  taken: 'boot' | 'pass-check' = 'boot',
): void {
  world.log(worker.id, 'system', 'worker is ready')
  world.timeline.record('worker.ready', worker.id, { endpointId: worker.endpointId })
  startIdling(world, worker, taken, { stage: null })
  dispatch(world, worker.endpointId)
  handOverWaiting(world, worker.endpointId)
  stepAside(world, worker.id)
}

/** The worker has nothing to do: it waits for a job, but not for ever. */
export function releaseWorker(world: World, worker: Worker): Worker {
  world.timeline.cancel(worker.timer)
  const released = draftOfWorker(worker)
  released.status = statusAfter(worker, 'release')
  released.timer = idleTimer(world, worker)
  released.jobId = null
  released.crashes = 0
  released.crashingSinceMs = null
  world.workers.put(released)
  return hasLostMachine(world, released) ? throttleWorker(world, released) : released
}

/** This and its release happen for every job, so they go around `enter`: both states are paid for. */
export function takeJob(world: World, worker: Worker, jobId: string): Worker {
  world.timeline.cancel(worker.timer)
  const taken = draftOfWorker(worker)
  taken.status = statusAfter(worker, 'take')
  taken.jobId = jobId
  taken.timer = null
  return world.workers.put(taken)
}

/** One more request of a load-balancing endpoint. */
export function enterWorker(world: World, worker: Worker): Worker {
  const requestsInFlight = worker.requestsInFlight + 1
  if (worker.status === 'RUNNING') return world.workers.put({ ...worker, requestsInFlight })
  return step(world, worker, 'take', { requestsInFlight, timer: null })
}

export function leaveWorker(world: World, worker: Worker): Worker {
  const requestsInFlight = worker.requestsInFlight - 1
  // One that left the pool in the meantime stays outside.
  if (requestsInFlight > 0 || worker.status !== 'RUNNING') {
    return world.workers.put({ ...worker, requestsInFlight })
  }
  const left = startIdling(world, worker, 'release', { requestsInFlight: 0 })
  return hasLostMachine(world, left) ? throttleWorker(world, left) : left
}

export const workerEventHandlers: EventHandlers<'worker.idled-out' | 'worker.restart-due'> = {
  'worker.idled-out': (world, { workerId }) => {
    const worker = world.workers.require(workerId)
    const { spec } = world.endpoints.require(worker.endpointId)
    // One that somebody else started is not ours to stop.
    if (worker.backend === 'attached') {
      world.workers.put({ ...worker, timer: null })
    } else if (isNeeded(world, worker, spec.workersMin)) {
      world.workers.put({ ...becomeActive(world, worker), timer: null })
    } else if (spec.flashBoot === 'OFF' && !standbyPlaceFree(world, worker.endpointId)) {
      retireWorker(world, worker)
      removeWorker(world, worker, 'idle timeout')
    } else {
      park(world, worker)
    }
  },
  'worker.restart-due': (world, { workerId }) => {
    const worker = world.workers.require(workerId)
    if (worker.crashingSinceMs !== null && world.nowMs - worker.crashingSinceMs >= giveUpAfterMs) {
      giveUp(world, worker)
    } else {
      // A crashed container is started where it is; a throttled worker has yet to find a place.
      boot(world, worker, restartStage(world, worker))
    }
  },
}

/** Moves a worker along a step of its table, which has to allow it. */
export function step(world: World, worker: Worker, taken: WorkerStep, changes: Changes): Worker {
  return enter(world, worker, statusAfter(worker, taken), changes)
}

function statusAfter(worker: Worker, taken: WorkerStep): WorkerStatus {
  const status = nextStatus<WorkerStatus, WorkerStep>(workerTransitions, worker.status, taken)
  invariant(status !== undefined, `a worker that is ${worker.status} cannot ${taken}`)
  return status
}

type Changes = Partial<Omit<Worker, 'status'>> & Pick<Worker, 'timer'>

/** Everything that a change of status brings with it: timers, and what is paid for. */
export function enter(
  world: World,
  worker: Worker,
  status: WorkerStatus,
  changes: Changes,
): Worker {
  world.timeline.cancel(worker.timer)
  const changed = Object.assign(draftOfWorker(worker), changes)
  changed.status = status
  const wasBilled = isBilled(worker.status)
  if (wasBilled === isBilled(status)) return world.workers.put(changed)
  if (!wasBilled) return world.workers.put(beginBilling(world, changed))
  stopMeter(world, worker.id)
  return world.workers.put(changed)
}

/** Every idle worker has a timer; one that is needed for the minimum stays when it fires. */
function startIdling(
  world: World,
  worker: Worker,
  taken: 'boot' | 'release' | 'pass-check',
  changes: Partial<Omit<Worker, 'status'>>,
): Worker {
  return step(world, worker, taken, { ...changes, timer: idleTimer(world, worker) })
}

function idleTimer(world: World, worker: Worker): TimerId {
  const { spec } = world.endpoints.require(worker.endpointId)
  const event = { kind: 'worker.idled-out', workerId: worker.id } as const
  return world.timeline.after(spec.idleTimeoutMs, event)
}

function giveUp(world: World, worker: Worker): void {
  const endpoint = world.endpoints.require(worker.endpointId)
  const spec = { ...endpoint.spec, workersMin: 0, workersMax: 0 }
  const why = 'its workers crashed for seven days'
  world.timeline.record('endpoint.scaled-down', endpoint.id, { workersMax: 0, why })
  world.endpoints.put({ ...endpoint, spec })
  scaleEndpoint(world, endpoint.id)
}
