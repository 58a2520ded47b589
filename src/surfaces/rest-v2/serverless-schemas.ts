/** What callers of REST v2 write about endpoints, and what they read. */
import type { Static } from '@sinclair/typebox'
import * as Type from '@sinclair/typebox'
import { CudaVersion } from '../../model/catalog.ts'
import { endpointTypes, flashBootModes } from '../../model/endpoint.ts'
import { OneOf, OrNull } from '../../model/schema.ts'
import { shownWorkerStatuses } from '../../model/worker.ts'
import { containerFields, containerReplyFields } from './container.ts'
import { Cpu } from './pod-schemas.ts'

const strict = { additionalProperties: false }

const QueueDelay = Type.Object(
  { type: OneOf(['QUEUE_DELAY']), queueDelay: Type.Number({ minimum: 0.5 }) },
  strict,
)
const RequestCount = Type.Object(
  { type: OneOf(['REQUEST_COUNT']), requestCount: Type.Integer({ minimum: 1 }) },
  strict,
)
/** The variant is told by `type`, so that a refusal speaks of the variant that was meant. */
export const ScalingV2 = Type.Unsafe<Static<typeof QueueDelay> | Static<typeof RequestCount>>({
  type: 'object',
  required: ['type'],
  discriminator: { propertyName: 'type' },
  oneOf: [QueueDelay, RequestCount],
})

const Workers = Type.Object(
  {
    min: Type.Optional(Type.Integer({ minimum: 0 })),
    max: Type.Optional(Type.Integer({ minimum: 0 })),
    idleTimeout: Type.Optional(Type.Integer({ minimum: 1, maximum: 3_600 })),
  },
  strict,
)

// Spec: a leading "-" belongs to GraphQL's spelling and is refused here.
const ExcludedTypes = Type.Array(Type.String({ pattern: '^\\s*[^-\\s]' }), { uniqueItems: true })

const CreateGpu = Type.Object(
  {
    pools: Type.Array(Type.String(), { minItems: 1 }),
    excludedTypes: Type.Optional(ExcludedTypes),
    count: Type.Integer({ minimum: 1, default: 1 }),
    allowedCudaVersions: Type.Optional(Type.Array(CudaVersion)),
    minCudaVersion: Type.Optional(CudaVersion),
  },
  strict,
)
export type CreateGpu = Static<typeof CreateGpu>

const UpdateGpu = Type.Object(
  {
    pools: Type.Optional(Type.Array(Type.String(), { minItems: 1 })),
    excludedTypes: Type.Optional(ExcludedTypes),
    count: Type.Optional(Type.Integer({ minimum: 1 })),
    allowedCudaVersions: Type.Optional(Type.Array(CudaVersion)),
    /** Empty takes the floor away. */
    minCudaVersion: Type.Optional(Type.String({ pattern: '^$|^\\d+\\.\\d+$' })),
  },
  { ...strict, dependentRequired: { excludedTypes: ['pools'] } },
)
export type UpdateGpu = Static<typeof UpdateGpu>

const Cpus = Type.Array(Cpu, { minItems: 1, uniqueItems: true })

const shared = {
  ...containerFields,
  name: Type.String({ minLength: 1, maxLength: 191 }),
  cpu: Type.Optional(Cpus),
  dataCenterIds: Type.Optional(Type.Array(Type.String())),
  networkVolumes: Type.Optional(Type.Array(Type.String())),
  /** Milliseconds a job may run. */
  timeout: Type.Optional(Type.Integer({ minimum: 0 })),
  flashboot: Type.Optional(OneOf(flashBootModes)),
  workers: Type.Optional(Workers),
  templateId: Type.Optional(Type.String({ minLength: 1 })),
}

export const CreateEndpointBody = Type.Object(
  { ...shared, type: OneOf(endpointTypes), scaling: ScalingV2, gpu: Type.Optional(CreateGpu) },
  {
    ...strict,
    allOf: [
      {
        if: { not: { required: ['templateId'] } },
        // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema.
        then: { required: ['image'] },
      },
      {
        // Spec: a load-balancing endpoint scales by its requests.
        if: { required: ['type'], properties: { type: { const: 'LOAD_BALANCER' } } },
        // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema.
        then: { properties: { scaling: { properties: { type: { enum: ['REQUEST_COUNT'] } } } } },
      },
    ],
  },
)
export type CreateEndpointBody = Static<typeof CreateEndpointBody>

export const UpdateEndpointBody = Type.Object(
  {
    ...shared,
    name: Type.Optional(shared.name),
    scaling: Type.Optional(ScalingV2),
    gpu: Type.Optional(UpdateGpu),
  },
  strict,
)
export type UpdateEndpointBody = Static<typeof UpdateEndpointBody>

export const EndpointReply = Type.Object({
  id: Type.String(),
  name: Type.String(),
  type: OneOf(endpointTypes),
  requestUrls: Type.Record(Type.String(), Type.String()),
  ...containerReplyFields,
  gpu: Type.Optional(
    Type.Object({
      pools: Type.Array(Type.String()),
      excludedTypes: Type.Array(Type.String()),
      count: Type.Integer(),
      allowedCudaVersions: Type.Array(Type.String()),
      minCudaVersion: OrNull(Type.String()),
    }),
  ),
  cpu: Type.Optional(
    Type.Array(
      Type.Object({ id: Type.String(), vcpuCount: Type.Integer(), memory: Type.Integer() }),
    ),
  ),
  workers: Type.Object({
    min: Type.Integer(),
    max: Type.Integer(),
    idleTimeout: Type.Optional(Type.Integer()),
  }),
  scaling: ScalingV2,
  dataCenterIds: Type.Array(Type.String()),
  networkVolumes: Type.Array(Type.String()),
  timeout: Type.Integer(),
  flashboot: OneOf(flashBootModes),
  createdAt: Type.String({ format: 'date-time' }),
})

const Count = Type.Integer({ minimum: 0 })

export const WorkerListReply = Type.Object({
  workers: Type.Array(
    Type.Object({
      id: Type.String(),
      status: OneOf(shownWorkerStatuses),
      isStale: Type.Boolean(),
      version: OrNull(Type.Integer()),
      gpuCount: Count,
      image: OrNull(Type.String()),
      uptimeSeconds: OrNull(Count),
      gpuTypeId: OrNull(Type.String()),
      dataCenterId: OrNull(Type.String()),
      startedAt: OrNull(Type.String({ format: 'date-time' })),
    }),
  ),
  summary: Type.Object({
    running: Count,
    idle: Count,
    initializing: Count,
    throttled: Count,
    unhealthy: Count,
    total: Count,
  }),
  endpointVersion: OrNull(Type.Integer()),
})
