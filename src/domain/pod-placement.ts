/** Where a pod runs, and what it costs there: when it is rented, and when it is resumed. */
import { tierKey } from '../model/catalog.ts'
import { noFreeGpus, ruleViolation } from '../model/errors.ts'
import type { Pod, PodSpec } from '../model/pod.ts'
import type { World } from '../world/world.ts'
import { hasRoomAgain, type PlacementRequest } from './capacity.ts'
import { cents, lowestBids, requireBid } from './spot-prices.ts'

/** What a stopped pod may be resumed with instead of what it had. */
export interface ResumeWish {
  readonly gpuCount?: number | undefined
  /** For a spot pod: USD per hour for each GPU. */
  readonly bidPerGpuUsd?: number | undefined
}

/** What a pod's spec asks of a machine. Refuses a bid that is too low, and a volume out of reach. */
export function placementRequestOf(world: World, spec: PodSpec): PlacementRequest {
  requireBid(world.settings.catalog, spec)
  const { compute, network, globalNetworking, interruptible, bidPerGpuUsd, maxCostPerHourUsd } =
    spec
  return {
    compute,
    clouds: network === null ? spec.clouds : ['SECURE'],
    locations: network === null ? spec.locations : [volumePlace(world, spec, network.volumeId)],
    globalNetworking,
    product: 'pod',
    spot: interruptible ? { bidPerGpuUsd } : undefined,
    maxCostPerHourUsd,
  }
}

/** A stopped pod with what it is resumed with, on the machine that it stays on. */
export function placeAgain(world: World, pod: Pod, wish: ResumeWish): Pod {
  const resized = resize(world, rebid(world, pod, wish.bidPerGpuUsd), wish.gpuCount)
  if (!hasRoomAgain(world, resized.placement)) throw noFreeGpus(pod.id)
  return resized
}

/** The data of the pod that it migrates from, if it does, are there. */
export function settleMigration(world: World, pod: Pod): Pod {
  // First of all: nearly every pod that becomes due passes here.
  if (pod.migratesFrom === undefined) return pod
  const { migratesFrom, ...settled } = pod
  world.timeline.record('pod.migrated', migratesFrom, { to: pod.id })
  world.log(pod.id, 'system', `the data of pod ${migratesFrom} are here`)
  return settled
}

/** Spec: network volumes exist in the secure cloud, and only in their own data center. */
function volumePlace(world: World, { clouds, locations }: PodSpec, volumeId: string): string {
  const volume = world.networkVolumes.require(volumeId)
  if (!clouds.includes('SECURE')) {
    throw ruleViolation('a network volume can only be attached in the SECURE cloud')
  }
  if (locations.length > 0 && !locations.includes(volume.dataCenterId)) {
    throw ruleViolation(`network volume ${volume.id} is in ${volume.dataCenterId}`)
  }
  return volume.dataCenterId
}

/** Assumed: only a spot pod takes a bid, and the words that refuse one. */
function rebid(world: World, pod: Pod, bidPerGpuUsd: number | undefined): Pod {
  if (bidPerGpuUsd === undefined) return pod
  const { spec, placement } = pod
  if (!spec.interruptible) throw ruleViolation(`pod ${pod.id} is not a spot pod: it takes no bid`)
  const [lowest = 0] = lowestBids(world.settings.catalog, placement.gpuTypeId ?? '', [
    placement.cloud,
  ])
  if (bidPerGpuUsd < lowest) {
    throw ruleViolation(`a bid of ${bidPerGpuUsd} is below the lowest, ${lowest} for each GPU`)
  }
  const costPerHourUsd = cents(bidPerGpuUsd * placement.gpuCount)
  return {
    ...pod,
    spec: { ...spec, bidPerGpuUsd },
    placement: { ...placement, costPerHourUsd },
  }
}

/** Observed: a pod can be resumed with fewer GPUs, or more. Everything is shared out by GPU. */
function resize(world: World, pod: Pod, gpuCount: number | undefined): Pod {
  const { spec, placement } = pod
  if (gpuCount === undefined || gpuCount === placement.gpuCount) return pod
  const { compute } = spec
  const gpu = world.settings.catalog.gpus.find(({ id }) => id === placement.gpuTypeId)
  if (gpu === undefined || compute.kind !== 'GPU') throw ruleViolation('a CPU pod has no GPUs')
  if (gpuCount < 1) throw ruleViolation(`gpuCount must be at least 1, not ${gpuCount}`)
  if (gpuCount > gpu.maxCount[tierKey[placement.cloud]]) throw noFreeGpus(pod.id)
  const usdPerGpu = placement.costPerHourUsd / placement.gpuCount
  return {
    ...pod,
    spec: { ...spec, compute: { ...compute, count: gpuCount } },
    placement: {
      ...placement,
      gpuCount,
      vcpuCount: gpu.vcpuPerGpu * gpuCount,
      memoryGb: gpu.ramGbPerGpu * gpuCount,
      costPerHourUsd: cents(usdPerGpu * gpuCount),
    },
  }
}
