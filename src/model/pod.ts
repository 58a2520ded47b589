/** A pod: one machine's share, rented by the hour, running one container. */
import type { Static } from '@sinclair/typebox'
import * as Type from '@sinclair/typebox'
import type { TimerId } from '../sim/timeline.ts'
import { Compute, type Placement } from './compute.ts'
import { CloudTier, ContainerSpec } from './container.ts'
import type { PodUse } from './pod-use.ts'
import { OrNull } from './schema.ts'
import type { Transitions } from './transitions.ts'

/** Spec: a pod's name has at most 191 characters (REST v1). */
export const ResourceName = Type.String({ minLength: 1, maxLength: 191 })

export const PodSpec = Type.Object({
  name: ResourceName,
  container: ContainerSpec,
  compute: Compute,
  /** In order of preference. Spec: GraphQL's ALL means both. */
  clouds: Type.Array(CloudTier, { minItems: 1 }),
  /** Data center ids, or country codes; empty for anywhere. */
  locations: Type.Array(Type.String()),
  persistent: OrNull(
    Type.Object({ sizeGb: Type.Integer({ minimum: 1 }), path: Type.String({ minLength: 1 }) }),
  ),
  network: OrNull(Type.Object({ volumeId: Type.String(), path: Type.String({ minLength: 1 }) })),
  /** The template it was made from, where the surface keeps that link; null otherwise. */
  templateId: OrNull(Type.String()),
  /** A spot pod: cheaper, and reclaimed whenever its GPUs are wanted. */
  interruptible: Type.Boolean(),
  /** For a spot pod: USD per hour for each GPU. Absent: the lowest that will do. */
  bidPerGpuUsd: Type.Optional(Type.Number({ minimum: 0 })),
  /** Rented only where it costs no more, in USD per hour for the whole pod. */
  maxCostPerHourUsd: Type.Optional(Type.Number({ minimum: 0 })),
  /** When it stops by itself, in ms since 1970. */
  stopAtMs: Type.Optional(Type.Number()),
  /** When it is terminated by itself, in ms since 1970. */
  terminateAtMs: Type.Optional(Type.Number()),
  locked: Type.Boolean(),
  globalNetworking: Type.Boolean(),
})
export type PodSpec = Static<typeof PodSpec>

/** What a caller may ask for. The other steps of the table are the platform's. */
export const podActions = ['start', 'stop', 'restart', 'terminate'] as const
export type PodAction = (typeof podActions)[number]
export type PodStep = PodAction | 'place' | 'boot' | 'fail' | 'reclaim'

// Spec: v2 lists stop, restart, start and terminate per status; terminate is allowed from each.
export const podTransitions = {
  PROVISIONING: { place: 'STARTING', fail: 'ERROR', stop: 'EXITED', terminate: 'TERMINATED' },
  STARTING: {
    boot: 'RUNNING',
    fail: 'ERROR',
    stop: 'EXITED',
    reclaim: 'EXITED',
    terminate: 'TERMINATED',
  },
  // Assumed: a restart passes through STARTING; the reference only says "in place".
  RUNNING: {
    restart: 'STARTING',
    fail: 'ERROR',
    stop: 'EXITED',
    reclaim: 'EXITED',
    terminate: 'TERMINATED',
  },
  EXITED: { start: 'PROVISIONING', terminate: 'TERMINATED' },
  ERROR: { start: 'PROVISIONING', terminate: 'TERMINATED' },
  TERMINATED: {},
} as const satisfies Transitions<string, PodStep>
export type PodStatus = keyof typeof podTransitions

/** A port of the container and where the outside reaches it. */
export interface PodPort {
  readonly privatePort: number
  /** Null for HTTP ports: those are reached through the proxy. */
  readonly publicPort: number | null
  readonly type: string
}

export interface StalePorts {
  readonly ports: readonly PodPort[]
  readonly untilMs: number
}

/** Who changed the status last, and when: v1 and GraphQL make a sentence of it. */
export interface StatusChange {
  readonly verb: 'Rented' | 'Resumed' | 'Exited' | 'Restarted' | 'Terminated'
  readonly by: 'User' | 'Runpod'
  readonly atMs: number
}

/** A pod's place in its cluster. */
export interface ClusterMembership {
  readonly clusterId: string
  /** 0 for the primary. */
  readonly rank: number
  /** Null in clusters whose type has none. */
  readonly role: string | null
  /** In the cluster's own network. */
  readonly ip: string
}

/** What runs as a pod: nothing but its times, or a container in a Docker engine here. */
export const podBackends = ['simulated', 'docker'] as const
export type PodBackend = (typeof podBackends)[number]

/** A pod's container in a Docker engine. */
export interface PodContainer {
  /** How often it was started; what is said of an earlier one is old. */
  readonly launch: number
  /** It was asked for, and its end has not been told. */
  readonly asked: boolean
  /** How often it ended by itself since the pod was last started. */
  readonly exits: number
  /** Its pod was reclaimed, and its end has not been told. */
  readonly reclaimed: boolean
}

export interface Pod {
  readonly id: string
  /** Null for a pod that is simulated. */
  readonly container: PodContainer | null
  readonly spec: PodSpec
  readonly status: PodStatus
  /** Kept while stopped: a stopped pod stays on its machine. */
  readonly placement: Placement
  /** Null for a pod of its own. */
  readonly cluster: ClusterMembership | null
  /** The user of the SSH proxy. */
  readonly hostId: string
  /** Where it is reached while running. */
  readonly publicIp: string
  /** Where other pods reach it; null while it is not in the global network. */
  readonly privateIp: string | null
  readonly ports: readonly PodPort[]
  /** Grows whenever the container is made anew with other settings. */
  readonly version: number
  readonly createdAtMs: number
  /** The last time it became RUNNING. */
  readonly startedAtMs: number | null
  /** From when on its runtime is reported: a RUNNING pod is not reachable at once. */
  readonly reachableAtMs: number | null
  /** From when on its ports are; with its runtime when absent. */
  readonly portsAtMs?: number | undefined
  /** From when on its web server listens; with its ports when absent. */
  readonly servesAtMs?: number | undefined
  /** What is reported in the place of its ports, for a while after it was started again. */
  readonly stalePorts?: StalePorts | undefined
  /** The pod whose data it waits for, until they are there. */
  readonly migratesFrom?: string | undefined
  /** The pod that its data went to the last time, or are on their way to. */
  readonly migratesTo?: string | undefined
  readonly lastChange: StatusChange
  /** What its machine is used for while it runs; absent for nothing. */
  readonly use?: PodUse | undefined
  readonly timer: TimerId | null
  /** Its deadlines outlast every status but the last; absent once they are passed, or for none. */
  readonly stopTimer?: TimerId | undefined
  readonly terminateTimer?: TimerId | undefined
}

/** What a deadline does to a pod. */
export type DeadlineAction = 'stop' | 'terminate'

/** True while the pod occupies its GPUs, and is paid for. */
export function holdsCompute(status: PodStatus): boolean {
  return status === 'PROVISIONING' || status === 'STARTING' || status === 'RUNNING'
}
