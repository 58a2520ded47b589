/** What callers of REST v2 write about clusters, and what they read. */
import type { Static } from '@sinclair/typebox'
import * as Type from '@sinclair/typebox'
import { ClusterSpec, clusterTypes } from '../../model/cluster.ts'
import { podTransitions } from '../../model/pod.ts'
import { OneOf } from '../../model/schema.ts'
import { containerFields } from './container.ts'
import { Mounts } from './pod-schemas.ts'

const strict = { additionalProperties: false }

export const Compute = Type.Pick(ClusterSpec, ['gpuTypeId', 'gpuCountPerPod', 'podCount'], strict)

// Spec: a cluster names no registry; a template is the only way to a private image.
const { registry: _none, ...ownContainerFields } = containerFields

export const CreateClusterBody = Type.Object(
  {
    name: Type.String({ minLength: 1, maxLength: 191 }),
    type: OneOf(clusterTypes),
    compute: Compute,
    ...ownContainerFields,
    dataCenterIds: Type.Optional(Type.Array(Type.String())),
    mounts: Type.Optional(Mounts),
    startSsh: Type.Boolean({ default: false }),
    startJupyter: Type.Boolean({ default: false }),
    templateId: Type.Optional(Type.String({ minLength: 1 })),
  },
  strict,
)
export type CreateClusterBody = Static<typeof CreateClusterBody>

export const UpdateClusterBody = Type.Object(
  { name: Type.Optional(Type.String({ minLength: 1, maxLength: 191 })) },
  { ...strict, minProperties: 1 },
)

const PodStatusWord = OneOf(Object.keys(podTransitions) as (keyof typeof podTransitions)[])

/** Spec: what is not there yet is left out. */
export const ClusterReply = Type.Object({
  id: Type.String(),
  name: Type.String(),
  type: OneOf(clusterTypes),
  compute: Compute,
  template: Type.Optional(Type.String()),
  dataCenterId: Type.Optional(Type.String()),
  pods: Type.Object(
    { total: Type.Integer(), byStatus: Type.Record(Type.String(), Type.Integer()) },
    strict,
  ),
  network: Type.Optional(
    Type.Object(
      {
        cidr: Type.String(),
        vxlanId: Type.Optional(Type.Integer()),
        vxlanPort: Type.Optional(Type.Integer()),
      },
      strict,
    ),
  ),
  primary: Type.Optional(
    Type.Object(
      {
        podId: Type.String(),
        status: PodStatusWord,
        sshEndpoint: Type.Optional(Type.String()),
      },
      strict,
    ),
  ),
  createdAt: Type.String({ format: 'date-time' }),
})
