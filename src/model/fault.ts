/** Faults: rules that make something go wrong, where and as often as their author says. */
import type { Static, TProperties } from '@sinclair/typebox'
import * as Type from '@sinclair/typebox'
import type { TimerId } from '../sim/timeline.ts'
import { priceTiers } from './catalog.ts'
import { cloudTiers } from './container.ts'
import { errorCodes } from './errors.ts'
import { WaitTime } from './profile.ts'
import { OneOf } from './schema.ts'

const strict = { additionalProperties: false }

const Happens = Type.Optional(
  Type.Boolean({
    description: 'The operation is carried out all the same; only its answer is lost.',
  }),
)
const Bytes = Type.Integer({ minimum: 0, description: 'Of the body, that still arrive.' })
const AfterTime: typeof WaitTime = {
  ...WaitTime,
  description: 'From the start of the job; at once when absent.',
}
const After = Type.Optional(AfterTime)
const DataCenterId = Type.String({ minLength: 1 })
const TypeId = Type.String({ minLength: 1, description: 'A GPU type or a CPU flavor.' })

const effect = <const Kind extends string, Fields extends TProperties>(
  kind: Kind,
  description: string,
  fields: Fields,
) => Type.Object({ kind: Type.Literal(kind), ...fields }, { ...strict, description })

/** What a fault does, by its kind. */
export const effectSchemas = {
  refuse: effect(
    'refuse',
    "The surface says no, in its own form, with a code of the cloud's list.",
    {
      code: OneOf(errorCodes),
      message: Type.Optional(Type.String({ minLength: 1 })),
      happens: Happens,
    },
  ),
  reply: effect('reply', 'This answer, and nothing of the surface.', {
    status: Type.Integer({ minimum: 200, maximum: 599 }),
    headers: Type.Optional(Type.Record(Type.String(), Type.String())),
    body: Type.Optional(Type.Unknown({ description: 'A text as it is, anything else as JSON.' })),
    happens: Happens,
  }),
  delay: effect('delay', "The answer comes later, on the world's clock.", { ms: WaitTime }),
  reset: effect('reset', 'The connection is reset before any of the answer.', { happens: Happens }),
  truncate: effect('truncate', 'The connection ends within the body.', { bytes: Bytes }),
  stall: effect('stall', 'Within the body nothing more comes, and the connection stays open.', {
    bytes: Bytes,
  }),
  'drop-webhook': effect(
    'drop-webhook',
    'The delivery is lost on its way: there is no answer.',
    {},
  ),
  'duplicate-webhook': effect('duplicate-webhook', 'The delivery arrives several times.', {
    copies: Type.Optional(
      Type.Integer({ minimum: 1, maximum: 10, description: 'Besides the first; 1 when absent.' }),
    ),
  }),
  'slow-webhook': effect(
    'slow-webhook',
    'The receiver gets it at once and answers late; too late is no answer.',
    { ms: WaitTime },
  ),
  'crash-job': effect('crash-job', 'The process of the worker that took the job dies.', {
    afterMs: After,
  }),
  'oom-job': effect('oom-job', 'The worker that took the job is killed for lack of memory.', {
    afterMs: After,
  }),
  'hang-job': effect('hang-job', 'The job never returns: a time limit ends it, or its caller.', {}),
  'fail-pull': effect('fail-pull', 'The image of a pod or worker cannot be pulled.', {}),
  'crash-workers': effect('crash-workers', 'Workers that are up die.', {}),
  'reclaim-spot': effect('reclaim-spot', 'Spot pods lose their GPUs: one, or all of them.', {}),
  'change-stock': effect('change-stock', 'A data center has so much of a type from now on.', {
    dataCenterId: DataCenterId,
    typeId: TypeId,
    cloud: Type.Optional(OneOf(cloudTiers)),
    total: Type.Integer({ minimum: 0, description: 'GPUs, or vCPUs, held or free.' }),
  }),
  'change-price': effect('change-price', 'A type costs so much where it is placed from now on.', {
    typeId: TypeId,
    dataCenterId: Type.Optional(DataCenterId),
    tier: Type.Optional(OneOf(priceTiers)),
    priceUsd: Type.Number({ minimum: 0, description: 'For an hour of one GPU or vCPU.' }),
  }),
  'set-balance': effect('set-balance', 'What is left to spend is this.', {
    balanceUsd: Type.Optional(Type.Number({ description: 'Nothing when absent.' })),
  }),
} as const

