/** A serverless endpoint: a queue or a load balancer, its workers, and the rule that sizes them. */
import type { Static } from '@sinclair/typebox'
import * as Type from '@sinclair/typebox'
import type { TimerId } from '../sim/timeline.ts'
import { certificates } from './catalog.ts'
import { Compute } from './compute.ts'
import { ContainerSpec } from './container.ts'
import type { Draft } from './draft.ts'
import { ResourceName } from './pod.ts'
import type { Backend } from './program.ts'
import { OneOf } from './schema.ts'

export const endpointTypes = ['QUEUE', 'LOAD_BALANCER'] as const
export type EndpointType = (typeof endpointTypes)[number]

export const flashBootModes = ['OFF', 'FLASHBOOT', 'PRIORITY_FLASHBOOT'] as const
export type FlashBoot = (typeof flashBootModes)[number]

export const Scaling = Type.Union([
  // Spec: a queue delay is at least half a second.
  Type.Object(
    { type: Type.Literal('QUEUE_DELAY'), queueDelayMs: Type.Number({ minimum: 500 }) },
    { additionalProperties: false },
  ),
  Type.Object(
    { type: Type.Literal('REQUEST_COUNT'), requestCount: Type.Integer({ minimum: 1 }) },
    { additionalProperties: false },
  ),
])
export type Scaling = Static<typeof Scaling>

export const EndpointSpec = Type.Object({
  name: ResourceName,
  type: OneOf(endpointTypes),
  container: ContainerSpec,
  compute: Compute,
  /** Data center ids, or country codes; empty for anywhere. */
  locations: Type.Array(Type.String()),
  /** The template it is bound to, or null. */
  templateId: Type.Union([Type.String(), Type.Null()]),
  networkVolumeIds: Type.Array(Type.String()),
  scaling: Scaling,
  workersMin: Type.Integer({ minimum: 0 }),
  workersMax: Type.Integer({ minimum: 0 }),
  /** Workers that are kept parked and ready to come back; none when absent. */
  workersStandby: Type.Optional(Type.Integer({ minimum: 0 })),
  // Spec: idle timeouts are 1 to 3600 seconds.
  idleTimeoutMs: Type.Integer({ minimum: 1_000, maximum: 3_600_000 }),
  /** 0 for no limit. */
  executionTimeoutMs: Type.Integer({ minimum: 0 }),
  flashBoot: OneOf(flashBootModes),
  /** The environment of a Flash app that it belongs to; absent for none. */
  flashEnvironmentId: Type.Optional(Type.String()),
  /** The release of the hub that it was made from; absent for none. */
  hubReleaseId: Type.Optional(Type.String()),
  /** Addresses of models on a hub. Assumed: they make no difference to when a worker is ready. */
  modelReferences: Type.Optional(Type.Array(Type.String())),
  /** What the data centers of its workers are certified for; absent for anything. */
  compliance: Type.Optional(Type.Array(OneOf(certificates))),
})
export type EndpointSpec = Static<typeof EndpointSpec>

export interface Endpoint {
  readonly id: string
  readonly spec: EndpointSpec
  /** Grows with every change that new workers are needed for. */
  readonly version: number
  readonly createdAtMs: number
  /** The key its own workers use. */
  readonly aiKey: string
  /** The fixture that answers its jobs or requests; null for the default, echo. */
  readonly handler: string | null
  /** What runs as its workers. */
  readonly backend: Backend
  /** The platform's own: everybody may call it, and it is in nobody's list. */
  readonly public: boolean
  /** The next look at the queue, while there is one. */
  readonly timer: TimerId | null
}

/** The next version, still like the last: it changes with every look at its queue. */
export function draftOfEndpoint(endpoint: Endpoint): Draft<Endpoint> {
  const { id, spec, version, createdAtMs, aiKey, handler, backend, timer } = endpoint
  return {
    id,
    spec,
    version,
    createdAtMs,
    aiKey,
    handler,
    backend,
    public: endpoint.public,
    timer,
  } satisfies Record<keyof Endpoint, unknown>
}
