/** Which spot pods go when their GPUs are wanted for the fixed price. */
import type { Placement } from '../model/compute.ts'
import { type Pod, type PodStatus, type PodStep, podTransitions } from '../model/pod.ts'
import { nextStatus } from '../model/transitions.ts'
import type { World } from '../world/world.ts'

/** Spec (v1): a spot pod can be stopped at any time to free up its share for another pod. */
export function isReclaimable({ spec, status }: Pod): boolean {
  const next = nextStatus<PodStatus, PodStep>(podTransitions, status, 'reclaim')
  return spec.interruptible && !spec.locked && next !== undefined
}

/** GPUs that spot pods hold, by `dataCenter/type/cloud`. */
export function reclaimableGpus(world: World): ReadonlyMap<string, number> {
  const held = new Map<string, number>()
  for (const pod of world.pods.values()) {
    if (!isReclaimable(pod)) continue
    const key = placeOf(pod.placement)
    held.set(key, (held.get(key) ?? 0) + pod.placement.gpuCount)
  }
  return held
}

/** Those that have to go for the placement. Assumed: the lowest bid first, of equals the youngest. */
export function podsInTheWay(world: World, placement: Placement): Pod[] {
  const { gpuTypeId, cloud, dataCenterId, gpuCount } = placement
  const place = world.stock.dataCenters.find(({ id }) => id === dataCenterId)
  if (gpuTypeId === null || place === undefined) return []
  let missing = gpuCount - world.stock.freeGpus(place, gpuTypeId, cloud)
  if (missing <= 0) return []
  const key = placeOf(placement)
  return world.pods
    .where((pod) => isReclaimable(pod) && placeOf(pod.placement) === key)
    .sort((left, right) => bidOf(left) - bidOf(right) || right.createdAtMs - left.createdAtMs)
    .filter((pod) => {
      if (missing <= 0) return false
      missing -= pod.placement.gpuCount
      return true
    })
}

const bidOf = ({ placement }: Pod): number => placement.costPerHourUsd / placement.gpuCount

function placeOf({ dataCenterId, gpuTypeId, cloud }: Placement): string {
  return `${dataCenterId}/${gpuTypeId}/${cloud}`
}
