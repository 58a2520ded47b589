/** A scenario: a start state, things that happen at virtual times, and what has to come of them. */
import type { Static } from '@sinclair/typebox'
import * as Type from '@sinclair/typebox'
import { cloudTiers } from './container.ts'
import { Expectation, Happened, ReplyExpectation } from './expectation.ts'
import { FaultRule } from './fault.ts'
import { type Fidelity, fidelitySwitches } from './fidelity.ts'
import { Handler } from './handler.ts'
import { Profile } from './profile.ts'
import { OneOf } from './schema.ts'
import { restV1Modes } from './settings.ts'
import { StartState } from './start-state.ts'

const strict = { additionalProperties: false }
const Name = Type.String({ pattern: '^[a-z][a-z0-9-]*$' })

/** `90s`, `1h30m`, `250ms`. */
export const Span = Type.String({
  pattern: '^([0-9]+(\\.[0-9]+)?(ms|s|m|h|d))+$',
  description: 'A span of time such as 90s, 1h30m or 250ms.',
})

/** A request as a client would send it. `{{name}}` stands for what an earlier step saved. */
export const ScenarioRequest = Type.Object(
  {
    /** POST with a body, else GET. */
    method: Type.Optional(Type.String({ pattern: '^[A-Z]+$' })),
    /** With its query. `/graphql` when absent, for a GraphQL request. */
    path: Type.Optional(Type.String({ pattern: '^/' })),
    /** Where an endpoint or the port of a pod has a name of its own: `{{pod}}-8888.proxy.runpod.net`. */
    host: Type.Optional(Type.String({ minLength: 1 })),
    headers: Type.Optional(Type.Record(Type.String(), Type.String())),
    /** The API key; empty for none. */
    key: Type.Optional(Type.String()),
    body: Type.Optional(Type.Unknown()),
    /** In place of a body: sent as it is. */
    text: Type.Optional(Type.String()),
    /** In place of a body: so many bytes of JSON with an `input`, or with an `output`. */
    inputBytes: Type.Optional(Type.Integer({ minimum: 16 })),
    outputBytes: Type.Optional(Type.Integer({ minimum: 16 })),
    graphql: Type.Optional(Type.String({ minLength: 1 })),
    variables: Type.Optional(Type.Record(Type.String(), Type.Unknown())),
    /** An answer that has no end of its own is read for so long. */
    readFor: Type.Optional(Span),
  },
  strict,
)
export type ScenarioRequest = Static<typeof ScenarioRequest>

/** Where in a reply a value stands: `id`, `pods[0].id`; or the name of a header. */
const Saved = Type.Union([
  Type.String({ minLength: 1 }),
  Type.Object({ header: Type.String({ minLength: 1 }) }, strict),
])
export type Saved = Static<typeof Saved>

/** Time passes until this is so. */
const Until = Type.Object(
  {
    /** An entry of the timeline, from this step on. */
    happened: Type.Optional(Happened),
    /** As `POST /_emulator/clock/run-until` takes it: `jobs.{{job}}.status == COMPLETED`. */
    condition: Type.Optional(Type.String({ minLength: 1 })),
    /** Nothing is under way any more. */
    atRest: Type.Optional(Type.Literal(true)),
    /** A request, asked again and again, has the reply that is expected. */
    request: Type.Optional(ScenarioRequest),
    expect: Type.Optional(ReplyExpectation),
    every: Type.Optional(Span),
    /** The step fails when it takes longer. */
    within: Span,
  },
  strict,
)
export type Until = Static<typeof Until>

const Capacity = Type.Object(
  {
    /** All of them when absent. */
    dataCenterId: Type.Optional(Type.String({ minLength: 1 })),
    /** A GPU type or a CPU flavor. */
    typeId: Type.String({ minLength: 1 }),
    cloud: Type.Optional(OneOf(cloudTiers)),
    /** GPUs or vCPUs, held or free. */
    total: Type.Integer({ minimum: 0 }),
  },
  strict,
)

