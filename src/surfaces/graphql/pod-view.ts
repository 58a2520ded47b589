/** Pods and workers as GraphQL shows them: workers are pods of their endpoint. */
import { machineRates } from '../../domain/availability.ts'
import type { Placement } from '../../model/compute.ts'
import type { ContainerSpec } from '../../model/container.ts'
import { holdsCompute, type Pod, type StatusChange } from '../../model/pod.ts'
import type { Worker } from '../../model/worker.ts'
import type { World } from '../../world/world.ts'
import { toIso, toIsoOrNull } from '../http/reply.ts'
import type { Caller } from './caller.ts'
import { toDockerArgs, toEnvLines } from './containers.ts'
import { toEndpoint } from './endpoint-view.ts'
import { findGpuType, toGpuType } from './gpu-types.ts'
import { toVolume } from './storage.ts'
import { defaultMountPath } from './templates.ts'

/** A pod, or a worker that is shown as one. */
export interface Rented {
  readonly id: string
  readonly name: string
  readonly container: ContainerSpec
  /** Null while a worker waits for a machine. */
  readonly placement: Placement | null
  readonly templateId: string | null
  readonly version: number
  readonly createdAtMs: number
  readonly startedAtMs: number | null
  readonly lastChange: StatusChange
  readonly pod: Pod | null
  readonly worker: Worker | null
}

export function toPod(pod: Pod): Rented {
  const { id, spec, placement, version, createdAtMs, startedAtMs, lastChange } = pod
  const { name, container, templateId } = spec
  const moments = { createdAtMs, startedAtMs, lastChange }
  return { id, name, container, placement, templateId, version, ...moments, pod, worker: null }
}

export function toWorker(world: World, worker: Worker): Rented {
  const { id, endpointId, image, placement, version, createdAtMs, startedAtMs } = worker
  const { name, container, templateId } = world.endpoints.require(endpointId).spec
  const lastChange = { verb: 'Rented', by: 'Runpod', atMs: startedAtMs ?? createdAtMs } as const
  return {
    ...{ id, name, container: { ...container, image }, placement, templateId, version },
    ...{ createdAtMs, startedAtMs, lastChange, pod: null, worker },
  }
}

type Field = (rented: Rented, args: unknown, caller: Caller) => unknown

/** One function a field, because callers ask for few of them and there are many pods. */
export const podFields: Readonly<Record<string, Field>> = {
  imageName: ({ container }) => container.image,
  env: ({ container }) => toEnvLines(container.env),
  dockerArgs: ({ container }) => toDockerArgs(container),
  ports: ({ container }) => container.ports.join(','),
  containerDiskInGb: ({ container }) => container.diskGb,
  containerRegistryAuthId: ({ container }) => container.registryId,
  desiredStatus: ({ pod }) => toDesiredStatus(pod),
  podType: ({ pod }) => (pod?.spec.interruptible ? 'INTERRUPTABLE' : 'RESERVED'),
  gpuCount: ({ placement }) => placement?.gpuCount ?? 0,
  vcpuCount: ({ placement }) => placement?.vcpuCount ?? 0,
  memoryInGb: ({ placement }) => placement?.memoryGb ?? 0,
  costPerHr: ({ placement }) => placement?.costPerHourUsd ?? 0,
  adjustedCostPerHr: ({ placement }) => placement?.costPerHourUsd ?? 0,
  costMultiplier: () => 1,
  machineId: ({ placement }) => placement?.machineId,
  machineType: ({ placement }) => (placement?.gpuTypeId === null ? 'CPU' : 'GPU'),
  machine: ({ placement, pod }, _args, { world }) =>
    placement && toMachine(world, placement, pod?.hostId ?? null),
  cpuFlavorId: ({ placement }) => placement?.flavorId,
  gpus: ({ id, placement }) => gpuIdsOf(placement).map((gpuId) => ({ id: gpuId, podId: id })),
  volumeInGb: ({ pod }) => pod?.spec.persistent?.sizeGb ?? 0,
  volumeMountPath: ({ pod }) => mountPathOf(pod),
  volumeEncrypted: () => false,
  networkVolumeId: ({ pod }) => pod?.spec.network?.volumeId,
  networkVolume: ({ pod }, _args, { world }) => {
    const volume = world.networkVolumes.find(pod?.spec.network?.volumeId ?? '')
    return volume && toVolume(world, volume)
  },
  consumerUserId: (_rented, _args, { world }) => world.account.id,
  locked: ({ pod }) => pod?.spec.locked ?? false,
  createdAt: ({ createdAtMs }) => toIso(createdAtMs),
  lastStartedAt: ({ startedAtMs }) => toIsoOrNull(startedAtMs),
  lastStatusChange: ({ lastChange }) => sentenceOf(lastChange),
  uptimeSeconds: (rented, _args, { world }) => uptimeOf(world, rented),
  runtime: ({ pod }, _args, { world }) => pod && toRuntime(world, pod),
  latestTelemetry: ({ pod }, _args, { world }) => pod && toTelemetry(world, pod),
  aiApiId: ({ worker }) => worker?.endpointId,
  slsVersion: ({ worker }) => worker?.version,
  endpoint: ({ worker }, _args, { world }) =>
    worker && toEndpoint(world, world.endpoints.require(worker.endpointId)),
  // Plans are bought in the console, which the emulator's accounts never did.
  savingsPlans: () => [],
}

