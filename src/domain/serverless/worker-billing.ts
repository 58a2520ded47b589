/** What a worker costs: its compute and its disk, for as long as it works or idles. */
import type { Amounts } from '../../model/ledger.ts'
import { draftOfWorker, type Worker } from '../../model/worker.ts'
import type { World } from '../../world/world.ts'
import { runMeter } from '../billing.ts'
import { diskUsdPerHour } from '../storage-prices.ts'

// Spec: workers that are always there are cheaper. Assumed: by 30 %, the most that is advertised.
const activeDiscount = 0.3

/** Paid for from now on; as one that is always there while there are fewer of those than asked for. */
export function beginBilling(world: World, worker: Worker): Worker {
  const { id, endpointId } = worker
  const { workersMin } = world.endpoints.require(endpointId).spec
  const active = workersMin > 0 && othersActive(world, endpointId, id) < workersMin
  const billed = draftOfWorker(worker)
  billed.active = active
  meterWorker(world, billed)
  return billed
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
  const active = { ...worker, active: true }
  meterWorker(world, active)
  return active
}

function othersActive(world: World, endpointId: string, workerId: string): number {
  const workers = world.queues.workersOf(endpointId)
  return workers.filter(({ id, active }) => id !== workerId && active).length
}

function meterWorker(world: World, { id, endpointId, placement, active, image }: Worker): void {
  const endpoint = world.endpoints.require(endpointId)
  // A public endpoint's workers are the platform's; its callers pay by the request.
  if (placement === null || endpoint.public) return
  const { container, templateId } = endpoint.spec
  const { gpuTypeId, dataCenterId, costPerHourUsd } = placement
  const usd = costPerHourUsd * (active ? 1 - activeDiscount : 1)
  const disk = diskUsdPerHour(container.diskGb)
  const usdPerHour: Amounts = gpuTypeId === null ? { cpu: usd, disk } : { gpu: usd, disk }
  const { diskGb } = container
  runMeter(world, id, {
    kind: 'serverless',
    resourceId: endpointId,
    usdPerHour,
    diskGb,
    active,
    gpuTypeId,
    dataCenterId,
    image,
    templateId,
  })
}
