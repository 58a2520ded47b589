/** What a GraphQL caller says about a new pod, and the pod that this asks for. */
import { cpuInstances, dataCentersFor, requireMachineRates } from '../../domain/availability.ts'
import { findTemplate, requireTemplate } from '../../domain/templates.ts'
import type { Certificate } from '../../model/catalog.ts'
import type { Compute } from '../../model/compute.ts'
import type { CloudTier } from '../../model/container.ts'
import { ruleViolation } from '../../model/errors.ts'
import { PodSpec } from '../../model/pod.ts'
import type { Template } from '../../model/template.ts'
import type { World } from '../../world/world.ts'
import { validate } from '../http/validate.ts'
import { type StartInput, toContainer } from './containers.ts'
import { parts, refuseUnemulated, said, saidList, toInstant, type Wire } from './inputs.ts'
import { smallestInstances, toInstance } from './instances.ts'
import { defaultMountPath } from './templates.ts'

/** Where a pod, or each pod of a cluster, keeps what is to outlast its container. */
export interface DiskInput {
  readonly volumeInGb?: Wire<number>
  readonly volumeMountPath?: Wire<string>
  readonly networkVolumeId?: Wire<string>
}

export interface PodInput extends StartInput, DiskInput {
  readonly name?: Wire<string>
  readonly templateId?: Wire<string>
  readonly dataCenterId?: Wire<string>
  readonly dataCenterIds?: Wire<readonly Wire<string>[]>
  readonly countryCode?: Wire<string>
  readonly minDownload?: Wire<number>
  readonly minUpload?: Wire<number>
  readonly cloudType?: Wire<'ALL' | CloudTier>
  readonly gpuTypeId?: Wire<string>
  readonly gpuTypeIdList?: Wire<readonly Wire<string>[]>
  readonly gpuCount?: Wire<number>
  readonly minVcpuCount?: Wire<number>
  readonly minMemoryInGb?: Wire<number>
  readonly cudaVersion?: Wire<string>
  readonly allowedCudaVersions?: Wire<readonly Wire<string>[]>
  readonly minCudaVersion?: Wire<string>
  readonly computeType?: Wire<'CPU' | 'GPU'>
  readonly deployCost?: Wire<number>
  readonly compliance?: Wire<readonly Wire<Certificate>[]>
  readonly stopAfter?: Wire<string>
  readonly terminateAfter?: Wire<string>
  readonly instanceIds?: Wire<readonly Wire<string>[]>
}

/** Assumed: ALL, and nothing, try the secure cloud first. */
const clouds = {
  ALL: ['SECURE', 'COMMUNITY'],
  SECURE: ['SECURE'],
  COMMUNITY: ['COMMUNITY'],
} as const satisfies Record<'ALL' | CloudTier, readonly CloudTier[]>

export function toPodSpec(world: World, input: PodInput, compute: Compute): PodSpec {
  refuseUnemulated('podInput', input)
  requireMachineRates({
    downloadMbps: said(input.minDownload),
    uploadMbps: said(input.minUpload),
  })
  const template = templateOf(world, input)
  const container = toContainer(world, input, template)
  const dataCenterIds = [...parts(input.dataCenterId), ...(saidList(input.dataCenterIds) ?? [])]
  const countryCodes = parts(input.countryCode)
  const compliance = saidList(input.compliance)
  const spec: PodSpec = {
    // Observed: runpodctl names a pod after its image.
    name: said(input.name) ?? container.image.split(':')[0] ?? container.image,
    container,
    compute,
    clouds: compute.kind === 'CPU' ? ['SECURE'] : [...clouds[input.cloudType ?? 'ALL']],
    locations: dataCentersFor(world, { dataCenterIds, countryCodes, compliance }),
    ...toDisks(input, template),
    templateId: template?.id ?? null,
    interruptible: false,
    locked: false,
    globalNetworking: false,
    ...toLimits(input),
  }
  validate(PodSpec, spec, 'bodies')
  return spec
}

/** What ends the pod or keeps it from being rented. Only what the caller names is there at all. */
function toLimits(
  input: PodInput,
): Pick<PodSpec, 'maxCostPerHourUsd' | 'stopAtMs' | 'terminateAtMs'> {
  const maxCostPerHourUsd = said(input.deployCost)
  const stopAtMs = toInstant(input.stopAfter, 'stopAfter')
  const terminateAtMs = toInstant(input.terminateAfter, 'terminateAfter')
  return {
    ...(maxCostPerHourUsd !== undefined && { maxCostPerHourUsd }),
    ...(stopAtMs !== undefined && { stopAtMs }),
    ...(terminateAtMs !== undefined && { terminateAtMs }),
  }
}

export function toGpuCompute(input: PodInput): Compute {
  const first = said(input.gpuTypeId)
  const gpuTypeIds = [
    ...(first === undefined ? [] : [first]),
    ...(saidList(input.gpuTypeIdList) ?? []),
  ]
  if (gpuTypeIds.length === 0) throw ruleViolation('gpuTypeId or gpuTypeIdList is required')
  const count = said(input.gpuCount) ?? 1
  const cudaVersion = said(input.cudaVersion)
  return {
    kind: 'GPU',
    gpuTypeIds: [...new Set(gpuTypeIds)],
    count,
    allowedCudaVersions:
      saidList(input.allowedCudaVersions) ?? (cudaVersion === undefined ? [] : [cudaVersion]),
    minCudaVersion: said(input.minCudaVersion) ?? null,
    // GraphQL counts for the whole pod, the model for each GPU.
    minRamGbPerGpu: Math.ceil((input.minMemoryInGb ?? 0) / count),
    minVcpuPerGpu: Math.ceil((input.minVcpuCount ?? 0) / count),
  }
}

export function toCpuCompute(world: World, instanceIds: readonly string[] | undefined): Compute {
  const { catalog } = world.settings
  const instances = instanceIds?.map((id) => toInstance(catalog, id)) ?? smallestInstances(catalog)
  for (const { flavorId, vcpuCount } of instances) cpuInstances(world, [flavorId], vcpuCount)
  return { kind: 'CPU', instances }
}

/**
 * Observed: runpod-python names the cloud's own template `runpod-ubuntu` for every CPU pod. No world
 * has those templates, so an image of the caller's own makes up for them.
 */
function templateOf(world: World, { templateId, imageName }: PodInput): Template | undefined {
  const id = said(templateId)
  if (id === undefined) return undefined
  const isOptional = id.startsWith('runpod-') && said(imageName) !== undefined
  return isOptional ? findTemplate(world, id) : requireTemplate(world, id)
}

/** A network volume takes the place of a disk of the pod's own. */
export function toDisks(
  input: DiskInput,
  template: Template | undefined,
): Pick<PodSpec, 'persistent' | 'network'> {
  const volumeId = said(input.networkVolumeId)
  const inherited = template?.spec.persistent
  const path = said(input.volumeMountPath) ?? inherited?.path ?? defaultMountPath
  if (volumeId !== undefined) return { persistent: null, network: { volumeId, path } }
  const sizeGb = said(input.volumeInGb) ?? inherited?.sizeGb
  return { persistent: sizeGb === undefined ? null : { sizeGb, path }, network: null }
}
