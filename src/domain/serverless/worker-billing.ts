/** What a worker costs: its compute and its disk, for as long as it works or idles. */
import type { Worker } from '../../model/worker.ts'
import type { World } from '../../world/world.ts'
import { charge } from '../billing.ts'

// Spec: workers that are always there are cheaper. Assumed: by 30 %, the most that is advertised.
const activeDiscount = 0.3
// Spec: about 0.10 USD per GB and month of container disk, by a month of 730 hours.
const diskUsdPerGbHour = 0.1 / 730

/** Paid for from now on; as one that is always there while there are fewer of those than asked for. */
export function beginBilling(
  world: World,
  { id, endpointId }: Worker,
): Pick<Worker, 'active' | 'billedSinceMs'> {
  const { workersMin } = world.endpoints.require(endpointId).spec
  if (workersMin === 0) return { active: false, billedSinceMs: world.nowMs }
  const active = othersActive(world, endpointId, id) < workersMin
  return { active, billedSinceMs: world.nowMs }
}

/** True for a worker that has to stay for the minimum: those that are active stay before others. */
export function isNeeded(world: World, worker: Worker, workersMin: number): boolean {
  const { id, endpointId, active } = worker
  if (active && othersActive(world, endpointId, id) < workersMin) return true
  return world.queues.of(endpointId).workerCount <= workersMin
}

/** A worker that stays for good is paid for as one from then on. */
export function becomeActive(world: World, worker: Worker): Worker {
  if (worker.active) return worker
  settleBilling(world, worker)
  return { ...worker, active: true, billedSinceMs: world.nowMs }
}

function othersActive(world: World, endpointId: string, workerId: string): number {
  const workers = world.queues.workersOf(endpointId)
  return workers.filter(({ id, active }) => id !== workerId && active).length
}

/** Charges what has come together since it was last charged. */
export function settleBilling(world: World, worker: Worker): void {
  const { endpointId, placement, billedSinceMs, active } = worker
  if (billedSinceMs === null || placement === null) return
  const { diskGb } = world.endpoints.require(endpointId).spec.container
  const span = {
    kind: 'worker' as const,
    resourceId: endpointId,
    fromMs: billedSinceMs,
    toMs: world.nowMs,
    active,
  }
  const factor = active ? 1 - activeDiscount : 1
  const part = placement.gpuTypeId === null ? 'cpu' : 'gpu'
  charge(world, { ...span, part, usdPerHour: placement.costPerHourUsd * factor })
  charge(world, { ...span, part: 'disk', usdPerHour: diskGb * diskUsdPerGbHour })
}
