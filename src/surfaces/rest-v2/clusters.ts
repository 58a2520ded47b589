/** Clusters as REST v2 spells them: one shape for all pods, and no status of their own. */
import * as Type from '@sinclair/typebox'
import {
  createCluster,
  deleteCluster,
  podsOfCluster,
  renameCluster,
} from '../../domain/clusters.ts'
import { changed, plainContainer } from '../../domain/containers.ts'
import { startEnvironment } from '../../domain/environment.ts'
import type { Cluster, ClusterSpec } from '../../model/cluster.ts'
import { ruleViolation } from '../../model/errors.ts'
import type { World } from '../../world/world.ts'
import { defineOperation, type Operation } from '../http/operation.ts'
import { created, noContent, ok, toIso } from '../http/reply.ts'
import { ClusterReply, CreateClusterBody, UpdateClusterBody } from './cluster-schemas.ts'
import { toContainerChanges } from './container.ts'
import { onlyPage, Pagination } from './pages.ts'
import { findTemplate, toDisks } from './pod-input.ts'
import { toPodV2 } from './pod-render.ts'
import { PodReply } from './pod-schemas.ts'
import { readReplies, writeReplies } from './replies.ts'

const tag = 'clusters'
const one = Type.Object({ id: Type.String() })
const List = Type.Object({ clusters: Type.Array(ClusterReply), pagination: Pagination })
const PodList = Type.Object({ pods: Type.Array(PodReply), pagination: Pagination })

export const clusterOperations: readonly Operation[] = [
  defineOperation({
    name: 'listClusters',
    method: 'GET',
    path: '/v2/clusters',
    summary: 'Clusters of the account.',
    tag,
    needs: 'read',
    replies: readReplies('Clusters.', List),
    handle: ({ world }) => {
      const clusters = world.clusters.all().map((cluster) => toClusterV2(world, cluster))
      return ok({ clusters, pagination: onlyPage })
    },
  }),
  defineOperation({
    name: 'createCluster',
    method: 'POST',
    path: '/v2/clusters',
    summary: 'Rents machines of one data center, all or none, and connects them.',
    tag,
    needs: 'write',
    body: CreateClusterBody,
    replies: writeReplies(201, 'The new cluster.', ClusterReply),
    handle: ({ world, body }) =>
      created(toClusterV2(world, createCluster(world, toClusterSpec(world, body)))),
  }),
  defineOperation({
    name: 'getCluster',
    method: 'GET',
    path: '/v2/clusters/{id}',
    summary: 'One cluster.',
    tag,
    needs: 'read',
    params: one,
    replies: readReplies('The cluster.', ClusterReply),
    handle: ({ world, params }) => ok(toClusterV2(world, world.clusters.require(params.id))),
  }),
  defineOperation({
    name: 'updateCluster',
    method: 'PATCH',
    path: '/v2/clusters/{id}',
    summary: 'Renames a cluster; nothing else about it can be changed.',
    tag,
    needs: 'write',
    params: one,
    body: UpdateClusterBody,
    replies: writeReplies(200, 'The cluster as it is now.', ClusterReply),
    handle: ({ world, params, body: { name = '' } }) =>
      ok(toClusterV2(world, renameCluster(world, params.id, name))),
  }),
  defineOperation({
    name: 'deleteCluster',
    method: 'DELETE',
    path: '/v2/clusters/{id}',
    summary: 'Ends a cluster and all its pods.',
    tag,
    needs: 'write',
    params: one,
    replies: writeReplies(204, 'Gone.'),
    handle: ({ world, params }) => {
      deleteCluster(world, params.id)
      return noContent()
    },
  }),
  defineOperation({
    name: 'listClusterPods',
    method: 'GET',
    path: '/v2/clusters/{id}/pods',
    summary: 'Pods of a cluster, by rank.',
    tag,
    needs: 'read',
    params: one,
    replies: readReplies('Pods.', PodList),
    handle: ({ world, params }) => {
      const members = podsOfCluster(world, world.clusters.require(params.id))
      return ok({ pods: members.map((pod) => toPodV2(pod, world.nowMs)), pagination: onlyPage })
    },
  }),
]

/** Spec: with a template, the body may say nothing that the template says. */
const saidByTemplate = [
  ...(['image', 'args', 'entrypoint', 'cmd', 'disk', 'env', 'ports', 'mounts'] as const),
]

function toClusterSpec(world: World, body: CreateClusterBody): ClusterSpec {
  const template = findTemplate(world, body.templateId)
  const saidTwice = saidByTemplate.find((field) => body[field] !== undefined)
  if (template !== undefined && saidTwice !== undefined) {
    throw ruleViolation(`templateId and ${saidTwice} exclude each other`)
  }
  const own = changed(
    { ...plainContainer, image: body.image ?? '' },
    toContainerChanges(body, plainContainer),
  )
  const container = template?.spec.container ?? own
  return {
    name: body.name,
    type: body.type,
    ...body.compute,
    container: { ...container, env: { ...startEnvironment(world, body), ...container.env } },
    allowedCudaVersions: template?.spec.allowedCudaVersions ?? [],
    locations: body.dataCenterIds ?? [],
    ...toDisks(body, 'GPU', template),
    templateId: template?.id ?? null,
  }
}

function toClusterV2(world: World, cluster: Cluster) {
  const { id, spec, status, dataCenterId, network, createdAtMs } = cluster
  const { gpuTypeId, gpuCountPerPod, podCount } = spec
  const pods = podsOfCluster(world, cluster)
  const byStatus: Record<string, number> = {}
  for (const pod of pods) byStatus[pod.status] = (byStatus[pod.status] ?? 0) + 1
  const isPlaced = status !== 'FORMING'
  return {
    id,
    name: spec.name,
    type: spec.type,
    compute: { gpuTypeId, gpuCountPerPod, podCount },
    ...(spec.templateId === null ? {} : { template: spec.templateId }),
    ...(isPlaced ? { dataCenterId } : {}),
    pods: { total: pods.length, byStatus },
    ...(status === 'CONNECTED' ? { network } : {}),
    ...(isPlaced ? toPrimary(world, cluster) : {}),
    createdAt: toIso(createdAtMs),
  }
}

/** Spec: how to reach it as soon as it runs and has a port for that. */
function toPrimary(world: World, { podIds }: Cluster) {
  const pod = world.pods.find(podIds[0] ?? '')
  if (pod === undefined) return {}
  const { direct } = toPodV2(pod, world.nowMs).ssh
  const endpoint = direct === null ? {} : { sshEndpoint: `${direct.host}:${direct.port}` }
  return { primary: { podId: pod.id, status: pod.status, ...endpoint } }
}
