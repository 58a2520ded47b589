/** Brings an endpoint's workers to the number that the autoscaler asks for. */
import { draftOfEndpoint, type Endpoint } from '../../model/endpoint.ts'
import type { EndpointLoad } from '../../world/endpoint-load.ts'
import type { World } from '../../world/world.ts'
import type { EventHandlers } from '../handle-event.ts'
import { desiredWorkers, type Load, workersLimit } from './autoscaler.ts'
import { dispatch } from './dispatch.ts'
import { hasPlace } from './machines.ts'
import { createWorker, removeWorker, startWorker } from './workers.ts'

// Spec: in a spike, up to two more than the maximum where the image has been pulled before.
const extraWorkers = 2

/** Looks at the load now, starts workers that are missing, and looks again while jobs wait. */
export function scaleEndpoint(world: World, endpointId: string): void {
  const endpoint = world.endpoints.find(endpointId)
  if (endpoint === undefined) return
  const load = measure(world, endpointId)
  // Programs that somebody else starts come and go as they like.
  const wanted = endpoint.backend.type === 'attached' ? 0 : desiredWorkers(endpoint.spec, load)
  const missing = wanted > load.workers && hasPlace(world, endpoint) ? wanted - load.workers : 0
  for (let started = 0; started < missing; started++) {
    startWorker(world, endpoint, `${load.queued} waiting, ${load.inProgress} in progress`)
  }
  const surplus = load.workers - workersLimit(endpoint.spec, load)
  if (surplus > 0) dropSurplus(world, endpoint, surplus)
  keepStandby(world, endpoint)
  lookAgain(world, endpoint)
}

export const scalingEventHandlers: EventHandlers<'endpoint.scaling-due'> = {
  'endpoint.scaling-due': (world, { endpointId }) => {
    const endpoint = draftOfEndpoint(world.endpoints.require(endpointId))
    endpoint.timer = null
    world.endpoints.put(endpoint)
    dispatch(world, endpointId)
    scaleEndpoint(world, endpointId)
  },
}

/** What the autoscaler judges by. */
export function measure(world: World, endpointId: string): Load {
  const load = world.queues.of(endpointId)
  const oldest = world.queues.oldestWaiting(endpointId)
  return {
    queued: load.jobs.IN_QUEUE - load.lowPriorityQueued + load.requests.waiting,
    inProgress: load.jobs.IN_PROGRESS + load.requests.atWorker,
    workers: load.workerCount,
    oldestWaitMs: oldest === undefined ? 0 : world.nowMs - oldest.queuedAtMs,
    extraWorkers: allowsExtra(world, load) ? extraWorkers : 0,
  }
}

/** An image that one of its workers runs has been pulled. */
function allowsExtra(world: World, { workers }: EndpointLoad): boolean {
  return world.settings.fidelity.extraWorkers === 'two' && workers.IDLE + workers.RUNNING > 0
}

/**
 * Standby workers are started ahead of any job, and wait parked: unpaid, and back in a moment.
 * Assumed: within the maximum, and whatever FlashBoot is set to.
 */
function keepStandby(world: World, endpoint: Endpoint): void {
  const { workersStandby = 0, workersMax } = endpoint.spec
  if (workersStandby === 0 || !hasPlace(world, endpoint)) return
  const load = world.queues.of(endpoint.id)
  while (load.workerIds.size < Math.min(workersStandby, workersMax)) {
    createWorker(world, endpoint, 'standby')
  }
}

/** One timer for each endpoint with a queue, however many jobs wait in it. */
function lookAgain(world: World, endpoint: Endpoint): void {
  const { jobs, requests } = world.queues.of(endpoint.id)
  if (jobs.IN_QUEUE === 0 && requests.waiting === 0) return
  const current = world.endpoints.require(endpoint.id)
  if (current.timer !== null) return
  const looking = draftOfEndpoint(current)
  looking.timer = world.timeline.after(world.waitMs('scalerIntervalMs'), {
    kind: 'endpoint.scaling-due',
    endpointId: endpoint.id,
  })
  world.endpoints.put(looking)
}

/** More than there may be: those that do nothing go at once, the others after their job. */
function dropSurplus(world: World, { id }: Endpoint, count: number): void {
  let surplus = count
  for (const workerId of world.queues.of(id).workerIds) {
    if (surplus === 0) return
    const worker = world.workers.require(workerId)
    if (worker.status === 'RUNNING' || worker.status === 'PARKED') continue
    if (worker.backend === 'attached') continue
    removeWorker(world, worker, 'above the maximum')
    surplus -= 1
  }
}
