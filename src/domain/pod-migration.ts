/**
 * A stopped pod whose machine has no GPU left goes elsewhere. Spec: it is a button of the console, and
 * no API has it. What comes of it is a new pod, with a new id and address, on a machine with the same
 * GPUs, to which the data are brought.
 */
import { actionNotAllowed, conflict, notEmulated } from '../model/errors.ts'
import type { Pod, PodSpec } from '../model/pod.ts'
import type { World } from '../world/world.ts'
import { requireAffordable } from './affordability.ts'
import { choosePlacement } from './capacity.ts'
import { placementRequestOf } from './pod-placement.ts'
import { requireNoCluster, requireNoMigration } from './pod-rules.ts'
import { takeStep } from './pod-steps.ts'
import { addPod } from './pods.ts'

/**
 * The new pod, which waits for its data. Assumed: the old one stays as it is until its owner
 * terminates it. Refuses with `conflict`, `no_capacity`, `insufficient_balance` or `not_found`.
 */
export function migratePod(world: World, podId: string): Pod {
  const pod = world.pods.require(podId)
  requireNoCluster(pod, 'migrate')
  requireNoMigration(world, pod)
  if (pod.container !== null) throw notEmulated('the migration of a pod whose container is real')
  if (pod.status !== 'EXITED') throw actionNotAllowed('pod', 'migrate', pod.status)
  const spec = specAgain(pod)
  const placement = choosePlacement(world, placementRequestOf(world, spec))
  requireAffordable(world, placement.costPerHourUsd)
  const id = world.ids.next('pod')
  world.timeline.record('pod.migrating', podId, { to: id })
  world.pods.put({ ...pod, migratesTo: id })
  return addPod(world, { id, spec, placement, cluster: null, migratesFrom: podId }, 'simulated')
}

/** The new pod is no more, and the old one as before. Refuses where there is no migration. */
export function cancelMigration(world: World, podId: string): void {
  const { migratesTo } = world.pods.require(podId)
  const target = world.pods.find(migratesTo ?? '')
  if (target?.migratesFrom !== podId) throw conflict(`pod ${podId} has no migration in progress`)
  takeStep(world, target, 'terminate', 'User')
}

/** Spec: the same GPUs, as many as it had. Assumed: the moments of its end are the old pod's alone. */
function specAgain({ spec, placement }: Pod): PodSpec {
  const { stopAtMs: _, terminateAtMs: __, ...kept } = spec
  const { compute } = kept
  const { gpuTypeId, gpuCount } = placement
  if (compute.kind !== 'GPU' || gpuTypeId === null) return kept
  return { ...kept, compute: { ...compute, gpuTypeIds: [gpuTypeId], count: gpuCount } }
}