const stepFields = {
  name: Type.Optional(Type.String({ minLength: 1 })),
  /** Since the step before was done. */
  after: Type.Optional(Span),
  /** In a repeat: only each so many times. */
  nth: Type.Optional(Type.Integer({ minimum: 1 })),
  request: Type.Optional(ScenarioRequest),
  /** The next step does not wait for the answer. */
  background: Type.Optional(Type.Literal(true)),
  expect: Type.Optional(ReplyExpectation),
  save: Type.Optional(Type.Record(Type.String({ pattern: '^[A-Za-z]\\w*$' }), Saved)),
  /** The body of `POST /_emulator/faults`. */
  fault: Type.Optional(FaultRule),
  capacity: Type.Optional(Capacity),
  advance: Type.Optional(Span),
  until: Type.Optional(Until),
  check: Type.Optional(Expectation),
}

const InnerStep = Type.Object(stepFields, strict)

const Repeat = Type.Object(
  {
    times: Type.Integer({ minimum: 1, maximum: 10_000_000 }),
    /** From one time to the next. At once when neither this nor `over` is there. */
    every: Type.Optional(Span),
    /** All of them within so long. */
    over: Type.Optional(Span),
    /** `poisson`: as chance has it, by the seed, at the same rate. */
    arrivals: OneOf(['even', 'poisson'], { default: 'even' }),
    steps: Type.Array(InnerStep, { minItems: 1 }),
  },
  strict,
)

export const ScenarioStep = Type.Object(
  {
    ...stepFields,
    /** Since the scenario began. */
    at: Type.Optional(Span),
    /** Steps that are done several times; `{{index}}` counts from 0. */
    repeat: Type.Optional(Repeat),
  },
  strict,
)
export type ScenarioStep = Static<typeof ScenarioStep>
export type Repeat = Static<typeof Repeat>
export type Capacity = Static<typeof Capacity>

/** What a step does; it does one of these. */
export const stepActions = [
  'request',
  'fault',
  'capacity',
  'advance',
  'until',
  'check',
  'repeat',
] as const
export type StepAction = (typeof stepActions)[number]

const Receiver = Type.Object(
  {
    url: Type.String({ minLength: 1 }),
    /** What it answers to one delivery after the other; 0 for no answer, and 200 after the last. */
    answers: Type.Array(Type.Integer({ minimum: 0, maximum: 599 })),
  },
  strict,
)
export type Receiver = Static<typeof Receiver>

const FidelityChanges = Type.Object(
  Object.fromEntries(
    Object.entries(fidelitySwitches).map(([name, { values }]) => [
      name,
      Type.Optional(OneOf(values)),
    ]),
  ),
  strict,
) as unknown as ReturnType<typeof Type.Unsafe<Partial<Fidelity>>>

const ScenarioSettings = Type.Object(
  {
    seed: Type.String({ minLength: 1, default: '1' }),
    profile: Type.String({ minLength: 1, default: 'fast' }),
    /** Waits that are not those of the profile. */
    waits: Type.Optional(Type.Partial(Profile)),
    fidelity: Type.Optional(FidelityChanges),
    limits: Type.Optional(OneOf(['on', 'off'])),
    auth: Type.Optional(OneOf(['any', 'strict'])),
    isolate: Type.Optional(Type.Boolean()),
    restV1: Type.Optional(OneOf(restV1Modes)),
    /** RFC 3339; the beginning of 2026 when absent. */
    startAt: Type.Optional(Type.String({ minLength: 1 })),
  },
  { ...strict, default: {} },
)

export const Scenario = Type.Object(
  {
    name: Name,
    description: Type.String({ minLength: 1 }),
    /** Where it comes from, in the words that mark facts in the code. */
    provenance: Type.Array(Type.String({ pattern: '^(Spec|Observed|Assumed): ' }), { minItems: 1 }),
    settings: ScenarioSettings,
    /** The name of a start state. */
    world: Type.Optional(Type.String({ minLength: 1 })),
    /** In place of a name: the start state itself. */
    start: Type.Optional(StartState),
    handlers: Type.Array(Handler, { default: [] }),
    /** Addresses that webhooks are posted to, answered without a network. */
    receivers: Type.Array(Receiver, { default: [] }),
    timeline: Type.Array(ScenarioStep, { minItems: 1 }),
    /** Looked at after the last step. */
    expect: Type.Optional(Expectation),
  },
  strict,
)
export type Scenario = Static<typeof Scenario>
