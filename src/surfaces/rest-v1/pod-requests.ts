/** What v1 callers ask of pods: flat fields with generous defaults, and what they mean. */
import type { Static } from '@sinclair/typebox'
import * as Type from '@sinclair/typebox'
import {
  cpuInstances,
  dataCentersFor,
  inStockOrder,
  priorities,
  requireMachineRates,
} from '../../domain/availability.ts'
import { requireTemplate } from '../../domain/templates.ts'
import type { Compute } from '../../model/compute.ts'
import { CloudTier } from '../../model/container.ts'
import { ruleViolation } from '../../model/errors.ts'
import { type PodSpec, ResourceName } from '../../model/pod.ts'
import { OneOf, OrNull } from '../../model/schema.ts'
import type { Template } from '../../model/template.ts'
import type { World } from '../../world/world.ts'
import {
  ContainerGb,
  containerFields,
  defaultDiskGb,
  defaultMountPath,
  diskFields,
  toChangedContainer,
  toContainer,
  VolumeGb,
} from './containers.ts'
import { CudaVersionV1, cpuFlavorsNamed, dataCentersNamed, gpuTypesNamed } from './named-types.ts'

const strict = { additionalProperties: false }
const Ids = Type.Optional(Type.Array(Type.String()))
const Off = Type.Boolean({ default: false })
const PriorityField = OneOf(priorities, { default: 'availability' })
const Rate = Type.Optional(Type.Number({ minimum: 0 }))

/** Spec: for a pod, no size may be said as null too. */
const sizes = {
  containerDiskInGb: Type.Optional(OrNull(ContainerGb)),
  volumeInGb: Type.Optional(OrNull(VolumeGb)),
}

// Spec: every default here and in `containers.ts`.
export const CreatePodRequest = Type.Object(
  {
    ...containerFields,
    ...diskFields,
    ...sizes,
    name: Type.String({ ...ResourceName, default: 'my pod' }),
    computeType: OneOf(['GPU', 'CPU'], { default: 'GPU' }),
    cloudType: Type.Unsafe<Static<typeof CloudTier>>({ ...CloudTier, default: 'SECURE' }),
    gpuTypeIds: Ids,
    gpuTypePriority: PriorityField,
    gpuCount: Type.Integer({ minimum: 1, default: 1 }),
    allowedCudaVersions: Type.Array(CudaVersionV1, { default: [] }),
    minRAMPerGPU: Type.Integer({ minimum: 0, default: 8 }),
    minVCPUPerGPU: Type.Integer({ minimum: 0, default: 2 }),
    cpuFlavorIds: Ids,
    cpuFlavorPriority: PriorityField,
    vcpuCount: Type.Integer({ minimum: 1, default: 2 }),
    countryCodes: Ids,
    dataCenterIds: Ids,
    dataCenterPriority: PriorityField,
    minDiskBandwidthMBps: Rate,
    minDownloadMbps: Rate,
    minUploadMbps: Rate,
    /** Assumed: every machine of the community cloud has a public address, asked for or not. */
    supportPublicIp: Type.Optional(Type.Boolean()),
    globalNetworking: Off,
    interruptible: Off,
    locked: Off,
    networkVolumeId: Type.Optional(Type.String({ minLength: 1 })),
    templateId: Type.Optional(Type.String({ minLength: 1 })),
  },
  strict,
)
export type CreatePodRequest = Static<typeof CreatePodRequest>

export const UpdatePodRequest = Type.Object(
  {
    ...containerFields,
    ...diskFields,
    ...sizes,
    name: Type.Optional(ResourceName),
    globalNetworking: Type.Optional(Type.Boolean()),
    locked: Type.Optional(Type.Boolean()),
  },
  strict,
)
export type UpdatePodRequest = Static<typeof UpdatePodRequest>

