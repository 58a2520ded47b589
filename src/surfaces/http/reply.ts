/** What a handler answers: a value, so that handlers can be called and compared like any function. */

export interface Reply {
  readonly status: number
  readonly headers?: Readonly<Record<string, string>>
  /** Sent as JSON; absent for no body. */
  readonly body?: unknown
  /** Sent as it is, instead of `body`. */
  readonly text?: string
  /** Sent line by line for as long as it lasts, instead of `body`. */
  readonly stream?: Streaming
}

/** Starts to write and returns what stops it; called once the headers are out. */
export type Streaming = (sink: Sink) => () => void

export interface Sink {
  write(text: string): void
  end(): void
}

/** An answer that is not there yet: the caller waits on the world's clock. */
export interface Waiting {
  /** What has to change before there is something new to see: a job, a request. */
  readonly waitFor: string
  /** At most so long, in virtual ms. */
  readonly limitMs: number
  /** The answer, or undefined while there is none. */
  readonly answer: (ended: unknown) => Reply | undefined
  /** The answer when time is up. */
  readonly otherwise: () => Reply
}

export type Answer = Reply | Waiting

export const isWaiting = (answer: Answer): answer is Waiting => 'waitFor' in answer

export const ok = (body: unknown): Reply => ({ status: 200, body })
export const created = (body: unknown): Reply => ({ status: 201, body })
export const noContent = (): Reply => ({ status: 204 })

/** RFC 3339, in UTC, as every surface writes an instant. */
export const toIso = (ms: number): string => new Date(ms).toISOString()
export const toIsoOrNull = (ms: number | null): string | null => (ms === null ? null : toIso(ms))
