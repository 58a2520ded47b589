/** From what a v2 caller wrote to an endpoint's spec. */
import { changed, overTemplate, plainContainer } from '../../domain/containers.ts'
import { typesOfPools } from '../../domain/gpu-pools.ts'
import { requireTemplate } from '../../domain/templates.ts'
import type { Compute, GpuCompute } from '../../model/compute.ts'
import type { EndpointSpec, Scaling } from '../../model/endpoint.ts'
import { CloudError, invalidField, ruleViolation } from '../../model/errors.ts'
import type { Template } from '../../model/template.ts'
import type { World } from '../../world/world.ts'
import { requireSmall, toContainerChanges } from './container.ts'
import {
  type CreateEndpointBody,
  type CreateGpu,
  endpointDefaults,
  type UpdateEndpointBody,
  type UpdateGpu,
} from './serverless-schemas.ts'

export function toEndpointSpec(world: World, body: CreateEndpointBody): EndpointSpec {
  const template = findTemplate(world, body.templateId)
  const base = template?.spec.container ?? { ...plainContainer, image: '' }
  const container = overTemplate(base, toContainerChanges(body, base))
  if (template !== undefined) requireSmall(body, container)
  const scaling = toScaling(body.scaling)
  requireIdleTimeoutFits(body.type, scaling, body.workers?.idleTimeout)
  return {
    name: body.name,
    type: body.type,
    container,
    compute: toCompute(world, body, template),
    locations: body.dataCenterIds ?? [],
    // Spec: a template is applied once, when the endpoint is made; v2 keeps no link to it.
    templateId: null,
    networkVolumeIds: body.networkVolumes ?? [],
    scaling,
    workersMin: body.workers?.min ?? endpointDefaults.workersMin,
    workersMax: body.workers?.max ?? endpointDefaults.workersMax,
    idleTimeoutMs: (body.workers?.idleTimeout ?? endpointDefaults.idleTimeoutSeconds) * 1_000,
    executionTimeoutMs: body.timeout ?? Number(world.settings.fidelity.omittedTimeout),
    flashBoot: body.flashboot,
  }
}

export function toUpdatedSpec(
  world: World,
  spec: EndpointSpec,
  body: UpdateEndpointBody,
): EndpointSpec {
  const template = findTemplate(world, body.templateId)
  const base = template?.spec.container ?? spec.container
  const changes = toContainerChanges(body, base)
  const scaling = body.scaling === undefined ? spec.scaling : toScaling(body.scaling)
  requireScalingFits(spec.type, scaling)
  const { min, max, idleTimeout } = body.workers ?? {}
  requireIdleTimeoutFits(spec.type, scaling, idleTimeout)
  return {
    ...spec,
    name: body.name ?? spec.name,
    // Assumed: as for pods, environments are merged with a template's.
    container: template === undefined ? changed(base, changes) : overTemplate(base, changes),
    compute: toUpdatedCompute(world, spec.compute, body),
    locations: body.dataCenterIds ?? spec.locations,
    networkVolumeIds: body.networkVolumes ?? spec.networkVolumeIds,
    scaling,
    workersMin: min ?? spec.workersMin,
    workersMax: max ?? spec.workersMax,
    idleTimeoutMs: idleTimeout === undefined ? spec.idleTimeoutMs : idleTimeout * 1_000,
    executionTimeoutMs: body.timeout ?? spec.executionTimeoutMs,
    flashBoot: body.flashboot ?? spec.flashBoot,
  }
}

/** Spec: an unknown template is 404, one for pods 422. */
function findTemplate(world: World, templateId: string | undefined): Template | undefined {
  if (templateId === undefined) return undefined
  const template = requireTemplate(world, templateId)
  if (template.spec.serverless) return template
  throw new CloudError('invalid_request', `template ${templateId} is for pods, not for endpoints`)
}

function toScaling(scaling: CreateEndpointBody['scaling']): Scaling {
  return scaling.type === 'QUEUE_DELAY'
    ? { type: 'QUEUE_DELAY', queueDelayMs: scaling.queueDelay * 1_000 }
    : { type: 'REQUEST_COUNT', requestCount: scaling.requestCount }
}

/** Spec: a load balancer scales by its requests. A new one is held to it by its schema. */
function requireScalingFits(type: EndpointSpec['type'], scaling: Scaling): void {
  if (type === 'QUEUE' || scaling.type === 'REQUEST_COUNT') return
  throw invalidField(['scaling', 'type'], "value must be one of 'REQUEST_COUNT'")
}

