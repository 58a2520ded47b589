/** From what a v2 caller wrote to a pod's spec. */
import { changed, overEnv, overTemplate, plainContainer } from '../../domain/containers.ts'
import { startEnvironment } from '../../domain/environment.ts'
import { requireTemplate } from '../../domain/templates.ts'
import type { Compute } from '../../model/compute.ts'
import { CloudError, invalidField, noCapacity, ruleViolation } from '../../model/errors.ts'
import type { PodSpec } from '../../model/pod.ts'
import type { Template } from '../../model/template.ts'
import type { World } from '../../world/world.ts'
import { requireSmall, toContainerChanges } from './container.ts'
import type { CreatePodBody, GpuV2, UpdatePodBody } from './pod-schemas.ts'

const blankContainer = { ...plainContainer, image: '' }

export function toPodSpec(world: World, body: CreatePodBody): PodSpec {
  const template = findTemplate(world, body.templateId)
  const base = template?.spec.container ?? blankContainer
  const container = overTemplate(base, toContainerChanges(body, base))
  if (template !== undefined) requireSmall(body, container)
  const compute = toCompute(world, body, template)
  const starts = startsOf(body, template)
  const { persistent, network } = toDisks(body, compute.kind, template)
  return {
    name: body.name,
    container: { ...container, env: overEnv(startEnvironment(world, starts), container.env) },
    compute,
    clouds: [body.cloud],
    locations: body.dataCenterIds ?? [],
    persistent,
    network,
    templateId: null,
    interruptible: false,
    locked: false,
    globalNetworking: body.globalNetworking,
  }
}

export function toUpdatedSpec(world: World, spec: PodSpec, body: UpdatePodBody): PodSpec {
  const template = findTemplate(world, body.templateId)
  const base = template?.spec.container ?? spec.container
  const changes = toContainerChanges(body, base)
  const { persistent, network } = body.mounts ?? {}
  return {
    ...spec,
    name: body.name ?? spec.name,
    // Spec: environments are merged with a template's, and replaced without one.
    container: template === undefined ? changed(base, changes) : overTemplate(base, changes),
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

function toCompute(
  world: World,
  { gpu, cpu }: CreatePodBody,
  template: Template | undefined,
): Compute {
  if ((gpu === undefined) === (cpu === undefined)) {
    throw ruleViolation('exactly one of gpu and cpu must be set')
  }
  if (gpu !== undefined) return toGpuCompute(world, gpu, template)
  const { id = '', vcpuCount = 0 } = cpu ?? {}
  // Spec: vCPUs come in powers of two.
  if (!Number.isInteger(Math.log2(vcpuCount))) {
    throw invalidField(['cpu', 'vcpuCount'], 'must be a power of two')
  }
  return { kind: 'CPU', instances: [{ flavorId: id, vcpuCount }] }
}

function toGpuCompute(world: World, gpu: GpuV2, template: Template | undefined): Compute {
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
    count: gpu.count ?? omittedCount(world),
    allowedCudaVersions: allowedCudaVersions ?? ofTemplate ?? [],
    minCudaVersion: minCudaVersion ?? null,
    minRamGbPerGpu: gpu.minRamPerGpu ?? 0,
    minVcpuPerGpu: gpu.minVcpuCountPerGpu ?? 0,
  }
}

function omittedCount(world: World): number {
  if (world.settings.fidelity.omittedGpuCount === 'no-capacity') throw noCapacity()
  return 1
}

/** Spec: the body's word, or else the template's. */
function startsOf(body: CreatePodBody, template: Template | undefined) {
  return {
    startSsh: body.startSsh ?? template?.spec.startSsh ?? false,
    startJupyter: body.startJupyter ?? template?.spec.startJupyter ?? false,
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
