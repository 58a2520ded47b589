/** From what a v2 caller wrote to a pod's spec. */
import { changed, overTemplate, plainContainer } from '../../domain/containers.ts'
import { startEnvironment } from '../../domain/environment.ts'
import { requireTemplate } from '../../domain/templates.ts'
import type { Compute } from '../../model/compute.ts'
import { CloudError, invalidField, ruleViolation } from '../../model/errors.ts'
import type { PodSpec } from '../../model/pod.ts'
import type { Template } from '../../model/template.ts'
import type { World } from '../../world/world.ts'
import { toContainerChanges } from './container.ts'
import type { CreatePodBody, GpuV2, UpdatePodBody } from './pod-schemas.ts'

export function toPodSpec(world: World, body: CreatePodBody): PodSpec {
  const template = findTemplate(world, body.templateId)
  const changes = toContainerChanges(body)
  const container =
    template === undefined
      ? changed({ ...plainContainer, image: body.image ?? '' }, changes)
      : overTemplate(template.spec.container, changes)
  const compute = toCompute(body, template)
  return {
    name: body.name,
    container: { ...container, env: { ...startEnvironment(world, body), ...container.env } },
    compute,
    clouds: [body.cloud],
    locations: body.dataCenterIds ?? [],
    ...toDisks(body, compute.kind, template),
    templateId: null,
    interruptible: false,
    locked: false,
    globalNetworking: body.globalNetworking,
  }
}

export function toUpdatedSpec(world: World, spec: PodSpec, body: UpdatePodBody): PodSpec {
  const template = findTemplate(world, body.templateId)
  const base = template === undefined ? spec.container : template.spec.container
  const { persistent, network } = body.mounts ?? {}
  return {
    ...spec,
    name: body.name ?? spec.name,
    container: changed(base, toContainerChanges(body)),
    locked: body.locked ?? spec.locked,
    globalNetworking: body.globalNetworking ?? spec.globalNetworking,
    ...(persistent === undefined
      ? {}
      : { persistent: { sizeGb: persistent.size, path: persistent.path } }),
    ...(network === undefined ? {} : { network: requireOne(network) }),
  }
}

/** Spec: an unknown template is 404, one for endpoints 422. */
export function findTemplate(world: World, templateId: string | undefined): Template | undefined {
  if (templateId === undefined) return undefined
  const template = requireTemplate(world, templateId)
  if (!template.spec.serverless) return template
  throw new CloudError('invalid_request', `template ${templateId} is for endpoints, not for pods`)
}

function toCompute({ gpu, cpu }: CreatePodBody, template: Template | undefined): Compute {
  if ((gpu === undefined) === (cpu === undefined)) {
    throw ruleViolation('exactly one of gpu and cpu must be set')
  }
  if (gpu !== undefined) return toGpuCompute(gpu, template)
  const { id = '', vcpuCount = 0 } = cpu ?? {}
  // Spec: vCPUs come in powers of two.
  if (!Number.isInteger(Math.log2(vcpuCount))) {
    throw invalidField(['cpu', 'vcpuCount'], 'must be a power of two')
  }
  return { kind: 'CPU', instances: [{ flavorId: id, vcpuCount }] }
}

function toGpuCompute(gpu: GpuV2, template: Template | undefined): Compute {
  const { allowedCudaVersions, minCudaVersion } = gpu
  if (allowedCudaVersions?.length && minCudaVersion !== undefined) {
    throw ruleViolation('allowedCudaVersions and minCudaVersion exclude each other')
  }
  // Spec: either CUDA field of the body stands for what the template says.
  const saysNothing = allowedCudaVersions === undefined && minCudaVersion === undefined
  const ofTemplate = saysNothing ? template?.spec.allowedCudaVersions : undefined
  return {
    kind: 'GPU',
    gpuTypeIds: [gpu.id],
    count: gpu.count,
    allowedCudaVersions: allowedCudaVersions ?? ofTemplate ?? [],
    minCudaVersion: minCudaVersion ?? null,
    minRamGbPerGpu: gpu.minRamPerGpu ?? 0,
    minVcpuPerGpu: gpu.minVcpuCountPerGpu ?? 0,
  }
}

export function toDisks(
  { mounts }: Pick<CreatePodBody, 'mounts'>,
  kind: Compute['kind'],
  template: Template | undefined,
): Pick<PodSpec, 'persistent' | 'network'> {
  const { persistent, network = [] } = mounts ?? {}
  if (persistent !== undefined && network.length > 0) {
    throw ruleViolation('mounts.persistent and mounts.network exclude each other')
  }
  if (persistent !== undefined && kind === 'CPU') {
    throw ruleViolation('a CPU pod has no persistent disk')
  }
  if (network[0] !== undefined) return { persistent: null, network: network[0] }
  if (persistent !== undefined) {
    return { persistent: { sizeGb: persistent.size, path: persistent.path }, network: null }
  }
  const ofTemplate = kind === 'GPU' ? template?.spec.persistent : undefined
  return { persistent: ofTemplate ?? null, network: null }
}

function requireOne<Item>([only]: readonly Item[]): Item {
  if (only !== undefined) return only
  throw ruleViolation('a network volume cannot be detached from a pod')
}
