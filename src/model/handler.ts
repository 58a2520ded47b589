/** Handler fixtures: what a simulated worker does with a job or a request. */
import type { Static } from '@sinclair/typebox'
import * as Type from '@sinclair/typebox'
import { WaitTime } from './profile.ts'

const strict = { additionalProperties: false }

/** One route of a simulated load-balancing worker. */
export const HandlerRoute = Type.Object(
  {
    /** Any method when absent. */
    method: Type.Optional(Type.String({ pattern: '^[A-Z]+$' })),
    /** Exact, or with `*` at the end for everything below. */
    path: Type.String({ pattern: '^/' }),
    status: Type.Integer({ minimum: 200, maximum: 599, default: 200 }),
    headers: Type.Record(Type.String(), Type.String(), { default: {} }),
    body: Type.Optional(Type.Unknown()),
    delayMs: Type.Optional(WaitTime),
  },
  strict,
)
export type HandlerRoute = Static<typeof HandlerRoute>

export const Handler = Type.Object(
  {
    name: Type.String({ minLength: 1 }),
    /** What a job returns; the job's own input when absent. */
    output: Type.Optional(Type.Unknown()),
    /** Chunks to stream before the end. */
    stream: Type.Optional(Type.Array(Type.Unknown())),
    /** Fails with this text instead of returning. */
    error: Type.Optional(Type.String()),
    /** How long a job takes; the profile's time when absent. */
    delayMs: Type.Optional(WaitTime),
    /** How the worker starts: `fails` makes it crash each time it would become ready. */
    boot: Type.Optional(
      Type.Object(
        { modelLoadMs: Type.Optional(WaitTime), fails: Type.Optional(Type.Boolean()) },
        strict,
      ),
    ),
    routes: Type.Optional(Type.Array(HandlerRoute)),
  },
  strict,
)
export type Handler = Static<typeof Handler>
