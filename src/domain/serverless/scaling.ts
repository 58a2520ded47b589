/** Brings an endpoint's workers to the number that the autoscaler asks for. */
import type { Endpoint } from '../../model/endpoint.ts'
import type { World } from '../../world/world.ts'
import type { EventHandlers } from '../handle-event.ts'
import { desiredWorkers, type Load } from './autoscaler.ts'
import { dispatch } from './dispatch.ts'
import { removeWorker, startWorker } from './workers.ts'

/** Looks at the load now, starts workers that are missing, and looks again while jobs wait. */
export function scaleEndpoint(world: World, endpointId: string): void {
  const endpoint = world.endpoints.find(endpointId)
  if (endpoint === undefined) return
  const load = measure(world, endpointId)
  const wanted = desiredWorkers(endpoint.spec, load)
  for (let missing = wanted - load.workers; missing > 0; missing--) {
    startWorker(world, endpoint, `${load.queued} waiting, ${load.inProgress} in progress`)
  }
  if (load.workers > endpoint.spec.workersMax) dropSurplus(world, endpoint, load.workers)
  lookAgain(world, endpoint)
}

export const scalingEventHandlers: EventHandlers<'endpoint.scaling-due'> = {
  'endpoint.scaling-due': (world, { endpointId }) => {
    const endpoint = world.endpoints.require(endpointId)
    world.endpoints.put({ ...endpoint, timer: null })
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
  }
}

/** One timer for each endpoint with a queue, however many jobs wait in it. */
function lookAgain(world: World, endpoint: Endpoint): void {
  const { jobs, requests } = world.queues.of(endpoint.id)
  const waits = jobs.IN_QUEUE > 0 || requests.waiting > 0
  const current = world.endpoints.require(endpoint.id)
  if (!waits || current.timer !== null) return
  const timer = world.timeline.after(world.waitMs('scalerIntervalMs'), {
    kind: 'endpoint.scaling-due',
    endpointId: endpoint.id,
  })
  world.endpoints.put({ ...current, timer })
}

/** After a lower maximum: those that do nothing go at once, the others after their job. */
function dropSurplus(world: World, { id, spec }: Endpoint, workers: number): void {
  let surplus = workers - spec.workersMax
  for (const workerId of world.queues.of(id).workerIds) {
    if (surplus === 0) return
    const worker = world.workers.require(workerId)
    if (worker.status === 'RUNNING' || worker.status === 'PARKED') continue
    removeWorker(world, worker, 'above the maximum')
    surplus -= 1
  }
}
