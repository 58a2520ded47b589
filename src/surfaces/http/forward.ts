/** A request that goes on to somebody else's web server, and what comes back of it. */
import type { Duplex } from 'node:stream'
import type { Upload } from './operation.ts'
import type { Reply, Streaming } from './reply.ts'

/** Whose web server: a worker's, or the one behind a port of a pod. */
export type Place =
  | { readonly workerId: string }
  | { readonly podId: string; readonly port: number }

export interface Forwarded {
  readonly method: string
  /** Path and query. */
  readonly target: string
  /** Those that the server is to see. */
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>
  /** The caller asks for an open line. */
  readonly upgrade: boolean
  /** The body: on its way in, or there in full. */
  readonly upload: Upload | undefined
  readonly text: string | undefined
  /** Real ms until the answer has to begin; absent for as long as it takes. */
  readonly waitMs?: number
  /** Bytes that the body of the answer may have. */
  readonly answerLimit: number
}

export interface ForwardedAnswer {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  /** Each `set-cookie` is a header of its own. */
  readonly cookies: readonly string[]
  /** The body as it comes. */
  readonly stream: Streaming
  /** With status 101, in place of a body. */
  readonly tunnel: Tunnel | undefined
}

/** Joins a caller's line, and what the caller has said already, with the server's. */
export type Tunnel = (line: Duplex, early: Uint8Array) => void

export interface ForwardListener {
  /** The head of the answer is there. */
  readonly answered: (answer: ForwardedAnswer) => void
  /**
   * Called once, and last. `refused`: nobody listens there. `broken`: before the end. `late`: there
   * was no answer in the time that it was given.
   */
  readonly ended: (how: 'complete' | 'refused' | 'broken' | 'too large' | 'late') => void
  /** The caller said something over an open line. */
  readonly spoke: () => void
}

/** Returns what breaks it off; nothing is heard of it after that. */
export type Forward = (request: Forwarded, listener: ForwardListener) => () => void

/** The answer as it is. `left`: called when the caller has all of it, or has gone. */
export function passBack(
  { status, headers, cookies, stream, tunnel }: ForwardedAnswer,
  left: () => void,
): Reply {
  if (tunnel !== undefined) return { status, headers, cookies, tunnel }
  return {
    status,
    headers,
    cookies,
    verbatim: true,
    stream: (sink) => {
      const stop = stream(sink)
      return () => {
        stop()
        left()
      }
    },
  }
}
