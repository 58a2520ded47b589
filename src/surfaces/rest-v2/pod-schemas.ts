/** What callers of REST v2 write about pods, and what they read. */
import type { Static } from '@sinclair/typebox'
import * as Type from '@sinclair/typebox'
import { CudaVersion } from '../../model/catalog.ts'
import { podRoles } from '../../model/cluster.ts'
import { cloudTiers } from '../../model/container.ts'
import { podActions, podTransitions } from '../../model/pod.ts'
import { OneOf, OrNull, Unsaid } from '../../model/schema.ts'
import { containerFields, containerReplyFields } from './container.ts'

const strict = { additionalProperties: false }

// Spec: a persistent disk has at least 10 GB.
const PersistentMount = Type.Object(
  { size: Type.Integer({ minimum: 10 }), path: Type.String({ minLength: 1 }) },
  strict,
)
const NetworkMount = Type.Object(
  { volumeId: Type.String(), path: Type.String({ minLength: 1 }) },
  strict,
)
export const Mounts = Type.Object(
  {
    persistent: Type.Optional(PersistentMount),
    network: Type.Optional(Type.Array(NetworkMount, { maxItems: 1 })),
  },
  strict,
)

export const GpuCount = Type.Integer({ minimum: 1, default: 1 })

const Gpu = Type.Object(
  {
    id: Type.String({ minLength: 1 }),
    count: Unsaid(Type.Integer({ minimum: 1 }), 1),
    allowedCudaVersions: Type.Optional(Type.Array(CudaVersion)),
    minCudaVersion: Type.Optional(CudaVersion),
    minRamPerGpu: Type.Optional(Type.Integer({ minimum: 1 })),
    minVcpuCountPerGpu: Type.Optional(Type.Integer({ minimum: 1 })),
  },
  strict,
)
export type GpuV2 = Static<typeof Gpu>

const cpuFields = { id: Type.String({ minLength: 1 }), vcpuCount: Type.Integer({ minimum: 2 }) }
export const Cpu = Type.Object(cpuFields, strict)
/** `memory` in GB. */
export const CpuReply = Type.Object({ ...cpuFields, memory: Type.Integer({ minimum: 1 }) })

export const CreatePodBody = Type.Object(
  {
    name: Type.String({ minLength: 1, maxLength: 191 }),
    ...containerFields,
    cloud: OneOf(cloudTiers, { default: 'SECURE' }),
    gpu: Type.Optional(Gpu),
    cpu: Type.Optional(Cpu),
    dataCenterIds: Type.Optional(Type.Array(Type.String())),
    mounts: Type.Optional(Mounts),
    globalNetworking: Type.Boolean({ default: false }),
    // What a template says stands where the body says nothing.
    startSsh: Unsaid(Type.Boolean(), false),
    startJupyter: Unsaid(Type.Boolean(), false),
    templateId: Type.Optional(Type.String({ minLength: 1 })),
  },
  {
    ...strict,
    if: { not: { required: ['templateId'] } },
    // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema, and nothing is awaited.
    then: { required: ['image'] },
  },
)
export type CreatePodBody = Static<typeof CreatePodBody>

export const UpdatePodBody = Type.Object(
  {
    name: Type.Optional(Type.String({ minLength: 1, maxLength: 191 })),
    ...containerFields,
    mounts: Type.Optional(Mounts),
    locked: Type.Optional(Type.Boolean()),
    globalNetworking: Type.Optional(Type.Boolean()),
    templateId: Type.Optional(Type.String()),
  },
  strict,
)
export type UpdatePodBody = Static<typeof UpdatePodBody>

export const PodActionBody = Type.Object({ action: OneOf(podActions) }, strict)

const SshEndpoint = Type.Object({
  host: Type.String(),
  port: Type.Integer(),
  username: Type.String(),
  command: Type.String(),
})
const Load = Type.Object({ util: Type.Integer() })
const Runtime = Type.Object({
  uptime: Type.Integer(),
  gpus: Type.Array(Type.Object({ util: Type.Integer(), memoryUtil: Type.Integer() })),
  cpu: Load,
  memory: Load,
  ports: Type.Array(
    Type.Object({
      private: Type.Integer(),
      public: OrNull(Type.Integer()),
      type: Type.String(),
      ip: OrNull(Type.String()),
    }),
  ),
})

const podStatuses = Object.keys(podTransitions) as (keyof typeof podTransitions)[]

export const PodReply = Type.Object({
  id: Type.String(),
  name: Type.String(),
  status: OneOf(podStatuses),
  actions: Type.Array(OneOf(podActions)),
  ...containerReplyFields,
  mounts: Mounts,
  gpu: Type.Optional(
    Type.Object({
      id: Type.String(),
      count: GpuCount,
      vcpuCount: Type.Number(),
      memory: Type.Number(),
    }),
  ),
  cpu: Type.Optional(CpuReply),
  cloud: OneOf(cloudTiers),
  dataCenterId: OrNull(Type.String()),
  cudaVersion: OrNull(Type.String()),
  ssh: Type.Object({ proxy: OrNull(SshEndpoint), direct: OrNull(SshEndpoint) }),
  cluster: Type.Optional(
    Type.Object(
      {
        id: Type.String(),
        rank: OrNull(Type.Integer()),
        role: Type.Optional(OneOf(podRoles)),
        ip: Type.Optional(Type.String()),
      },
      strict,
    ),
  ),
  template: OrNull(Type.String()),
  cost: Type.Number({ description: 'USD per hour.' }),
  locked: Type.Boolean(),
  globalNetworking: Type.Object({
    enabled: Type.Boolean(),
    ip: Type.Optional(Type.String()),
    internalDns: Type.Optional(Type.String()),
  }),
  runtime: OrNull(Runtime),
  createdAt: Type.String({ format: 'date-time' }),
  startedAt: OrNull(Type.String({ format: 'date-time' })),
})
