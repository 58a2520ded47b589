/** What a simulated worker may do with a job: answer, fail, die, or never return. */
import type { Static } from '@sinclair/typebox'
import * as Type from '@sinclair/typebox'
import { WaitTime } from './profile.ts'

const strict = { additionalProperties: false }

/** Some hundred MB in memory are enough to pass every limit. */
export const mostBytes = 100 * 1_048_576

const outcomeFields = {
  /** What the job returns; its own input when nothing else is said. */
  output: Type.Optional(Type.Unknown()),
  /**
   * What it returns, with `{{input.a.b}}`, `{{job.id}}`, `{{job.retries}}`, `{{worker.id}}`,
   * `{{worker.image}}` and `{{worker.version}}` filled in. A text that is nothing but one of them
   * becomes the value itself.
   */
  template: Type.Optional(Type.Unknown()),
  /** Returns a text of this size. */
  outputBytes: Type.Optional(Type.Integer({ minimum: 0, maximum: mostBytes })),
  /** Fails with this text instead of returning. */
  error: Type.Optional(Type.String()),
  /** The worker's process dies in the end, or is killed for lack of memory, or never returns. */
  ends: Type.Optional(
    Type.Unsafe<'crash' | 'oom' | 'hang'>({ type: 'string', enum: ['crash', 'oom', 'hang'] }),
  ),
  /** Lines for the worker's log, at the beginning. */
  logs: Type.Optional(Type.Array(Type.String())),
  /** Progress to report on the way, spread over the delay, before the chunks. */
  progress: Type.Optional(Type.Array(Type.Unknown())),
  /** Chunks to stream before the end, spread likewise. */
  stream: Type.Optional(Type.Array(Type.Unknown())),
  /** How long a job takes; the profile's time when absent. */
  delayMs: Type.Optional(WaitTime),
}

export const Outcome = Type.Object(outcomeFields, strict)
export type Outcome = Static<typeof Outcome>

/** Outcomes that depend on how many jobs came before, counted for each endpoint and case. */
const courseFields = {
  ...outcomeFields,
  /** The first jobs fail; what is said beside it is for those that follow. */
  failFirst: Type.Optional(
    Type.Object(
      {
        times: Type.Integer({ minimum: 1 }),
        error: Type.String({ default: 'the handler fails at first' }),
      },
      strict,
    ),
  ),
  /** One for each job, in order; the last one is for all that follow. */
  sequence: Type.Optional(Type.Array(Outcome, { minItems: 1 })),
  /** The sequence begins again after its last. */
  repeat: Type.Optional(Type.Literal(true)),
}

const HandlerCase = Type.Object(
  {
    /** What the job's input has to contain: objects at least these fields, lists these members. */
    when: Type.Unknown(),
    ...courseFields,
  },
  strict,
)

export const handlingFields = {
  ...courseFields,
  /** The first whose `when` fits the input answers; the handler itself when none does. */
  cases: Type.Optional(Type.Array(HandlerCase, { minItems: 1 })),
}

const Course = Type.Object(courseFields, strict)
export type Course = Static<typeof Course>
