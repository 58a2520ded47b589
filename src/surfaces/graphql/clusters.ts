/** Clusters as GraphQL spells them: one shape of pod, rented several times over. */
import { createCluster, deleteCluster, podsOfCluster } from '../../domain/clusters.ts'
import { requireTemplate } from '../../domain/templates.ts'
import { type Cluster, ClusterSpec } from '../../model/cluster.ts'
import { CloudError } from '../../model/errors.ts'
import type { World } from '../../world/world.ts'
import { validate } from '../http/validate.ts'
import type { Caller } from './caller.ts'
import { type StartInput, toContainer } from './containers.ts'
import { findGpuType } from './gpu-types.ts'
import { parts, refuseUnemulated, said, saidList, type Wire } from './inputs.ts'
import { type DiskInput, toDisks } from './pod-input.ts'
import { toPod } from './pod-view.ts'

interface ClusterInput extends StartInput, DiskInput {
  readonly clusterName?: Wire<string>
  readonly type?: Wire<'TRAINING'>
  readonly gpuTypeId?: Wire<string>
  readonly podCount?: Wire<number>
  readonly gpuCountPerPod?: Wire<number>
  readonly templateId?: Wire<string>
  readonly deployCost?: Wire<number>
  readonly dataCenterId?: Wire<string>
  readonly dataCenterIds?: Wire<readonly Wire<string>[]>
  readonly allowedCudaVersions?: Wire<readonly Wire<string>[]>
}

export const clusterMutations = {
  createCluster({ input }: { input: ClusterInput }, { world }: Caller) {
    refuseUnemulated('createCluster', input)
    const spec = toClusterSpec(world, input)
    requireCost(world, spec, said(input.deployCost))
    return toCluster(world, createCluster(world, spec))
  },

  deleteCluster({ input: { id } }: { input: { id: string } }, { world }: Caller) {
    deleteCluster(world, id)
    return true
  },
}

export function toCluster(world: World, cluster: Cluster) {
  const { name, type, podCount, gpuCountPerPod } = cluster.spec
  const pods = () => podsOfCluster(world, cluster).map((pod) => toPod(pod))
  return { id: cluster.id, name, type, podCount, gpuCountPerPod, pods }
}

function toClusterSpec(world: World, input: ClusterInput): ClusterSpec {
  const templateId = said(input.templateId)
  const template = templateId === undefined ? undefined : requireTemplate(world, templateId)
  const spec = {
    name: said(input.clusterName) ?? 'cluster',
    // Assumed: what GraphQL's only type stands for is also what there is without one.
    type: input.type ?? 'TRAINING',
    gpuTypeId: said(input.gpuTypeId) ?? '',
    gpuCountPerPod: said(input.gpuCountPerPod) ?? 1,
    podCount: said(input.podCount) ?? 0,
    container: toContainer(world, input, template),
    allowedCudaVersions:
      saidList(input.allowedCudaVersions) ?? template?.spec.allowedCudaVersions ?? [],
    locations: [...parts(input.dataCenterId), ...(saidList(input.dataCenterIds) ?? [])],
    ...toDisks(input, template),
    templateId: template?.id ?? null,
  }
  validate(ClusterSpec, spec, 'bodies')
  return spec
}

/** Observed: without deployCost, and Assumed: with one that is too low, these words. */
function requireCost(world: World, spec: ClusterSpec, deployCost: number | undefined): void {
  const gpu = findGpuType(world, spec.gpuTypeId)
  const usd = (gpu?.priceUsd.secure ?? 0) * spec.gpuCountPerPod * spec.podCount
  // A sum of prices may have stray digits.
  if (deployCost !== undefined && usd <= deployCost + 0.000_1) return
  throw new CloudError('no_capacity', 'Insufficient resources')
}
