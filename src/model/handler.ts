/** Handler fixtures: what a simulated worker does with a job or a request. */
import type { Static } from '@sinclair/typebox'
import * as Type from '@sinclair/typebox'
import { handlingFields, mostBytes } from './outcome.ts'
import { WaitTime } from './profile.ts'

const strict = { additionalProperties: false }

const RoutePhase = Type.Object(
  {
    status: Type.Integer({ minimum: 200, maximum: 599 }),
    forMs: Type.Number({ exclusiveMinimum: 0 }),
  },
  strict,
)

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
    /** A text of this size in place of a body. */
    bodyBytes: Type.Optional(Type.Integer({ minimum: 0, maximum: mostBytes })),
    /** Sent part by part in place of a body, spread over the delay. */
    stream: Type.Optional(Type.Array(Type.Unknown(), { minItems: 1 })),
    /** The request's own body comes back. */
    echo: Type.Optional(Type.Literal(true)),
    /** Takes WebSockets, and sends each message back. */
    webSocket: Type.Optional(Type.Literal('echo')),
    /** Statuses before that one, in order, from the worker's start; without headers or body. */
    first: Type.Optional(Type.Array(RoutePhase)),
    delayMs: Type.Optional(WaitTime),
  },
  strict,
)
export type HandlerRoute = Static<typeof HandlerRoute>

const TokenTime: typeof WaitTime = { ...WaitTime, default: 20 }

/** A language model that answers as OpenAI's API does. */
export const OpenaiHandler = Type.Object(
  {
    /** The name it goes by. */
    model: Type.String({ minLength: 1 }),
    /** What it says; `{{prompt}}` stands for the last thing the user said. */
    text: Type.String(),
    /** From one token to the next; `delayMs` of the handler is the wait for the first. */
    tokenMs: TokenTime,
    /** Tells the cost of a job in its output, as public endpoints do. */
    usdPerMillionTokens: Type.Optional(Type.Number({ minimum: 0 })),
  },
  strict,
)
export type OpenaiHandler = Static<typeof OpenaiHandler>

export const Handler = Type.Object(
  {
    name: Type.String({ minLength: 1 }),
    /** Its routes are those of the web server in every simulated pod of one of these images. */
    images: Type.Optional(Type.Array(Type.String({ minLength: 1 }), { minItems: 1 })),
    ...handlingFields,
    /** How the worker starts: `fails` makes it crash each time it would become ready. */
    boot: Type.Optional(
      Type.Object(
        { modelLoadMs: Type.Optional(WaitTime), fails: Type.Optional(Type.Boolean()) },
        strict,
      ),
    ),
    openai: Type.Optional(OpenaiHandler),
    routes: Type.Optional(Type.Array(HandlerRoute)),
    /** The port its web server listens on, whatever the environment says; `PORT` when absent. */
    port: Type.Optional(Type.Integer({ minimum: 1, maximum: 65_535 })),
    /** Requests that one worker answers at once; any number when absent. */
    capacity: Type.Optional(Type.Integer({ minimum: 1 })),
  },
  strict,
)
export type Handler = Static<typeof Handler>
