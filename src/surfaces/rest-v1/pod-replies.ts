/** Pods and workers as v1 shows them: flat, with the status that is wished for. */
import * as Type from '@sinclair/typebox'
import { reportedPorts } from '../../domain/pod-addresses.ts'
import { findTemplate } from '../../domain/templates.ts'
import type { Placement } from '../../model/compute.ts'
import type { ContainerSpec } from '../../model/container.ts'
import { holdsCompute, type Pod, type PodStatus, type StatusChange } from '../../model/pod.ts'
import { OneOf, OrNull } from '../../model/schema.ts'
import type { Worker } from '../../model/worker.ts'
import type { World } from '../../world/world.ts'
import { toIso } from '../http/reply.ts'
import { containerReply, defaultMountPath, toContainerV1 } from './containers.ts'
import { GpuV1, MachineV1, toGpuV1, toMachineV1 } from './machines.ts'
import { TemplateV1, toTemplateV1 } from './template-replies.ts'
import { NetworkVolumeV1, toNetworkVolumeV1 } from './volume-replies.ts'

export const desiredStatuses = ['RUNNING', 'EXITED', 'TERMINATED'] as const
type DesiredStatus = (typeof desiredStatuses)[number]

const SavingsPlanV1 = Type.Object({
  id: Type.String(),
  podId: Type.String(),
  gpuTypeId: Type.String(),
  costPerHr: Type.Number(),
  startTime: Type.String(),
  endTime: Type.String(),
})

export const PodV1 = Type.Object({
  ...containerReply,
  id: Type.String(),
  name: Type.String(),
  image: Type.String(),
  desiredStatus: OneOf(desiredStatuses),
  consumerUserId: Type.String(),
  machineId: Type.Optional(Type.String()),
  costPerHr: Type.Number(),
  adjustedCostPerHr: Type.Number(),
  gpu: Type.Optional(GpuV1),
  gpuCount: Type.Integer(),
  cpuFlavorId: Type.Optional(Type.String()),
  vcpuCount: Type.Integer(),
  memoryInGb: Type.Integer(),
  volumeInGb: Type.Integer(),
  volumeMountPath: Type.String(),
  volumeEncrypted: Type.Boolean(),
  publicIp: OrNull(Type.String()),
  portMappings: OrNull(Type.Record(Type.String(), Type.Integer())),
  interruptible: Type.Boolean(),
  locked: Type.Boolean(),
  lastStatusChange: Type.String(),
  lastStartedAt: Type.Optional(Type.String()),
  createdAt: Type.String(),
  templateId: Type.Optional(Type.String()),
  endpointId: Type.Optional(Type.String()),
  aiApiId: Type.Optional(Type.String()),
  slsVersion: Type.Optional(Type.Integer()),
  machine: Type.Optional(MachineV1),
  networkVolume: Type.Optional(NetworkVolumeV1),
  savingsPlans: Type.Optional(Type.Array(SavingsPlanV1)),
  template: Type.Optional(TemplateV1),
})

const Flag = Type.Boolean({ default: false })

/** Spec: what is shown only on request. */
export const includeFlags = {
  includeMachine: Flag,
  includeNetworkVolume: Flag,
  includeSavingsPlans: Flag,
  includeTemplate: Flag,
}
export type Includes = { readonly [Name in keyof typeof includeFlags]?: boolean }

export function toPodV1(world: World, pod: Pod, includes: Includes = {}) {
  const { spec, lastChange, startedAtMs } = pod
  const volume = spec.network && world.networkVolumes.find(spec.network.volumeId)
  return {
    id: pod.id,
    name: spec.name,
    desiredStatus: toDesiredStatus(pod.status),
    ...rentedParts(world, spec.container, pod.placement, includes),
    ...templatePart(world, spec.templateId, includes),
    volumeInGb: spec.persistent?.sizeGb ?? 0,
    // Assumed: without a volume, the path is where one would be.
    volumeMountPath: spec.persistent?.path ?? spec.network?.path ?? defaultMountPath,
    ...reachableParts(world, pod),
    interruptible: spec.interruptible,
    locked: spec.locked,
    lastStatusChange: sentenceOf(lastChange),
    lastStartedAt: startedAtMs === null ? undefined : toIso(startedAtMs),
    createdAt: toIso(pod.createdAtMs),
    ...(includes.includeNetworkVolume && volume
      ? { networkVolume: toNetworkVolumeV1(volume) }
      : {}),
  }
}