export type EffectKind = keyof typeof effectSchemas
export const effectKinds = Object.keys(effectSchemas) as EffectKind[]

type EffectOf = { readonly [Kind in EffectKind]: Static<(typeof effectSchemas)[Kind]> }
export type FaultEffect = EffectOf[EffectKind]

/** What a fault waits for. */
export type Occasion = 'request' | 'webhook' | 'job' | 'pull' | 'time'

/** When each effect comes: those of `time` come by the clock, or with a request where one is named. */
export const occasions = {
  refuse: 'request',
  reply: 'request',
  delay: 'request',
  reset: 'request',
  truncate: 'request',
  stall: 'request',
  'drop-webhook': 'webhook',
  'duplicate-webhook': 'webhook',
  'slow-webhook': 'webhook',
  'crash-job': 'job',
  'oom-job': 'job',
  'hang-job': 'job',
  'fail-pull': 'pull',
  'crash-workers': 'time',
  'reclaim-spot': 'time',
  'change-stock': 'time',
  'change-price': 'time',
  'set-balance': 'time',
} as const satisfies Record<EffectKind, Occasion>

/** Effects that come with one occasion. */
export type EffectAt<At extends Occasion> = {
  [Kind in EffectKind]: (typeof occasions)[Kind] extends At ? EffectOf[Kind] : never
}[EffectKind]

export const FaultRule = Type.Object(
  {
    id: Type.Optional(Type.String({ pattern: '^[a-z0-9][a-z0-9-]*$', maxLength: 60 })),
    operation: Type.Optional(
      Type.String({
        minLength: 1,
        description:
          'Its full name, `*` for any letters: `v2.createPod`, `jobs.*`, `graphql.pod*`.',
      }),
    ),
    key: Type.Optional(Type.String({ minLength: 1, description: "The caller's API key." })),
    resource: Type.Optional(
      Type.String({ minLength: 1, description: 'An id of what it happens to: a pod, a job.' }),
    ),
    nth: Type.Optional(Type.Integer({ minimum: 1, description: 'Only this one of the matches.' })),
    every: Type.Optional(
      Type.Integer({ minimum: 1, description: 'The last of each so many matches.' }),
    ),
    probability: Type.Optional(Type.Number({ minimum: 0, maximum: 1 })),
    afterMs: Type.Optional(
      Type.Number({ minimum: 0, description: 'Virtual time from now until it begins.' }),
    ),
    forMs: Type.Optional(
      Type.Number({
        exclusiveMinimum: 0,
        description: 'Virtual time from its beginning to its end.',
      }),
    ),
    everyMs: Type.Optional(
      Type.Number({ exclusiveMinimum: 0, description: 'Comes by the clock again and again.' }),
    ),
    times: Type.Optional(Type.Integer({ minimum: 1, description: 'Hits after which it ends.' })),
    effect: Type.Unsafe<FaultEffect>(Type.Union(Object.values(effectSchemas))),
  },
  strict,
)
export type FaultRule = Static<typeof FaultRule>

/** A rule at work, or one that has done its work. */
export interface Fault {
  readonly id: string
  readonly rule: FaultRule
  readonly status: 'ACTIVE' | 'EXPIRED'
  readonly createdAtMs: number
  readonly fromMs: number
  /** Null for no end. */
  readonly untilMs: number | null
  /** What matched so far, hit or not. */
  readonly matches: number
  readonly hits: number
  readonly lastHitAtMs: number | null
  /** Its entry in the timeline: the cause of its hits. */
  readonly entry: number
  /** Its end, or the next time that it comes by the clock. */
  readonly timer: TimerId | null
}

export function occasionOf({ effect, operation }: FaultRule): Occasion {
  const occasion = occasions[effect.kind]
  return occasion === 'time' && operation !== undefined ? 'request' : occasion
}