export function toPodSpec(world: World, body: CreatePodRequest): PodSpec {
  const template = body.templateId === undefined ? undefined : podTemplate(world, body.templateId)
  requireMachineRates({
    diskMBps: body.minDiskBandwidthMBps,
    downloadMbps: body.minDownloadMbps,
    uploadMbps: body.minUploadMbps,
  })
  const isGpu = body.computeType === 'GPU'
  const { compute, locations } = inStockOrder(
    world,
    {
      compute: toCompute(world, body),
      cloud: body.cloudType,
      locations: toLocations(world, body),
    },
    {
      types: isGpu ? body.gpuTypePriority : body.cpuFlavorPriority,
      dataCenters: body.dataCenterPriority,
    },
  )
  return {
    name: body.name,
    container: toContainer(body, template?.spec.container),
    compute,
    // Spec: CPU pods exist in the secure cloud only.
    clouds: isGpu ? [body.cloudType] : ['SECURE'],
    locations,
    ...toMounts(body, template),
    templateId: body.templateId ?? null,
    interruptible: body.interruptible,
    locked: body.locked,
    globalNetworking: body.globalNetworking,
  }
}

/** A field that is absent, or null where null is allowed, stays as it is. */
export function toChangedPodSpec(spec: PodSpec, body: UpdatePodRequest): PodSpec {
  const { persistent, network } = spec
  const sizeGb = body.volumeInGb ?? persistent?.sizeGb ?? 0
  const path = body.volumeMountPath ?? persistent?.path ?? defaultMountPath
  return {
    ...spec,
    name: body.name ?? spec.name,
    container: toChangedContainer(spec.container, body),
    persistent: sizeGb === 0 ? null : { sizeGb, path },
    network: network && { ...network, path: body.volumeMountPath ?? network.path },
    locked: body.locked ?? spec.locked,
    globalNetworking: body.globalNetworking ?? spec.globalNetworking,
  }
}

function podTemplate(world: World, templateId: string): Template {
  const template = requireTemplate(world, templateId)
  if (template.spec.serverless) {
    throw ruleViolation(`template ${templateId} is for serverless endpoints, not for pods`)
  }
  return template
}

/** Spec: fields of the other kind of compute are ignored. */
function toCompute(world: World, body: CreatePodRequest): Compute {
  if (body.computeType === 'CPU') {
    const flavorIds = cpuFlavorsNamed(world, body.cpuFlavorIds)
    return { kind: 'CPU', instances: cpuInstances(world, flavorIds, body.vcpuCount) }
  }
  return {
    kind: 'GPU',
    gpuTypeIds: gpuTypesNamed(world, body.gpuTypeIds),
    count: body.gpuCount,
    allowedCudaVersions: body.allowedCudaVersions,
    minCudaVersion: null,
    minRamGbPerGpu: body.minRAMPerGPU,
    minVcpuPerGpu: body.minVCPUPerGPU,
  }
}

function toLocations(world: World, body: CreatePodRequest): string[] {
  const { countryCodes, globalNetworking } = body
  const dataCenterIds = dataCentersNamed(world, body.dataCenterIds)
  return dataCentersFor(world, { dataCenterIds, countryCodes, globalNetworking })
}

/** Spec: a network volume takes the place of the pod's own. Assumed: CPU pods have no own volume. */
function toMounts(
  { networkVolumeId, volumeInGb, volumeMountPath, computeType }: CreatePodRequest,
  template: Template | undefined,
): Pick<PodSpec, 'persistent' | 'network'> {
  const theirs = template?.spec.persistent
  const path = volumeMountPath ?? theirs?.path ?? defaultMountPath
  if (networkVolumeId !== undefined) {
    return { persistent: null, network: { volumeId: networkVolumeId, path } }
  }
  const otherwiseGb = template === undefined ? defaultDiskGb : (theirs?.sizeGb ?? 0)
  const sizeGb = computeType === 'CPU' ? 0 : (volumeInGb ?? otherwiseGb)
  return { persistent: sizeGb === 0 ? null : { sizeGb, path }, network: null }
}