/** Assumed: a worker is wished to run for as long as it is there, whatever keeps it from running. */
export function toWorkerV1(world: World, worker: Worker, includes: Includes = {}) {
  const { spec } = world.endpoints.require(worker.endpointId)
  const atMs = worker.startedAtMs ?? worker.createdAtMs
  return {
    id: worker.id,
    name: spec.name,
    desiredStatus: 'RUNNING' as const,
    ...rentedParts(world, { ...spec.container, image: worker.image }, worker.placement, includes),
    ...templatePart(world, spec.templateId, includes),
    volumeInGb: 0,
    // Spec: workers have their network volume here.
    volumeMountPath: '/runpod-volume',
    publicIp: null,
    portMappings: null,
    interruptible: false,
    locked: false,
    lastStatusChange: sentenceOf({ verb: 'Rented', by: 'Runpod', atMs }),
    lastStartedAt: worker.startedAtMs === null ? undefined : toIso(worker.startedAtMs),
    createdAt: toIso(worker.createdAtMs),
    endpointId: worker.endpointId,
    aiApiId: worker.endpointId,
    slsVersion: worker.version,
  }
}

/** What pods and workers have in common: a container on a part of a machine. */
function rentedParts(
  world: World,
  container: ContainerSpec,
  placement: Placement | null,
  { includeMachine, includeSavingsPlans }: Includes,
) {
  const costPerHr = placement?.costPerHourUsd ?? 0
  return {
    // Observed: clients read `imageName`, and the published schema says `image`.
    image: container.image,
    ...toContainerV1(container),
    consumerUserId: world.account.id,
    machineId: placement?.machineId,
    costPerHr,
    adjustedCostPerHr: costPerHr,
    gpu: placement === null ? undefined : toGpuV1(world, placement),
    gpuCount: placement?.gpuCount ?? 0,
    cpuFlavorId: placement?.flavorId ?? undefined,
    vcpuCount: placement?.vcpuCount ?? 0,
    memoryInGb: placement?.memoryGb ?? 0,
    volumeEncrypted: false,
    ...(includeMachine && placement !== null ? { machine: toMachineV1(world, placement) } : {}),
    // Savings plans are bought in the console, which the emulator's accounts never did.
    ...(includeSavingsPlans ? { savingsPlans: [] } : {}),
  }
}

function templatePart(world: World, templateId: string | null, { includeTemplate }: Includes) {
  const template = findTemplate(world, templateId)
  return {
    templateId: templateId ?? undefined,
    ...(includeTemplate && template ? { template: toTemplateV1(template) } : {}),
  }
}

/** Spec: address and ports are not there while the pod initializes. HTTP ports have no mapping. */
function reachableParts(world: World, pod: Pod) {
  const { publicIp } = pod
  const ports = reportedPorts(pod, world.nowMs)
  if (ports === undefined) return { publicIp: null, portMappings: null }
  const mapped = ports.flatMap(({ privatePort, publicPort }) =>
    publicPort === null ? [] : [[String(privatePort), publicPort] as const],
  )
  return { publicIp, portMappings: Object.fromEntries(mapped) as Record<string, number> }
}

export function toDesiredStatus(status: PodStatus): DesiredStatus {
  if (status === 'TERMINATED') return 'TERMINATED'
  return holdsCompute(status) ? 'RUNNING' : 'EXITED'
}

/** `Rented by User: Fri Jul 12 2024 15:14:40 GMT+0000 (Coordinated Universal Time)` */
function sentenceOf({ verb, by, atMs }: StatusChange): string {
  const [weekday = '', day, month, year, time] = new Date(atMs).toUTCString().split(' ')
  const date = `${weekday.slice(0, 3)} ${month} ${day} ${year} ${time}`
  return `${verb} by ${by}: ${date} GMT+0000 (Coordinated Universal Time)`
}
