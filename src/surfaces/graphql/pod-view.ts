/** Pods and workers as GraphQL shows them: workers are pods of their endpoint. */
import { lowestBids } from '../../domain/spot-prices.ts'
import type { Placement } from '../../model/compute.ts'
import { type ContainerSpec, parsePort } from '../../model/container.ts'
import { holdsCompute, type Pod, type StatusChange } from '../../model/pod.ts'
import type { Worker } from '../../model/worker.ts'
import type { World } from '../../world/world.ts'
import { toIso, toIsoOrNull } from '../http/reply.ts'
import type { Caller } from './caller.ts'
import { toDockerArgs, toEnvLines } from './containers.ts'
import { findCpuFlavor, toCpuFlavor } from './cpus.ts'
import { toEndpoint } from './endpoint-view.ts'
import { toMachine } from './machine-view.ts'
import { gpuIdsOf, toRuntime, toTelemetry, toWorkerTelemetry, uptimeOf } from './runtime-view.ts'
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
  port: ({ container }) => firstHttpPort(container),
  registry: ({ container }, _args, { world }) => toUsedRegistry(world, container.registryId),
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
  lowestBidPriceToResume: ({ pod }, _args, { world }) => pod && lowestBidFor(world, pod),
  machineId: ({ placement }) => placement?.machineId,
  machineType: ({ placement }) => (placement?.gpuTypeId === null ? 'CPU' : 'GPU'),
  machine: ({ placement, pod }, _args, { world }) =>
    placement && toMachine(world, placement, pod?.hostId ?? null),
  cpuFlavorId: ({ placement }) => placement?.flavorId,
  cpuFlavor({ placement }, _args, { world }) {
    const flavor = findCpuFlavor(world, placement?.flavorId ?? null)
    return flavor && toCpuFlavor(world, flavor)
  },
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
  testPod: () => false,
  clusterId: ({ pod }) => pod?.cluster?.clusterId,
  clusterIp: ({ pod }) => pod?.cluster?.ip,
  clusterIdx: ({ pod }) => pod?.cluster?.rank,
  clusterRole: ({ pod }) => pod?.cluster?.role,
  clusterCidr: ({ pod }, _args, { world }) =>
    pod?.cluster && world.clusters.require(pod.cluster.clusterId).network.cidr,
  locked: ({ pod }) => pod?.spec.locked ?? false,
  createdAt: ({ createdAtMs }) => toIso(createdAtMs),
  lastStartedAt: ({ startedAtMs }) => toIsoOrNull(startedAtMs),
  lastStatusChange: ({ lastChange }) => sentenceOf(lastChange),
  uptimeSeconds: ({ pod, worker, startedAtMs }, _args, { world }) =>
    uptimeOf(world, { startedAtMs, status: (pod ?? worker)?.status ?? '' }),
  runtime: ({ pod }, _args, { world }) => pod && toRuntime(world, pod),
  latestTelemetry: ({ pod, worker }, _args, { world }) =>
    pod === null ? worker && toWorkerTelemetry(world, worker) : toTelemetry(world, pod),
  aiApiId: ({ worker }) => worker?.endpointId,
  slsVersion: ({ worker }) => worker?.version,
  endpoint: ({ worker }, _args, { world }) =>
    worker && toEndpoint(world, world.endpoints.require(worker.endpointId)),
  // Plans are bought in the console, which the emulator's accounts never did.
  savingsPlans: () => [],
}

/** Observed: the older way to name the port that the proxy leads to. */
function firstHttpPort({ ports }: ContainerSpec): number | undefined {
  return ports.map(parsePort).find(({ type }) => type === 'http')?.number
}

/** The password stays where it is. */
function toUsedRegistry(world: World, registryId: string | null) {
  const registry = registryId === null ? undefined : world.registries.find(registryId)
  return registry && { auth: registry.id, user: registry.username, username: registry.username }
}

/** Null for a pod that nobody takes away. */
function lowestBidFor(world: World, { spec, placement }: Pod): number | null {
  if (!spec.interruptible || placement.gpuTypeId === null) return null
  const { gpuTypeId, cloud } = placement
  return lowestBids(world.settings.catalog, gpuTypeId, [cloud]).at(0) ?? null
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
