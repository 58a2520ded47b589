/**
 * An operation of a surface, as a value. Routes, validation, published documents, names in logs and
 * the answer 501 all come from the one table that these make up.
 */
import type { Static, TObject, TSchema } from '@sinclair/typebox'
import type { CloudEffect, LogLine } from '../../model/effects.ts'
import type { World } from '../../world/world.ts'
import type { Access } from './access.ts'
import type { Forwarded, ForwardListener, Place } from './forward.ts'
import type { Answer, Reply } from './reply.ts'
import type { Successor } from './successor.ts'

/** `*`: any that has no row of its own. */
export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE' | 'HEAD' | 'OPTIONS' | '*'

/** What a key must be allowed to do. */
export type Need = 'nothing' | 'read' | 'write'

export interface ReplyShape {
  readonly description: string
  /** Absent for no body. */
  readonly schema?: TSchema
  /** `application/json` unless it says otherwise. */
  readonly contentType?: string
}

export interface Context<Params, Query, Body> {
  readonly world: World
  readonly access: Access
  /** As it was sent; a row for `*` has many. */
  readonly method: string
  readonly params: Params
  readonly query: Query
  readonly body: Body
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string | undefined>>
  /** The address the caller used: `http://127.0.0.1:4300`. Links in replies begin with it. */
  readonly origin: string
  /** What follows `?`, undecoded; empty for nothing. */
  readonly search: string
  /** The body before it was parsed; undefined when there was none. */
  readonly text: string | undefined
  /** The body on its way in, for an operation that takes it so. */
  readonly upload: Upload | undefined
  /** The caller asks for an open line: a reply may have a `conversation`. */
  readonly upgrade: boolean
  /** Lines that a log gets from now on; returns what stops it. */
  readonly follow: (logId: string, listener: LogListener) => () => void
  /** Every change of a resource that callers can wait for; returns what stops it. */
  readonly watch: (id: string, listener: ChangeListener) => () => void
  /** What follows the beginning of a worker's answer; returns what stops it. */
  readonly openLine: (requestId: string, listener: LineListener) => () => void
  /** Sends a request on to a web server that is real; returns what breaks it off. */
  readonly forward: (place: Place, request: Forwarded, to: ForwardListener) => () => void
  /** Calls back once if the caller hangs up before it has its answer. */
  readonly onHangUp: (listener: () => void) => void
  /** Changes the world in one step; for handlers that answer later than they are called. */
  readonly turn: <Result>(change: () => Result) => Result
  /** For a handler that finds out only while it runs what was asked, and may be refused a part. */
  readonly strike: Strike
  /** For a handler that answers in spite of a bug. */
  readonly reportBug: (bug: unknown) => void
}

/**
 * Carries out an operation inside the one that was called, by its full name and the ids that it is
 * about; or throws what a fault refuses it with.
 */
export type Strike = <Result>(
  operation: string,
  ids: readonly string[],
  operate: () => Result,
) => Result

/** Gets each new line, and null when the log's owner is gone. */
export type LogListener = (line: LogLine | null) => void

/** Told after the turn in which it happened; `over` when nothing more will change. */
export type ChangeListener = (what: 'changed' | 'over') => void

/** What comes after an answer has begun. */
export type LineNews = Extract<CloudEffect, { kind: 'request.part' | 'request.closed' }>
export type LineListener = (news: LineNews) => void

/** A body as it arrives. */
export interface Upload {
  /** Hands over each part, from the first on, and null after the last. To be called once. */
  readonly read: (listener: (part: Uint8Array | null) => void) => void
}

export interface Operation {
  /** `createPod`: unique within its surface, and the contract's own name where it has one. */
  readonly name: string
  readonly method: Method
  /** `/v2/pods/{id}` */
  readonly path: string
  readonly summary: string
  readonly tag: string
  readonly needs: Need
  /** The path parameter that names the endpoint a restricted key must allow: `endpointId`. */
  readonly endpointParam?: string | undefined
  readonly params?: TObject | undefined
  readonly query?: TObject | undefined
  /** For the document; a handler reads and judges headers itself. */
  readonly headers?: TObject | undefined
  readonly body?: TSchema | undefined
  /** True for an operation that reads its body part by part, whatever is in it. */
  readonly takesUpload?: boolean | undefined
  /** In bytes; the surface's own limit when absent. */
  readonly bodyLimit?: number | undefined
  /** False for an operation whose body may be left out. */
  readonly bodyRequired?: boolean | undefined
  readonly replies: Readonly<Record<number, ReplyShape>>
  /** What a deprecated operation becomes; absent for one that stays. */
  readonly successor?: Successor | undefined
  /** Absent: the contract has it, and it is not emulated yet. */
  readonly handle?: ((context: Context<never, never, never>) => Answer | Promise<Reply>) | undefined
}

type StaticOr<Schema, Otherwise> = Schema extends TSchema ? Static<Schema> : Otherwise

interface Definition<
  Params extends TObject | undefined,
  Query extends TObject | undefined,
  Body extends TSchema | undefined,
> extends Omit<Operation, 'handle' | 'params' | 'query' | 'body'> {
  readonly params?: Params
  readonly query?: Query
  readonly body?: Body
  readonly handle: (
    context: Context<
      StaticOr<Params, Readonly<Record<string, string>>>,
      StaticOr<Query, Readonly<Record<string, never>>>,
      StaticOr<Body, undefined>
    >,
  ) => Answer | Promise<Reply>
}

/** Ties a handler's types to its schemas. */
export function defineOperation<
  Params extends TObject | undefined = undefined,
  Query extends TObject | undefined = undefined,
  Body extends TSchema | undefined = undefined,
>(definition: Definition<Params, Query, Body>): Operation {
  return definition as unknown as Operation
}

/** Rows for what the contract has and the emulator does not, yet: `GET /v2/clusters listClusters`. */
export function notEmulatedYet(tag: string, rows: readonly string[]): Operation[] {
  return rows.map((row) => {
    const [method, path, name] = row.split(' ') as [Method, string, string]
    const summary = 'Not emulated yet.'
    const replies = { 501: { description: 'The emulator does not have this operation yet.' } }
    return { name, method, path, summary, tag, needs: 'nothing', replies }
  })
}
