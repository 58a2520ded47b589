/** What v1 callers ask of endpoints: always queues, always made from a serverless template. */
import type { Static } from '@sinclair/typebox'
import * as Type from '@sinclair/typebox'
import { cpuInstances, dataCentersFor, inStockOrder } from '../../domain/availability.ts'
import { requireTemplate } from '../../domain/templates.ts'
import { type Compute, gpuCompute } from '../../model/compute.ts'
import type { EndpointSpec, Scaling } from '../../model/endpoint.ts'
import { ruleViolation } from '../../model/errors.ts'
import { ResourceName } from '../../model/pod.ts'
import { OneOf } from '../../model/schema.ts'
import type { Template } from '../../model/template.ts'
import type { World } from '../../world/world.ts'
import {
  CudaVersionV1,
  dataCentersNamed,
  gpuTypesNamed,
  workerFlavorsNamed,
} from './named-types.ts'

export const scalerTypes = ['QUEUE_DELAY', 'REQUEST_COUNT'] as const

const strict = { additionalProperties: false }
const Count = Type.Optional(Type.Integer({ minimum: 0 }))
const AtLeastOne = Type.Optional(Type.Integer({ minimum: 1 }))
const Ids = Type.Optional(Type.Array(Type.String()))

/** Without schema defaults: an update leaves alone what it does not name. */
const endpointFields = {
  name: Type.Optional(ResourceName),
  gpuTypeIds: Ids,
  gpuCount: AtLeastOne,
  allowedCudaVersions: Type.Optional(Type.Array(CudaVersionV1)),
  minCudaVersion: Type.Optional(CudaVersionV1),
  cpuFlavorIds: Ids,
  vcpuCount: AtLeastOne,
  dataCenterIds: Ids,
  networkVolumeId: Type.Optional(Type.String()),
  networkVolumeIds: Ids,
  scalerType: Type.Optional(OneOf(scalerTypes)),
  scalerValue: AtLeastOne,
  workersMin: Count,
  workersMax: Count,
  // Spec: 1 to 3600 seconds.
  idleTimeout: Type.Optional(Type.Integer({ minimum: 1, maximum: 3_600 })),
  executionTimeoutMs: Count,
  flashboot: Type.Optional(Type.Boolean()),
}

export const CreateEndpointRequest = Type.Object(
  {
    ...endpointFields,
    templateId: Type.String({ minLength: 1 }),
    computeType: OneOf(['GPU', 'CPU'], { default: 'GPU' }),
  },
  strict,
)
export type CreateEndpointRequest = Static<typeof CreateEndpointRequest>

/** Spec: the kind of compute is fixed when the endpoint is created. */
export const UpdateEndpointRequest = Type.Object(
  { ...endpointFields, templateId: Type.Optional(Type.String({ minLength: 1 })) },
  strict,
)
export type UpdateEndpointRequest = Static<typeof UpdateEndpointRequest>

export function toEndpointSpec(
  world: World,
  { computeType, ...body }: CreateEndpointRequest,
): EndpointSpec {
  const template = serverlessTemplate(world, body.templateId)
  // Spec: a delay of 4 seconds, 5 seconds idle, 0 to 3 workers, 10 minutes for a job.
  // Assumed: without a name, the template's; without flashboot, none.
  return toChangedEndpointSpec(
    world,
    {
      name: template.spec.name,
      type: 'QUEUE',
      container: template.spec.container,
      compute: computeType === 'CPU' ? anyCpu(world, body) : anyGpu(world),
      locations: [],
      templateId: template.id,
      networkVolumeIds: [],
      scaling: { type: 'QUEUE_DELAY', queueDelayMs: 4_000 },
      workersMin: 0,
      workersMax: 3,
      idleTimeoutMs: 5_000,
      executionTimeoutMs: 600_000,
      flashBoot: 'OFF',
    },
    body,
  )
}

