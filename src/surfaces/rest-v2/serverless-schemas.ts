/** What callers of REST v2 write about endpoints, and what they read. */
import type { Static } from '@sinclair/typebox'
import * as Type from '@sinclair/typebox'
import { CudaVersion } from '../../model/catalog.ts'
import { endpointTypes, flashBootModes } from '../../model/endpoint.ts'
import { OneOf, OrNull, Unsaid } from '../../model/schema.ts'
import { shownWorkerStatuses } from '../../model/worker.ts'
import { containerFields, containerReplyFields } from './container.ts'
import { Cpu, CpuReply, GpuCount } from './pod-schemas.ts'

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

const AtLeastNone = Type.Integer({ minimum: 0 })
const Seconds = Type.Integer({ minimum: 1, maximum: 3_600 })
const IdleTimeout = Type.Optional(Seconds)

const Workers = Type.Object(
  {
    min: Type.Optional(AtLeastNone),
    max: Type.Optional(AtLeastNone),
    idleTimeout: IdleTimeout,
  },
  strict,
)

/** Spec: what an endpoint has when nothing is said. */
export const endpointDefaults = {
  workersMin: 0,
  workersMax: 3,
  idleTimeoutSeconds: 10,
} as const

const NewWorkers = Type.Object(
  {
    min: Unsaid(AtLeastNone, endpointDefaults.workersMin),
    max: Unsaid(AtLeastNone, endpointDefaults.workersMax),
    idleTimeout: Unsaid(Seconds, endpointDefaults.idleTimeoutSeconds),
  },
  strict,
)

// Spec: a leading "-" belongs to GraphQL's spelling and is refused here.
const ExcludedTypes = Type.Array(Type.String({ pattern: '^\\s*[^-\\s]' }), { uniqueItems: true })

const CreateGpu = Type.Object(
  {
    pools: Type.Array(Type.String(), { minItems: 1 }),
    excludedTypes: Type.Optional(ExcludedTypes),
    count: GpuCount,
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
  timeout: Type.Optional(AtLeastNone),
  flashboot: Type.Optional(OneOf(flashBootModes)),
  workers: Type.Optional(Workers),
}

export const CreateEndpointBody = Type.Object(
  {
    ...shared,
    type: OneOf(endpointTypes),
    scaling: ScalingV2,
    gpu: Type.Optional(CreateGpu),
    timeout: Unsaid(AtLeastNone, 300_000),
    flashboot: OneOf(flashBootModes, { default: 'OFF' }),
    workers: Type.Optional(NewWorkers),
    templateId: Type.Optional(Type.String({ minLength: 1 })),
  },
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
        then: { properties: { scaling: RequestCount } },
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
    templateId: Type.Optional(Type.String()),
  },
  strict,
)
export type UpdateEndpointBody = Static<typeof UpdateEndpointBody>

const Url = Type.String({ format: 'uri' })
const QueueUrls = Type.Object(
  {
    run: Url,
    runSync: Url,
    status: Url,
    stream: Url,
    cancel: Url,
    retry: Url,
    purgeQueue: Url,
    health: Url,
  },
  strict,
)
const LoadBalancerUrls = Type.Object({ base: Url, health: Url }, strict)

export const EndpointReply = Type.Object({
  id: Type.String(),
  name: Type.String(),
  type: OneOf(endpointTypes),
  requestUrls: Type.Union([QueueUrls, LoadBalancerUrls]),
  ...containerReplyFields,
  gpu: Type.Optional(
    Type.Object({
      pools: Type.Array(Type.String(), { minItems: 1 }),
      excludedTypes: ExcludedTypes,
      count: GpuCount,
      allowedCudaVersions: Type.Array(Type.String()),
      minCudaVersion: OrNull(Type.String()),
    }),
  ),
  cpu: Type.Optional(Type.Array(CpuReply, { minItems: 1 })),
  workers: Type.Object({ min: AtLeastNone, max: AtLeastNone, idleTimeout: IdleTimeout }, strict),
  scaling: ScalingV2,
  dataCenterIds: Type.Array(Type.String()),
  networkVolumes: Type.Array(Type.String()),
  timeout: Type.Integer(),
  flashboot: OneOf(flashBootModes),
  createdAt: Type.String({ format: 'date-time' }),
})

export const WorkerListReply = Type.Object({
  workers: Type.Array(
    Type.Object({
      id: Type.String(),
      status: OneOf(shownWorkerStatuses),
      isStale: Type.Boolean(),
      version: OrNull(Type.Integer()),
      gpuCount: AtLeastNone,
      image: OrNull(Type.String()),
      uptimeSeconds: OrNull(AtLeastNone),
      gpuTypeId: OrNull(Type.String()),
      dataCenterId: OrNull(Type.String()),
      startedAt: OrNull(Type.String({ format: 'date-time' })),
    }),
  ),
  summary: Type.Object({
    running: AtLeastNone,
    idle: AtLeastNone,
    initializing: AtLeastNone,
    throttled: AtLeastNone,
    unhealthy: AtLeastNone,
    total: AtLeastNone,
  }),
  endpointVersion: OrNull(Type.Integer()),
})
