/** Clusters: placed all or not at all, then given a network, and deleted with their pods. */
import {
  type Cluster,
  type ClusterSpec,
  type ClusterStatus,
  type ClusterStep,
  clusterRoles,
  clusterTransitions,
} from '../model/cluster.ts'
import { gpuCompute } from '../model/compute.ts'
import { ruleViolation } from '../model/errors.ts'
import type { Pod, PodSpec } from '../model/pod.ts'
import { nextStatus } from '../model/transitions.ts'
import { invariant } from '../sim/invariant.ts'
import type { World } from '../world/world.ts'
import { requireAffordable } from './affordability.ts'
import { choosePlacements, requireKnownTypes } from './capacity.ts'
import { nodeAddress } from './cluster-environment.ts'
import type { EventHandlers } from './handle-event.ts'
import { placementRequestOf } from './pod-placement.ts'
import { requireSoundContainer } from './pod-rules.ts'
import { addPod, terminatePod } from './pods.ts'
import { requireRegistry } from './registries.ts'

// Spec: an example's network. Assumed: every cluster has the same, each for itself.
const cidr = '10.65.0.0/16'
const vxlanPort = 4_789
const vxlanIds = 16_000_000

/** Refuses with `no_capacity`, `insufficient_balance`, `not_found` or `rule_violation`. */
export function createCluster(world: World, spec: ClusterSpec): Cluster {
  return createClusterWithId(world, world.ids.next('cluster'), spec)
}

/** For fixtures, which name their clusters. */
export function createClusterWithId(world: World, id: string, spec: ClusterSpec): Cluster {
  const shape = toPodSpec(spec)
  requireKnownTypes(world, shape.compute)
  requireSoundContainer(spec.container)
  requireRegistry(world, spec.container.registryId)
  if (spec.container.image === '') throw ruleViolation('a cluster needs an image or a template')
  const request = placementRequestOf(world, shape)
  const placements = choosePlacements(world, { ...request, machines: spec.podCount })
  requireAffordable(
    world,
    placements.reduce((sum, { costPerHourUsd }) => sum + costPerHourUsd, 0),
  )
  const { dataCenterId = '' } = placements[0] ?? {}
  world.timeline.record('cluster.created', id, { dataCenterId, podCount: spec.podCount })
  const pods = placements.map((placement, rank) => {
    const role = clusterRoles[spec.type]?.[rank === 0 ? 0 : 1] ?? null
    return addPod(world, {
      id: world.ids.next('pod'),
      spec: { ...shape, name: `${spec.name}-${rank}` },
      placement,
      cluster: { clusterId: id, rank, role, ip: nodeAddress(rank) },
    })
  })
  const vxlanId = 1 + world.random.stream('network').below(vxlanIds)
  const timer = world.timeline.after(longestPlacementMs(world, pods), {
    kind: 'cluster.due',
    clusterId: id,
    step: 'place',
  })
  return world.clusters.put({
    ...{ id, spec, status: 'FORMING', podIds: pods.map((pod) => pod.id), dataCenterId },
    ...{ network: { cidr, vxlanId, vxlanPort }, createdAtMs: world.nowMs, timer },
  })
}

/** Spec: nothing but the name can be changed. Assumed: its pods keep theirs. */
export function renameCluster(world: World, clusterId: string, name: string): Cluster {
  const cluster = world.clusters.require(clusterId)
  world.timeline.record('cluster.updated', clusterId)
  return world.clusters.put({ ...cluster, spec: { ...cluster.spec, name } })
}

/** Spec: ends all its pods. */
export function deleteCluster(world: World, clusterId: string): void {
  const cluster = world.clusters.require(clusterId)
  world.timeline.cancel(cluster.timer)
  world.timeline.record('cluster.deleted', clusterId)
  for (const pod of podsOfCluster(world, cluster)) terminatePod(world, pod)
  world.clusters.remove(clusterId)
}

/** In the order of their ranks. */
export function podsOfCluster(world: World, { podIds }: Cluster): Pod[] {
  return podIds.flatMap((podId) => world.pods.find(podId) ?? [])
}

export const clusterEventHandlers: EventHandlers<'cluster.due'> = {
  'cluster.due': (world, { clusterId, step }) => {
    takeStep(world, world.clusters.require(clusterId), step)
  },
}

/** A cluster is FORMING from its creation, and never again. */
type ReachedStatus = Exclude<ClusterStatus, 'FORMING'>

function takeStep(world: World, cluster: Cluster, step: ClusterStep): void {
  const { id: clusterId } = cluster
  const status = nextStatus(clusterTransitions, cluster.status, step)
  invariant(status !== undefined, `a cluster that is ${cluster.status} cannot ${step}`)
  world.timeline.record(`cluster.${status.toLowerCase() as Lowercase<ReachedStatus>}`, clusterId)
  world.emit({ kind: 'changed', id: clusterId })
  const event = { kind: 'cluster.due', clusterId, step: 'connect' } as const
  const isLast = status === 'CONNECTED'
  const timer = isLast ? null : world.timeline.after(world.waitMs('clusterNetworkMs'), event)
  world.clusters.put({ ...cluster, status, timer })
}

/** A cluster is placed when the last of its pods is. */
function longestPlacementMs(world: World, pods: readonly Pod[]): number {
  const dueAtMs = pods.map(({ timer }) => (timer && world.timeline.dueAtMs(timer)) ?? world.nowMs)
  return Math.max(...dueAtMs) - world.nowMs
}

/** Assumed: clusters exist in the secure cloud only, at the price of pods. */
function toPodSpec(spec: ClusterSpec): PodSpec {
  const { name, container, gpuTypeId, gpuCountPerPod, locations, persistent, network } = spec
  const { allowedCudaVersions, templateId } = spec
  return {
    name,
    container,
    compute: { ...gpuCompute([gpuTypeId], gpuCountPerPod), allowedCudaVersions },
    clouds: ['SECURE'],
    ...{ locations, persistent, network, templateId },
    interruptible: false,
    locked: false,
    globalNetworking: false,
  }
}