export function toChangedEndpointSpec(
  world: World,
  spec: EndpointSpec,
  body: UpdateEndpointRequest,
): EndpointSpec {
  const { templateId, idleTimeout, flashboot } = body
  const template = templateId === undefined ? undefined : serverlessTemplate(world, templateId)
  const dataCenterIds = body.dataCenterIds && dataCentersNamed(world, body.dataCenterIds)
  return {
    ...spec,
    name: body.name ?? spec.name,
    container: template?.spec.container ?? spec.container,
    compute: toChangedCompute(world, spec.compute, body),
    locations: dataCenterIds ? dataCentersFor(world, { dataCenterIds }) : spec.locations,
    templateId: templateId ?? spec.templateId,
    networkVolumeIds: toVolumeIds(body) ?? spec.networkVolumeIds,
    scaling: toChangedScaling(spec.scaling, body),
    workersMin: body.workersMin ?? spec.workersMin,
    workersMax: body.workersMax ?? spec.workersMax,
    idleTimeoutMs: idleTimeout === undefined ? spec.idleTimeoutMs : idleTimeout * 1_000,
    executionTimeoutMs: body.executionTimeoutMs ?? spec.executionTimeoutMs,
    flashBoot: flashboot === undefined ? spec.flashBoot : flashboot ? 'FLASHBOOT' : 'OFF',
  }
}

/** The scaler's value in v1's units: seconds of delay, or requests. */
export function scalerValueOf(scaling: Scaling): number {
  if (scaling.type === 'REQUEST_COUNT') return scaling.requestCount
  return Math.ceil(scaling.queueDelayMs / 1_000)
}

function serverlessTemplate(world: World, templateId: string): Template {
  const template = requireTemplate(world, templateId)
  if (template.spec.serverless) return template
  throw ruleViolation(`template ${templateId} is for pods, not for serverless endpoints`)
}

/** Assumed: without a choice of types, those that there is most of come first. */
function anyGpu(world: World): Compute {
  const compute = gpuCompute(gpuTypesNamed(world))
  const order = { types: 'availability', dataCenters: 'custom' } as const
  return inStockOrder(world, { compute, cloud: 'SECURE', locations: [] }, order).compute
}

// Spec: 2 vCPUs.
function anyCpu(world: World, { vcpuCount = 2 }: UpdateEndpointRequest): Compute {
  return { kind: 'CPU', instances: cpuInstances(world, workerFlavorsNamed(world), vcpuCount) }
}

/** Spec: fields of the other kind of compute are ignored. */
function toChangedCompute(world: World, compute: Compute, body: UpdateEndpointRequest): Compute {
  if (compute.kind === 'GPU') {
    const { gpuTypeIds = [] } = body
    return {
      ...compute,
      gpuTypeIds: gpuTypeIds.length > 0 ? gpuTypesNamed(world, gpuTypeIds) : compute.gpuTypeIds,
      count: body.gpuCount ?? compute.count,
      allowedCudaVersions: body.allowedCudaVersions ?? compute.allowedCudaVersions,
      minCudaVersion: body.minCudaVersion ?? compute.minCudaVersion,
    }
  }
  if (body.cpuFlavorIds === undefined && body.vcpuCount === undefined) return compute
  const flavorIds = body.cpuFlavorIds
    ? workerFlavorsNamed(world, body.cpuFlavorIds)
    : [...new Set(compute.instances.map(({ flavorId }) => flavorId))]
  const vcpuCount = body.vcpuCount ?? compute.instances[0]?.vcpuCount ?? 2
  return { kind: 'CPU', instances: cpuInstances(world, flavorIds, vcpuCount) }
}

/** Spec: one volume or several. Assumed: an empty id or list takes them away. */
function toVolumeIds(body: UpdateEndpointRequest): string[] | undefined {
  const { networkVolumeId, networkVolumeIds } = body
  if (networkVolumeId === undefined && networkVolumeIds === undefined) return undefined
  const ids = [networkVolumeId ?? '', ...(networkVolumeIds ?? [])]
  return [...new Set(ids.filter((id) => id !== ''))]
}

function toChangedScaling(scaling: Scaling, body: UpdateEndpointRequest): Scaling {
  if (body.scalerType === undefined && body.scalerValue === undefined) return scaling
  const value = body.scalerValue ?? scalerValueOf(scaling)
  return (body.scalerType ?? scaling.type) === 'QUEUE_DELAY'
    ? { type: 'QUEUE_DELAY', queueDelayMs: value * 1_000 }
    : { type: 'REQUEST_COUNT', requestCount: value }
}
