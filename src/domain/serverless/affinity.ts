/** Which worker a request goes to: the one its caller asks for, or the one with the least to do. */
import { CloudError } from '../../model/errors.ts'
import { type Affinity, isStrict, type ProxiedRequest } from '../../model/request.ts'
import type { Worker } from '../../model/worker.ts'
import type { World } from '../../world/world.ts'
import { boot } from './boots.ts'
import { capacityOf } from './routes.ts'
import { createWorker } from './workers.ts'

/** Refuses a caller who insists on a worker that is gone. */
export function requireAffinity(world: World, endpointId: string, affinity: Affinity | null): void {
  if (affinity === null || !isStrict(affinity)) return
  const { mode, workerId } = affinity
  const isGone = mode === 'strict' && hasDied(world, workerId)
  if (isThere(world, endpointId, workerId) && !isGone) return
  if (mode === 'strict-resume' && isResumable(world, endpointId, workerId)) return
  throw new CloudError('not_found', 'affinity_worker_gone', { resource: 'worker', id: workerId })
}

/** A worker that can take the request now; undefined where it has to wait. */
export function pickWorker(
  world: World,
  { endpointId, affinity }: ProxiedRequest,
): Worker | undefined {
  const endpoint = world.endpoints.require(endpointId)
  const capacity = capacityOf(world, endpoint)
  const free = world.queues
    .workersOf(endpointId)
    .filter((worker) => isUp(worker) && worker.requestsInFlight < capacity)
  const pinned = free.find(({ id }) => id === affinity?.workerId)
  if (pinned !== undefined || isStrict(affinity)) return pinned
  // Spec: new requests prefer workers of the newest version.
  const current = free.filter(({ version }) => version === endpoint.version)
  return leastLoaded(current.length > 0 ? current : free)
}

/** The request waits for a worker that has yet to be started again. */
export function awaitsResume(world: World, { endpointId, affinity }: ProxiedRequest): boolean {
  return affinity?.mode === 'strict-resume' && !isThere(world, endpointId, affinity.workerId)
}

/** Spec: strict-resume starts a worker again that was scaled down, under the id it had. */
export function resumeFor(world: World, request: ProxiedRequest): void {
  const { endpointId, affinity } = request
  if (affinity === null || !awaitsResume(world, request)) return
  const endpoint = world.endpoints.require(endpointId)
  // Assumed: the maximum holds for it, too, so it may have to wait.
  if (world.queues.of(endpointId).workerCount >= endpoint.spec.workersMax) return
  const parked = world.workers.find(affinity.workerId)
  if (parked !== undefined) {
    world.timeline.record('worker.resumed', parked.id, { endpointId, why: 'affinity' })
    boot(world, parked, 'resume')
    return
  }
  world.retiredWorkers.remove(affinity.workerId)
  createWorker(world, endpoint, 'affinity', affinity.workerId)
}

/** Assumed: the platform does not say for how long; the last thousand are remembered. */
const retiredLimit = 1_000

/** A worker was scaled down, and may be asked for again. */
export function retireWorker(world: World, { id, endpointId }: Worker): void {
  if (world.endpoints.require(endpointId).spec.type !== 'LOAD_BALANCER') return
  const [oldest] = world.retiredWorkers.values()
  if (world.retiredWorkers.size >= retiredLimit && oldest !== undefined) {
    world.retiredWorkers.remove(oldest.id)
  }
  world.retiredWorkers.put({ id, endpointId })
}

function isUp({ status }: Worker): boolean {
  return status === 'IDLE' || status === 'RUNNING'
}

function isThere(world: World, endpointId: string, workerId: string): boolean {
  const worker = world.workers.find(workerId)
  return worker?.endpointId === endpointId && worker.status !== 'PARKED'
}

/** Assumed, as a fake of a third party has it: with its process went whatever its caller wants. */
function hasDied(world: World, workerId: string): boolean {
  const worker = world.workers.find(workerId)
  return worker !== undefined && worker.status === 'UNHEALTHY' && worker.crashes > 0
}

function isResumable(world: World, endpointId: string, workerId: string): boolean {
  const known = world.workers.find(workerId) ?? world.retiredWorkers.find(workerId)
  return known?.endpointId === endpointId
}

/** Of equals, the one that came first. */
function leastLoaded(workers: readonly Worker[]): Worker | undefined {
  let best: Worker | undefined
  for (const worker of workers) {
    if (best === undefined || worker.requestsInFlight < best.requestsInFlight) best = worker
  }
  return best
}
