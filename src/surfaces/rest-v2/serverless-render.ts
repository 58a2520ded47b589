/** Endpoints and workers as REST v2 shows them. */
import { poolsOfTypes } from '../../domain/gpu-pools.ts'
import type { Endpoint, EndpointSpec } from '../../model/endpoint.ts'
import type { Worker } from '../../model/worker.ts'
import type { World } from '../../world/world.ts'
import { toIso, toIsoOrNull } from '../http/reply.ts'
import { toContainerV2 } from './container.ts'

export function toEndpointV2(world: World, { id, spec, createdAtMs }: Endpoint, origin: string) {
  return {
    id,
    name: spec.name,
    type: spec.type,
    requestUrls: toRequestUrls(spec, `${origin}/v2/${id}`),
    ...toContainerV2(spec.container),
    ...toCompute(world, spec),
    workers: toWorkers(spec),
    scaling: toScaling(spec),
    dataCenterIds: toDataCenterIds(world, spec),
    networkVolumes: spec.networkVolumeIds,
    timeout: spec.executionTimeoutMs,
    flashboot: spec.flashBoot,
    createdAt: toIso(createdAtMs),
  }
}

export function toWorkerList(world: World, { id, version }: Endpoint) {
  const load = world.queues.of(id)
  const workers = world.queues.workersOf(id)
  const { RUNNING, IDLE, INITIALIZING, THROTTLED, UNHEALTHY } = load.workers
  return {
    workers: workers.map((worker) => toWorker(worker, version, world.nowMs)),
    summary: {
      running: RUNNING,
      idle: IDLE,
      initializing: INITIALIZING,
      throttled: THROTTLED,
      unhealthy: UNHEALTHY,
      total: workers.length,
    },
    endpointVersion: version,
  }
}

function toWorker(worker: Worker, endpointVersion: number, nowMs: number) {
  const { id, status, version, image, startedAtMs, placement } = worker
  return {
    id,
    status,
    isStale: version !== endpointVersion,
    version,
    gpuCount: placement?.gpuCount ?? 0,
    image,
    uptimeSeconds: startedAtMs === null ? null : Math.floor((nowMs - startedAtMs) / 1_000),
    gpuTypeId: placement?.gpuTypeId ?? null,
    dataCenterId: placement?.dataCenterId ?? null,
    startedAt: toIsoOrNull(startedAtMs),
  }
}

/** Spec: under the address that the caller used, with a literal `{job_id}`. */
function toRequestUrls({ type }: EndpointSpec, base: string): Record<string, string> {
  if (type === 'LOAD_BALANCER') return { base, health: `${base}/ping` }
  return {
    run: `${base}/run`,
    runSync: `${base}/runsync`,
    status: `${base}/status/{job_id}`,
    stream: `${base}/stream/{job_id}`,
    cancel: `${base}/cancel/{job_id}`,
    retry: `${base}/retry/{job_id}`,
    purgeQueue: `${base}/purge-queue`,
    health: `${base}/health`,
  }
}

function toCompute(world: World, { compute }: EndpointSpec) {
  const { catalog } = world.settings
  if (compute.kind === 'CPU') {
    const cpu = compute.instances.map(({ flavorId, vcpuCount }) => {
      const flavor = catalog.cpus.find(({ id }) => id === flavorId)
      return { id: flavorId, vcpuCount, memory: vcpuCount * (flavor?.ramGbPerVcpu ?? 0) }
    })
    return { cpu }
  }
  const { pools, excludedTypeIds } = poolsOfTypes(catalog, compute.gpuTypeIds)
  const { count, allowedCudaVersions, minCudaVersion } = compute
  const excludedTypes = excludedTypeIds
  return { gpu: { pools, excludedTypes, count, allowedCudaVersions, minCudaVersion } }
}

/** Spec: idleTimeout is left out where it does not apply. */
function toWorkers({ type, scaling, workersMin, workersMax, idleTimeoutMs }: EndpointSpec) {
  const sized = { min: workersMin, max: workersMax }
  if (type === 'QUEUE' && scaling.type === 'REQUEST_COUNT') return sized
  return { ...sized, idleTimeout: idleTimeoutMs / 1_000 }
}

function toScaling({ scaling }: EndpointSpec) {
  return scaling.type === 'QUEUE_DELAY'
    ? { type: scaling.type, queueDelay: scaling.queueDelayMs / 1_000 }
    : { type: scaling.type, requestCount: scaling.requestCount }
}

/** A country, which GraphQL may have said, stands for its data centers. */
function toDataCenterIds(world: World, { locations }: EndpointSpec): string[] {
  const { dataCenters } = world.settings.catalog
  return locations.flatMap((location) =>
    dataCenters
      .filter(({ id, countryCode }) => id === location || countryCode === location)
      .map(({ id }) => id),
  )
}
