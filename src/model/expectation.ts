/** What a scenario expects: of a reply, of what happened, of what is left. */
import type { Static } from '@sinclair/typebox'
import * as Type from '@sinclair/typebox'

const strict = { additionalProperties: false }

/** A number, or the limits it has to be within. */
export const Amount = Type.Union([
  Type.Number(),
  Type.Object(
    { atLeast: Type.Optional(Type.Number()), atMost: Type.Optional(Type.Number()) },
    { ...strict, minProperties: 1 },
  ),
])
export type Amount = Static<typeof Amount>

/**
 * Words that stand for more than one value, in place of a value of a body: `{ $atLeast: 3 }`. An
 * object without one has to be part of what was found; an array has to match item by item.
 */
export const operators = [
  '$atLeast',
  '$atMost',
  '$matches',
  '$contains',
  '$length',
  '$any',
  '$absent',
  '$not',
] as const
export type Operator = (typeof operators)[number]

const TextOperators = Type.Record(Type.String({ pattern: '^\\$' }), Type.Unknown(), {
  additionalProperties: false,
  minProperties: 1,
})

export const ReplyExpectation = Type.Object(
  {
    status: Type.Optional(Type.Integer({ minimum: 100, maximum: 599 })),
    /** Names in lower case. */
    headers: Type.Optional(Type.Record(Type.String(), Type.Unknown())),
    body: Type.Optional(Type.Unknown()),
    /** The body as it was sent has this in it, or is what operators say. */
    text: Type.Optional(Type.Union([Type.String({ minLength: 1 }), TextOperators])),
    /** The connection was cut before the end. */
    cut: Type.Optional(Type.Boolean()),
  },
  { ...strict, minProperties: 1 },
)
export type ReplyExpectation = Static<typeof ReplyExpectation>

/** An entry of the timeline. */
export const HappenedPattern = Type.Object(
  {
    kind: Type.String({ minLength: 1 }),
    id: Type.Optional(Type.String({ minLength: 1 })),
    /** Part of the entry's detail. */
    detail: Type.Optional(Type.Record(Type.String(), Type.Unknown())),
    /** Since the scenario began. */
    atMs: Type.Optional(Amount),
  },
  strict,
)
export type HappenedPattern = Static<typeof HappenedPattern>
export const Happened = Type.Union([Type.String({ minLength: 1 }), HappenedPattern])
export type Happened = Static<typeof Happened>

export const quantileNames = ['p50', 'p70', 'p90', 'p95', 'p98', 'p99', 'max', 'mean'] as const
export type QuantileName = (typeof quantileNames)[number]

const OptionalAmount = Type.Optional(Amount)
const Quantiles = Type.Object(
  Object.fromEntries(quantileNames.map((name) => [name, OptionalAmount])) as Record<
    QuantileName,
    typeof OptionalAmount
  >,
  { ...strict, minProperties: 1 },
)
export type Quantiles = Static<typeof Quantiles>

export const Expectation = Type.Object(
  {
    /** How often each kind of entry is in the timeline. */
    counts: Type.Optional(Type.Record(Type.String(), Amount)),
    /** Entries of the timeline that happened in this order, with others between them. */
    happened: Type.Optional(Type.Array(Happened, { minItems: 1 })),
    /** How many of the scenario's own requests were answered with each status. */
    replies: Type.Optional(Type.Record(Type.String({ pattern: '^[1-5][0-9][0-9]$' }), Amount)),
    /** From submission to the last start, of jobs that ended. */
    delayMs: Type.Optional(Quantiles),
    executionMs: Type.Optional(Quantiles),
    /** What everything together has cost. */
    costUsd: Type.Optional(Amount),
    /** What is there still. Jobs: those that have not ended. */
    left: Type.Optional(
      Type.Object(
        {
          pods: Type.Optional(Amount),
          workers: Type.Optional(Amount),
          jobs: Type.Optional(Amount),
        },
        { ...strict, minProperties: 1 },
      ),
    ),
    /** Each job that was submitted ended, and ended once. */
    eachJobOnce: Type.Optional(Type.Literal(true)),
    /** Conditions on the world: `endpoints.demo.workers.RUNNING <= 3`. */
    holds: Type.Optional(Type.Array(Type.String({ minLength: 1 }), { minItems: 1 })),
    /** Part of what `GET /_emulator/state` answers. */
    state: Type.Optional(Type.Record(Type.String(), Type.Unknown())),
  },
  { ...strict, minProperties: 1 },
)
export type Expectation = Static<typeof Expectation>