/** What has to be looked up is looked up when it is asked for. */
function toMachine(world: World, placement: Placement, hostId: string | null) {
  const { machineId, dataCenterId, gpuTypeId, gpuCount, costPerHourUsd } = placement
  const gpuType = () => (gpuTypeId === null ? undefined : findGpuType(world, gpuTypeId))
  const dataCenter = () => world.stock.dataCenters.find(({ id }) => id === dataCenterId)
  return {
    id: machineId,
    podHostId: hostId,
    // Observed: a machine without GPUs has a type called unknown.
    gpuDisplayName: () => gpuType()?.name ?? 'unknown',
    gpuTypeId: gpuTypeId ?? 'unknown',
    gpuType() {
      const type = gpuType()
      return type && toGpuType(world, type)
    },
    location: () => dataCenter()?.countryCode,
    dataCenterId,
    secureCloud: placement.cloud === 'SECURE',
    costPerHr: costPerHourUsd,
    currentPricePerGpu: gpuCount === 0 ? null : costPerHourUsd / gpuCount,
    diskMBps: machineRates.diskMBps,
    maxDownloadSpeedMbps: machineRates.downloadMbps,
    maxUploadSpeedMbps: machineRates.uploadMbps,
    supportPublicIp: true,
    globalNetwork: () => dataCenter()?.globalNetwork,
    machineSystem: { cudaVersion: placement.cudaVersion },
  }
}

/** Null until the container can be reached. A simulated pod does nothing, so it uses nothing. */
function toRuntime(world: World, pod: Pod) {
  if (!isReachable(world, pod)) return null
  return {
    uptimeInSeconds: uptimeOf(world, toPod(pod)),
    ports: pod.ports.map(({ privatePort, publicPort, type }) => ({
      ip: publicPort === null ? privateIpOf(pod) : pod.publicIp,
      isIpPublic: publicPort !== null,
      privatePort,
      // Assumed: the proxy, which HTTP ports are reached through, takes the port's own number.
      publicPort: publicPort ?? privatePort,
      type,
    })),
    gpus: () =>
      gpuIdsOf(pod.placement).map((id) => ({ id, gpuUtilPercent: 0, memoryUtilPercent: 0 })),
    container: { cpuPercent: 0, memoryPercent: 0 },
  }
}

function toTelemetry(world: World, pod: Pod) {
  if (holdsCompute(pod.status) && !isReachable(world, pod)) return null
  const runs = holdsCompute(pod.status)
  return {
    state: runs ? 'running' : 'exited',
    time: toIso(runs ? world.nowMs : pod.lastChange.atMs),
    cpuUtilization: 0,
    memoryUtilization: 0,
    lastStateTransitionTimestamp: Math.floor(pod.lastChange.atMs / 1_000),
  }
}

function isReachable(world: World, { reachableAtMs }: Pod): boolean {
  return reachableAtMs !== null && reachableAtMs <= world.nowMs
}

/** Observed: HTTP ports show an address of 100.65.0.0/16, inside the cloud. */
function privateIpOf({ publicIp }: Pod): string {
  return `100.65.0.${publicIp.split('.').at(-1)}`
}

/** Assumed: the form of a GPU's id. */
function gpuIdsOf(placement: Placement | null): string[] {
  if (placement === null) return []
  const { machineId, gpuCount } = placement
  return Array.from({ length: gpuCount }, (_, index) => `GPU-${machineId}-${index}`)
}

function uptimeOf(world: World, { pod, startedAtMs }: Rented): number {
  const isDown = startedAtMs === null || (pod !== null && pod.status !== 'RUNNING')
  return isDown ? 0 : Math.floor((world.nowMs - startedAtMs) / 1_000)
}

/** Spec: workers have their network volume at the second path. */
function mountPathOf(pod: Pod | null): string {
  if (pod === null) return '/runpod-volume'
  return pod.spec.persistent?.path ?? pod.spec.network?.path ?? defaultMountPath
}

/**
 * Assumed: a pod that failed is not wished for any longer, and a worker is for as long as it is
 * there, whatever keeps it from running.
 */
function toDesiredStatus(pod: Pod | null): 'RUNNING' | 'EXITED' | 'TERMINATED' {
  if (pod === null) return 'RUNNING'
  if (pod.status === 'TERMINATED') return 'TERMINATED'
  return holdsCompute(pod.status) ? 'RUNNING' : 'EXITED'
}

/** `Rented by User: Fri Jul 12 2024 15:14:40 GMT+0000 (Coordinated Universal Time)` */
function sentenceOf({ verb, by, atMs }: StatusChange): string {
  // `Fri, 12 Jul 2024 15:14:40 GMT`
  const utc = new Date(atMs).toUTCString()
  const date = `${utc.slice(0, 3)} ${utc.slice(8, 11)} ${utc.slice(5, 7)}`
  return `${verb} by ${by}: ${date} ${utc.slice(12)}+0000 (Coordinated Universal Time)`
}
