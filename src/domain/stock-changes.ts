/** What a data center has changes, and workers whose machine is gone are throttled. */
import { type CloudTier, cloudTiers } from '../model/container.ts'
import { notFound, ruleViolation } from '../model/errors.ts'
import type { World } from '../world/world.ts'
import { scaleEndpoint } from './serverless/scaling.ts'
import { hasLostMachine, throttleWorker } from './serverless/throttling.ts'

export interface StockChange {
  readonly dataCenterId: string
  /** A GPU type, counted in GPUs, or a CPU flavor, counted in vCPUs. */
  readonly typeId: string
  /** Both when absent. Spec: CPU compute exists in the secure cloud only. */
  readonly cloud?: CloudTier
  /** How many there are in all, held or free. */
  readonly total: number
}

/**
 * Sets how much a data center has of a type. Pods keep what they hold. Idle workers on machines that
 * are no longer there are throttled at once. Assumed: the newest first, and busy ones after their job.
 */
export function changeStock(world: World, change: StockChange): void {
  const clouds = requireStock(world, change)
  const { dataCenterId, typeId, total } = change
  world.timeline.record('stock.changed', `${dataCenterId}/${typeId}`, { clouds, total })
  for (const cloud of clouds) world.stock.set(dataCenterId, typeId, cloud, total)
  const endpointIds = new Set<string>()
  for (const worker of world.workers.where(({ status }) => status === 'IDLE').reverse()) {
    if (!hasLostMachine(world, worker)) continue
    throttleWorker(world, worker)
    endpointIds.add(worker.endpointId)
  }
  for (const endpointId of endpointIds) scaleEndpoint(world, endpointId)
}

/** The clouds that it is about; refuses a place or a type that the catalog does not have. */
export function requireStock(world: World, change: StockChange): readonly CloudTier[] {
  const { dataCenterId, typeId, cloud } = change
  const { gpus, cpus, dataCenters } = world.settings.catalog
  if (!dataCenters.some(({ id }) => id === dataCenterId)) {
    throw notFound('data center', dataCenterId)
  }
  if (gpus.some(({ id }) => id === typeId)) return cloud === undefined ? cloudTiers : [cloud]
  if (!cpus.some(({ id }) => id === typeId)) {
    throw ruleViolation(`the catalog has no GPU type and no CPU flavor '${typeId}'`)
  }
  if (cloud === 'COMMUNITY') throw ruleViolation('CPUs are in the secure cloud only')
  return ['SECURE']
}