/** Observed: refused with these words. */
function requireIdleTimeoutFits(
  type: EndpointSpec['type'],
  scaling: Scaling,
  idleTimeout: number | undefined,
): void {
  if (idleTimeout === undefined || type !== 'QUEUE' || scaling.type !== 'REQUEST_COUNT') return
  throw new CloudError(
    'invalid_request',
    'idleTimeout does not apply to queue-based endpoints scaling on requestCount',
  )
}

function toCompute(
  world: World,
  { gpu, cpu }: Pick<CreateEndpointBody, 'gpu' | 'cpu'>,
  template: Template | undefined,
): Compute {
  if ((gpu === undefined) === (cpu === undefined)) {
    throw ruleViolation('exactly one of gpu and cpu must be set')
  }
  if (gpu !== undefined) return toGpuCompute(world, gpu, template)
  return toCpuCompute(cpu ?? [])
}

function toGpuCompute(world: World, gpu: CreateGpu, template: Template | undefined): GpuCompute {
  requireOneCudaRule(gpu.allowedCudaVersions, gpu.minCudaVersion)
  const ofTemplate = gpu.minCudaVersion === undefined ? template?.spec.allowedCudaVersions : []
  return {
    kind: 'GPU',
    gpuTypeIds: typesOf(world, gpu.pools, gpu.excludedTypes),
    count: gpu.count,
    allowedCudaVersions: gpu.allowedCudaVersions ?? ofTemplate ?? [],
    minCudaVersion: gpu.minCudaVersion ?? null,
    minRamGbPerGpu: 0,
    minVcpuPerGpu: 0,
  }
}

function toCpuCompute(cpu: readonly { id: string; vcpuCount: number }[]): Compute {
  for (const [index, { vcpuCount }] of cpu.entries()) {
    if (!Number.isInteger(Math.log2(vcpuCount))) {
      throw invalidField(['cpu', String(index), 'vcpuCount'], 'must be a power of two')
    }
  }
  return { kind: 'CPU', instances: cpu.map(({ id, vcpuCount }) => ({ flavorId: id, vcpuCount })) }
}

function toUpdatedCompute(world: World, compute: Compute, body: UpdateEndpointBody): Compute {
  const { gpu, cpu } = body
  if (gpu !== undefined && cpu !== undefined) throw ruleViolation('gpu and cpu exclude each other')
  if (cpu !== undefined) {
    if (compute.kind === 'GPU') throw ruleViolation('this endpoint runs on GPUs; it takes no cpu')
    return toCpuCompute(cpu)
  }
  if (gpu === undefined) return compute
  if (compute.kind === 'CPU') throw ruleViolation('this endpoint runs on CPUs; it takes no gpu')
  return toUpdatedGpu(world, compute, gpu)
}

function toUpdatedGpu(world: World, compute: GpuCompute, gpu: UpdateGpu): GpuCompute {
  const { pools, excludedTypes, count, allowedCudaVersions, minCudaVersion } = gpu
  requireOneCudaRule(allowedCudaVersions, minCudaVersion)
  return {
    ...compute,
    // Spec: pools without exclusions clear the exclusions there were.
    gpuTypeIds: pools === undefined ? compute.gpuTypeIds : typesOf(world, pools, excludedTypes),
    count: count ?? compute.count,
    allowedCudaVersions: allowedCudaVersions ?? compute.allowedCudaVersions,
    minCudaVersion: minCudaVersion === undefined ? compute.minCudaVersion : minCudaVersion || null,
  }
}

function requireOneCudaRule(allowed: string[] | undefined, min: string | undefined): void {
  if (!allowed?.length || !min) return
  throw ruleViolation('allowedCudaVersions and minCudaVersion exclude each other')
}

/** Spec: what is excluded has to be in one of the pools; GraphQL is not so strict. */
function typesOf(world: World, pools: string[], excludedTypes: string[] = []): string[] {
  const { catalog } = world.settings
  const excludedTypeIds = excludedTypes.map((type) => type.trim())
  const types = typesOfPools(catalog, { pools, excludedTypeIds: [] })
  const stray = excludedTypeIds.find((id) => !types.includes(id))
  if (stray !== undefined) {
    throw ruleViolation(`excluded GPU type '${stray}' is in none of the pools`)
  }
  return typesOfPools(catalog, { pools, excludedTypeIds })
}
