/** Endpoints as v1 shows them: seconds of idling, milliseconds of execution, one scaler value. */
import * as Type from '@sinclair/typebox'
import { findTemplate } from '../../domain/templates.ts'
import type { Compute } from '../../model/compute.ts'
import { Env } from '../../model/container.ts'
import type { Endpoint } from '../../model/endpoint.ts'
import { OneOf } from '../../model/schema.ts'
import type { World } from '../../world/world.ts'
import { toIso } from '../http/reply.ts'
import { scalerTypes, scalerValueOf } from './endpoint-requests.ts'
import { dataCentersOf } from './named-types.ts'
import { PodV1, toWorkerV1 } from './pod-replies.ts'
import { TemplateV1, toTemplateV1 } from './template-replies.ts'

const Texts = Type.Array(Type.String())

export const EndpointV1 = Type.Object({
  id: Type.String(),
  name: Type.String(),
  userId: Type.String(),
  templateId: Type.Optional(Type.String()),
  template: Type.Optional(TemplateV1),
  version: Type.Integer(),
  computeType: OneOf(['GPU', 'CPU']),
  gpuTypeIds: Type.Optional(Texts),
  gpuCount: Type.Integer(),
  allowedCudaVersions: Type.Optional(Texts),
  minCudaVersion: Type.Optional(Type.String()),
  instanceIds: Type.Optional(Texts),
  dataCenterIds: Texts,
  networkVolumeId: Type.Optional(Type.String()),
  networkVolumeIds: Texts,
  scalerType: OneOf(scalerTypes),
  scalerValue: Type.Integer(),
  workersMin: Type.Integer(),
  workersMax: Type.Integer(),
  idleTimeout: Type.Integer(),
  executionTimeoutMs: Type.Integer(),
  flashboot: Type.Boolean(),
  env: Env,
  createdAt: Type.String(),
  workers: Type.Optional(Type.Array(PodV1)),
})

export function toEndpointV1(
  world: World,
  { id, spec, version, createdAtMs }: Endpoint,
  includes: { readonly includeTemplate?: boolean; readonly includeWorkers?: boolean } = {},
) {
  const template = findTemplate(world, spec.templateId)
  return {
    id,
    name: spec.name,
    userId: world.account.id,
    templateId: spec.templateId ?? undefined,
    ...(includes.includeTemplate && template ? { template: toTemplateV1(template) } : {}),
    version,
    ...computeParts(world, spec.compute),
    dataCenterIds: dataCentersOf(world, spec.locations),
    networkVolumeId: spec.networkVolumeIds[0],
    networkVolumeIds: spec.networkVolumeIds,
    scalerType: spec.scaling.type,
    scalerValue: scalerValueOf(spec.scaling),
    workersMin: spec.workersMin,
    workersMax: spec.workersMax,
    idleTimeout: Math.ceil(spec.idleTimeoutMs / 1_000),
    executionTimeoutMs: spec.executionTimeoutMs,
    flashboot: spec.flashBoot !== 'OFF',
    env: spec.container.env,
    createdAt: toIso(createdAtMs),
    ...(includes.includeWorkers ? { workers: workersOf(world, id) } : {}),
  }
}

function workersOf(world: World, endpointId: string) {
  return world.queues.workersOf(endpointId).map((worker) => toWorkerV1(world, worker))
}

function computeParts(world: World, compute: Compute) {
  if (compute.kind === 'GPU') {
    return {
      computeType: compute.kind,
      gpuTypeIds: compute.gpuTypeIds,
      gpuCount: compute.count,
      allowedCudaVersions: compute.allowedCudaVersions,
      minCudaVersion: compute.minCudaVersion ?? undefined,
    }
  }
  return {
    computeType: compute.kind,
    gpuCount: 0,
    instanceIds: compute.instances.map(({ flavorId, vcpuCount }) => {
      const flavor = world.settings.catalog.cpus.find(({ id }) => id === flavorId)
      // Spec: flavor, vCPUs and GB of memory: `cpu3c-8-16`.
      return `${flavorId}-${vcpuCount}-${vcpuCount * (flavor?.ramGbPerVcpu ?? 0)}`
    }),
  }
}
