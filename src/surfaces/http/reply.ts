/** What a handler answers: a value, so that handlers can be called and compared like any function. */
import type { Tunnel } from './forward.ts'
import type { Use } from './successor.ts'

export interface Reply {
  readonly status: number
  readonly headers?: Readonly<Record<string, string>>
  /** Sent as JSON; absent for no body. */
  readonly body?: unknown
  /** Sent as it is, instead of `body`. */
  readonly text?: string
  /** Sent line by line for as long as it lasts, instead of `body`. */
  readonly stream?: Streaming
  /** The stream is somebody else's: nothing is added to it. */
  readonly verbatim?: boolean
  /** The line breaks before all of it has arrived. */
  readonly breaks?: Break
  /** For the log: the faults that struck the request. Not sent. */
  readonly faults?: readonly string[]
  /** Sent no sooner than this, in real ms: for callers that would ask again at once. */
  readonly afterMs?: number
  /** Status 101, for a caller that asked for an upgrade: the line stays open. */
  readonly conversation?: Conversation
  /** Status 101, where somebody else's server talks with the caller. */
  readonly tunnel?: Tunnel
  /** Each is a `set-cookie` of its own. */
  readonly cookies?: readonly string[]
  /** For the log: what of a deprecated operation was used, where it holds several. Not sent. */
  readonly uses?: readonly Use[]
}

/**
 * `reset`: nothing is sent, and the status is 0. `close`: the line ends after so many bytes of the
 * body. `stall`: nothing more comes after them.
 */
export interface Break {
  readonly how: 'reset' | 'close' | 'stall'
  readonly afterBytes: number
}

/** Starts to write and returns what stops it; called once the headers are out. */
export type Streaming = (sink: Sink) => () => void

export interface Sink {
  /** For whoever can wait: what is written to a slow reader is kept in memory. */
  readonly pressure?: Pressure
  write(part: string | Uint8Array): void
  /** `cut`: breaks the line, so that nobody takes what came for the whole. */
  end(cut?: 'cut'): void
}

export interface Pressure {
  /** More is kept than should be. */
  readonly isHigh: () => boolean
  /** Calls back once, when it has been read. */
  readonly onceLow: (listener: () => void) => void
}

/** Begins to talk with a caller over an open line; returns what the caller's side brings. */
export type Conversation = (caller: Caller) => CallerListener

export interface Caller {
  send(message: string | Uint8Array): void
  close(code: number, reason: string): void
}

export interface CallerListener {
  readonly message: (message: string | Uint8Array) => void
  /** Called once, whoever closed the line. */
  readonly closed: () => void
}

/** An answer that is not there yet: the caller waits on the world's clock. */
export interface Waiting {
  /** What has to change before there is something new to see: a job, a request. */
  readonly waitFor: string
  /** At most so long, in virtual ms. */
  readonly limitMs: number
  /**
   * The caller is a program that works for the cloud, and waits in real time: it is not the clock that
   * it waits for.
   */
  readonly outside?: boolean
  /** The answer, or undefined while there is none. */
  readonly answer: (ended: unknown) => Reply | undefined
  /** The answer when time is up. */
  readonly otherwise: () => Reply
  /** Called once when the wait is over, however it ended. */
  readonly ended?: () => void
}

export type Answer = Reply | Waiting

export const isWaiting = (answer: Answer): answer is Waiting => 'waitFor' in answer

export const ok = (body: unknown): Reply => ({ status: 200, body })
export const created = (body: unknown): Reply => ({ status: 201, body })
export const noContent = (): Reply => ({ status: 204 })

/**
 * The same reply with these headers in the place of its own. Replies have many shapes, and what has many
 * shapes takes ten times as long to spread as to assign.
 */
export function withHeaders(reply: Reply, headers: NonNullable<Reply['headers']>): Reply {
  return Object.assign({}, reply, { headers })
}

/** The last instants that were written, by their last bits: few are asked for, and again and again. */
const written = Array.from({ length: 64 }, () => ({ ms: Number.NaN, iso: '' }))

/** RFC 3339, in UTC, as every surface writes an instant. */
export function toIso(ms: number): string {
  const slot = written[ms & 63]
  if (slot?.ms === ms) return slot.iso
  const iso = new Date(ms).toISOString()
  if (slot !== undefined) {
    slot.ms = ms
    slot.iso = iso
  }
  return iso
}
export const toIsoOrNull = (ms: number | null): string | null => (ms === null ? null : toIso(ms))
