/** A cluster: pods of one shape that are placed together and share a network. */
import type { Static } from '@sinclair/typebox'
import * as Type from '@sinclair/typebox'
import type { TimerId } from '../sim/timeline.ts'
import { ContainerSpec } from './container.ts'
import { PodSpec, ResourceName } from './pod.ts'
import { OneOf } from './schema.ts'
import type { Transitions } from './transitions.ts'

export const clusterTypes = ['APPLICATION', 'TRAINING', 'SLURM', 'RAY'] as const
export type ClusterType = (typeof clusterTypes)[number]

export const ClusterSpec = Type.Object({
  name: ResourceName,
  type: OneOf(clusterTypes),
  gpuTypeId: Type.String({ minLength: 1 }),
  gpuCountPerPod: Type.Integer({ minimum: 1 }),
  // Spec: 2 to 250 pods.
  podCount: Type.Integer({ minimum: 2, maximum: 250 }),
  /** Of every pod. */
  container: ContainerSpec,
  allowedCudaVersions: Type.Array(Type.String()),
  /** Data center ids, or country codes; empty for anywhere. */
  locations: Type.Array(Type.String()),
  ...Type.Pick(PodSpec, ['persistent', 'network', 'templateId']).properties,
})
export type ClusterSpec = Static<typeof ClusterSpec>

/** No surface shows it: it says which of place and network can be read. */
export const clusterTransitions = {
  FORMING: { place: 'PLACED' },
  PLACED: { connect: 'CONNECTED' },
  CONNECTED: {},
} as const satisfies Transitions<string, 'place' | 'connect'>
export type ClusterStatus = keyof typeof clusterTransitions
export type ClusterStep = 'place' | 'connect'

/** Spec: the first pod's role, and the others'; other types have none. */
export const clusterRoles = {
  APPLICATION: null,
  TRAINING: null,
  SLURM: ['SLURM_CONTROLLER', 'SLURM_COMPUTE'],
  RAY: ['RAY_HEAD', 'RAY_WORKER'],
} as const satisfies Record<ClusterType, readonly [string, string] | null>
export const podRoles = ['SLURM_CONTROLLER', 'SLURM_COMPUTE', 'RAY_HEAD', 'RAY_WORKER'] as const

export interface ClusterNetwork {
  readonly cidr: string
  readonly vxlanId: number
  readonly vxlanPort: number
}

export interface Cluster {
  readonly id: string
  readonly spec: ClusterSpec
  readonly status: ClusterStatus
  /** In the order of their ranks; the first is the primary. */
  readonly podIds: readonly string[]
  readonly dataCenterId: string
  readonly network: ClusterNetwork
  readonly createdAtMs: number
  readonly timer: TimerId | null
}
