/** Endpoints as GraphQL shows them: flat, pools in one text, workers as pods. */
import { poolsOfTypes } from '../../domain/gpu-pools.ts'
import { findTemplate } from '../../domain/templates.ts'
import type { Compute } from '../../model/compute.ts'
import type { Endpoint, EndpointSpec, Scaling } from '../../model/endpoint.ts'
import type { WorkerStatus } from '../../model/worker.ts'
import type { World } from '../../world/world.ts'
import { toIso } from '../http/reply.ts'
import { buildsOf, toBuild } from './builds.ts'
import { toEnvPairs } from './containers.ts'
import { findRelease, toRelease } from './hub.ts'
import { toInstanceId } from './instances.ts'
import { toWorker } from './pod-view.ts'
import { toVolume } from './storage.ts'
import { toTemplate } from './templates.ts'
import { toWebhookRequests, type WebhookRequestsArgs } from './webhook-requests.ts'

export function toEndpoint(world: World, endpoint: Endpoint) {
  const { id, spec } = endpoint
  return {
    id,
    name: spec.name,
    userId: world.account.id,
    type: spec.type === 'QUEUE' ? 'QB' : 'LB',
    aiKey: endpoint.aiKey,
    version: endpoint.version,
    createdAt: () => toIso(endpoint.createdAtMs),
    env: () => toEnvPairs(spec.container.env),
    templateId: spec.templateId,
    template() {
      const template = findTemplate(world, spec.templateId)
      return template && toTemplate(world, template)
    },
    ...toComputeFields(world, spec.compute),
    // Observed: the default is any place, which is an empty text.
    locations: spec.locations.join(','),
    ...toVolumeFields(world, spec),
    ...toScalerFields(spec.scaling),
    workersMin: spec.workersMin,
    workersMax: spec.workersMax,
    idleTimeout: Math.ceil(spec.idleTimeoutMs / 1_000),
    executionTimeoutMs: spec.executionTimeoutMs,
    flashBootType: spec.flashBoot,
    builds: () => buildsOf(world, id).map(toBuild),
    activeBuildid: () =>
      buildsOf(world, id)
        .filter(({ status }) => status === 'COMPLETED')
        .at(-1)?.id,
    workerState: () => [toWorkerState(world, id)],
    webhookRequests: (args: WebhookRequestsArgs) => toWebhookRequests(world, id, args),
    pods: () => world.queues.workersOf(id).map((worker) => toWorker(world, worker)),
    flashEnvironmentId: spec.flashEnvironmentId ?? null,
    hubRelease() {
      const found = findRelease(world, spec.hubReleaseId)
      return found && toRelease(found.listing, found.release)
    },
    modelReferences: spec.modelReferences ?? [],
    compliance: spec.compliance ?? [],
    // Refused when they are set, so they never are.
    workersPFBTarget: 0,
    workersStandby: spec.workersStandby ?? 0,
  }
}

/** Assumed: one row, for now, whatever the granularity: no past states are kept. */
function toWorkerState(world: World, endpointId: string) {
  const workers = world.queues.workersOf(endpointId)
  const count = (status: WorkerStatus) =>
    workers.filter((worker) => worker.status === status).length
  return {
    time: toIso(world.nowMs),
    initializing: count('INITIALIZING'),
    idle: count('IDLE'),
    running: count('RUNNING'),
    throttled: count('THROTTLED'),
    unhealthy: count('UNHEALTHY'),
  }
}

function toComputeFields(world: World, compute: Compute) {
  const { catalog } = world.settings
  if (compute.kind === 'CPU') {
    const instanceIds = compute.instances.map((instance) => toInstanceId(catalog, instance))
    return { computeType: 'CPU', gpuIds: '', gpuCount: 0, instanceIds, allowedCudaVersions: '' }
  }
  return {
    computeType: 'GPU',
    gpuIds: () => gpuIdsOf(world, compute.gpuTypeIds),
    gpuCount: compute.count,
    instanceIds: [],
    allowedCudaVersions: compute.allowedCudaVersions.join(','),
    minCudaVersion: compute.minCudaVersion ?? '',
  }
}

/** Types that no pool has, which other surfaces may have chosen, stand for themselves. */
function gpuIdsOf(world: World, gpuTypeIds: readonly string[]): string {
  const { catalog } = world.settings
  const { pools, excludedTypeIds } = poolsOfTypes(catalog, gpuTypeIds)
  const loose = gpuTypeIds.filter(
    (id) => !catalog.pools.some((pool) => pool.gpuTypeIds.includes(id)),
  )
  return [...pools, ...loose, ...excludedTypeIds.map((id) => `-${id}`)].join(',')
}

function toVolumeFields(world: World, { networkVolumeIds }: EndpointSpec) {
  const volumes = networkVolumeIds.flatMap((id) => world.networkVolumes.find(id) ?? [])
  const [first] = volumes
  return {
    networkVolumeId: first?.id ?? null,
    networkVolume: () => first && toVolume(world, first),
    networkVolumeIds: volumes.map(({ id, dataCenterId }) => ({
      networkVolumeId: id,
      dataCenterId,
    })),
  }
}

/** GraphQL counts whole seconds and has no half ones. */
function toScalerFields(scaling: Scaling) {
  const scalerValue =
    scaling.type === 'QUEUE_DELAY' ? Math.ceil(scaling.queueDelayMs / 1_000) : scaling.requestCount
  return { scalerType: scaling.type, scalerValue }
}
