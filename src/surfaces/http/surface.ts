/** A protocol: its operations, how a caller shows a key, and how it says no. */
import type { CloudError } from '../../model/errors.ts'
import type { World } from '../../world/world.ts'
import type { Operation } from './operation.ts'
import type { Reply } from './reply.ts'

/** What counting a call came to. */
export interface Metering {
  /** On the reply, whatever it is. */
  readonly headers: Readonly<Record<string, string>>
  /** There for a call too many. */
  readonly refusal: CloudError | undefined
}

export interface Surface {
  /** `v1`, `v2`, `graphql`, `jobs`, `control`: the first part of an operation's full name. */
  readonly name: string
  readonly operations: readonly Operation[]
  /** Names of operations that one of them holds. */
  readonly innerOperations?: readonly string[]
  /** The caller's key; undefined for none. */
  readonly keyOf: (
    headers: Readonly<Record<string, string | undefined>>,
    search: string,
  ) => string | undefined
  /** Where none is asked for: what may be one. It is never refused, and opens no world that is not there. */
  readonly guestKeyOf?: (
    headers: Readonly<Record<string, string | undefined>>,
  ) => string | undefined
  /** Bytes that a request body may have. */
  readonly bodyLimit: number
  /** Refuses a body that names a property twice, or after every object's prototype. */
  readonly plainNames?: true
  /** What counts a call of an account, in a turn; undefined where calls are not counted. */
  readonly meter?: (world: World) => (() => Metering) | undefined
  /** What every reply says of its request, by the number that this has in the request log. */
  readonly nameRequest?: (seq: number) => Readonly<Record<string, string>>
  /** `world` is the default one: it is there for its settings, also when the key was refused. */
  readonly renderError: (error: CloudError, operation: Operation | undefined, world: World) => Reply
  /** A bug: it says that there was one, and nothing about it. */
  readonly renderBug: () => Reply
  /** What answers at the own address of an endpoint or a pod that it hosts, whatever the path. */
  readonly hosted?: (
    method: string,
    hostedId: string,
    path: string,
  ) => { readonly operation: Operation; readonly params: Readonly<Record<string, string>> }
  /** For a surface that does not answer for ever: its refusal of everything once that is over. */
  readonly ended?: (world: World, operation: Operation | undefined) => CloudError | undefined
  /** What every reply says besides, refusals too. `world` is the default one. */
  readonly headers?: (
    world: World,
    operation: Operation | undefined,
    params: Readonly<Record<string, string>>,
  ) => Readonly<Record<string, string>>
  /** For an address that it owns and does not have. */
  readonly unknownPath: (method: string, path: string) => CloudError
}
