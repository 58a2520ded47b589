/** The life of workers: placed, started, idle, crashed, gone. */
import type { Placement } from '../../model/compute.ts'
import type { Endpoint, EndpointSpec } from '../../model/endpoint.ts'
import { nextStatus } from '../../model/transitions.ts'
import type { Worker, WorkerStatus, WorkerStep } from '../../model/worker.ts'
import { workerTransitions } from '../../model/worker.ts'
import { invariant } from '../../sim/invariant.ts'
import type { World } from '../../world/world.ts'
import { findPlacement } from '../capacity.ts'
import type { EventHandlers } from '../handle-event.ts'
import { dispatch } from './dispatch.ts'
import { handOverWaiting } from './requests.ts'
import { scaleEndpoint } from './scaling.ts'

/** A new worker; THROTTLED when no data center has room for it. */
export function startWorker(world: World, endpoint: Endpoint, why: string): Worker {
  const id = world.ids.next('worker')
  world.timeline.record('worker.created', id, { endpointId: endpoint.id, why })
  return place(world, {
    id,
    endpointId: endpoint.id,
    status: 'INITIALIZING',
    placement: null,
    version: endpoint.version,
    image: endpoint.spec.container.image,
    createdAtMs: world.nowMs,
    startedAtMs: null,
    jobId: null,
    requestsInFlight: 0,
    crashes: 0,
    timer: null,
  })
}

export function removeWorker(world: World, worker: Worker, why: string): void {
  world.timeline.cancel(worker.timer)
  world.timeline.record('worker.removed', worker.id, { endpointId: worker.endpointId, why })
  world.log(worker.id, 'system', `stop container ${worker.id}`)
  world.log(worker.id, 'system', 'remove container')
  world.workers.remove(worker.id)
  world.endLog(worker.id)
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
  world.timeline.cancel(worker.timer)
  const timer = world.timeline.after(restartMs, { kind: 'worker.restart-due', workerId: worker.id })
  step(world, worker, 'crash', { crashes, timer, jobId: null })
}

/** The worker has nothing to do: it waits for a job, but not for ever. */
export function releaseWorker(world: World, worker: Worker): Worker {
  return startIdling(world, step(world, worker, 'release', { jobId: null, crashes: 0 }))
}

export function takeJob(world: World, worker: Worker, jobId: string): Worker {
  world.timeline.cancel(worker.timer)
  return step(world, worker, 'take', { jobId, timer: null })
}

/** One more request of a load-balancing endpoint. */
export function enterWorker(world: World, worker: Worker): Worker {
  const requestsInFlight = worker.requestsInFlight + 1
  if (worker.status === 'RUNNING') return world.workers.put({ ...worker, requestsInFlight })
  world.timeline.cancel(worker.timer)
  return step(world, worker, 'take', { requestsInFlight, timer: null })
}

export function leaveWorker(world: World, worker: Worker): Worker {
  const requestsInFlight = worker.requestsInFlight - 1
  if (requestsInFlight > 0) return world.workers.put({ ...worker, requestsInFlight })
  return startIdling(world, step(world, worker, 'release', { requestsInFlight: 0 }))
}

export const workerEventHandlers: EventHandlers<
  'worker.booted' | 'worker.idled-out' | 'worker.restart-due'
> = {
  'worker.booted': (world, { workerId }) => {
    const worker = world.workers.require(workerId)
    world.log(workerId, 'system', 'worker is ready')
    world.timeline.record('worker.ready', workerId, { endpointId: worker.endpointId })
    startIdling(world, step(world, worker, 'boot', { timer: null }))
    dispatch(world, worker.endpointId)
    handOverWaiting(world, worker.endpointId)
  },
  'worker.idled-out': (world, { workerId }) => {
    const worker = world.workers.require(workerId)
    const { spec } = world.endpoints.require(worker.endpointId)
    if (world.queues.of(worker.endpointId).workerCount > spec.workersMin) {
      removeWorker(world, worker, 'idle timeout')
    } else {
      world.workers.put({ ...worker, timer: null })
    }
  },
  'worker.restart-due': (world, { workerId }) => {
    place(world, world.workers.require(workerId))
    scaleEndpoint(world, world.workers.find(workerId)?.endpointId ?? '')
  },
}

/** Looks for a machine and boots there, or waits as THROTTLED and looks again. */
function place(world: World, worker: Worker): Worker {
  const placement = worker.placement ?? findMachine(world, worker.endpointId)
  if (placement === undefined) return throttle(world, worker)
  world.log(worker.id, 'system', `create container ${worker.image}`)
  world.log(worker.id, 'system', `start container for ${worker.image}: begin`)
  world.timeline.record('worker.initializing', worker.id, { endpointId: worker.endpointId })
  const timer = world.timeline.after(world.waitMs('workerColdStartMs'), {
    kind: 'worker.booted',
    workerId: worker.id,
  })
  const startedAtMs = world.nowMs
  return world.workers.put({ ...worker, status: 'INITIALIZING', placement, startedAtMs, timer })
}

function findMachine(world: World, endpointId: string): Placement | undefined {
  const { spec } = world.endpoints.require(endpointId)
  const locations = workerLocations(world, spec)
  if (locations === undefined) return undefined
  const { compute } = spec
  const clouds = ['SECURE', 'COMMUNITY'] as const
  return findPlacement(world, { compute, clouds, locations, product: 'serverless' })
}

/**
 * Spec: network volumes pin an endpoint's workers to the data centers that they are in. Where those
 * are none of the endpoint's own, there is no place for a worker at all: undefined.
 */
function workerLocations(
  world: World,
  { locations, networkVolumeIds }: EndpointSpec,
): readonly string[] | undefined {
  if (networkVolumeIds.length === 0) return locations
  const pinned = networkVolumeIds.map((id) => world.networkVolumes.require(id).dataCenterId)
  if (locations.length === 0) return pinned
  const both = world.stock.dataCenters.filter(
    ({ id, countryCode }) =>
      pinned.includes(id) && (locations.includes(id) || locations.includes(countryCode)),
  )
  return both.length === 0 ? undefined : both.map(({ id }) => id)
}

function throttle(world: World, worker: Worker): Worker {
  if (worker.status !== 'THROTTLED') {
    world.timeline.record('worker.throttled', worker.id, { endpointId: worker.endpointId })
  }
  const timer = world.timeline.after(world.waitMs('throttleRetryMs'), {
    kind: 'worker.restart-due',
    workerId: worker.id,
  })
  return world.workers.put({ ...worker, status: 'THROTTLED', placement: null, timer })
}

/**
 * Every idle worker has a timer while it is above the minimum. One that stays for the minimum has
 * none, and gets one when it next becomes idle.
 */
function startIdling(world: World, worker: Worker): Worker {
  const { spec } = world.endpoints.require(worker.endpointId)
  const timer = world.timeline.after(spec.idleTimeoutMs, {
    kind: 'worker.idled-out',
    workerId: worker.id,
  })
  return world.workers.put({ ...worker, timer })
}

function step(
  world: World,
  worker: Worker,
  taken: WorkerStep,
  changes: Partial<Omit<Worker, 'status'>>,
): Worker {
  const status = nextStatus<WorkerStatus, WorkerStep>(workerTransitions, worker.status, taken)
  invariant(status !== undefined, `a worker that is ${worker.status} cannot ${taken}`)
  return world.workers.put({ ...worker, ...changes, status })
}
