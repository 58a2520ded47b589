/** A request to a load-balancing endpoint: it waits for a worker, and then the worker answers. */
import type { TimerId } from '../sim/timeline.ts'

/**
 * Which worker a caller asks for. `soft` takes another one when that is not up; `strict` waits for
 * it; `strict-resume` also starts it again when it was scaled down.
 */
export interface Affinity {
  readonly mode: 'soft' | 'strict' | 'strict-resume'
  readonly workerId: string
}

/** No other worker will do. */
export function isStrict(affinity: Affinity | null): boolean {
  return affinity !== null && affinity.mode !== 'soft'
}

export interface ProxiedRequest {
  readonly id: string
  readonly endpointId: string
  readonly method: string
  readonly path: string
  readonly affinity: Affinity | null
  /** It asks for an open line, not for an answer. */
  readonly upgrade: boolean
  /** An answered request is no more; a connected one is a WebSocket, and no work. */
  readonly status: 'WAITING' | 'AT_WORKER' | 'CONNECTED'
  readonly workerId: string | null
  /** When it is refused, or once it is at a worker, cut off. */
  readonly deadlineAtMs: number
  /** At a worker: the time to its answer, or between two parts of it. */
  readonly paceMs: number
  /** Parts of the answer that are out; null before it began. */
  readonly partsSent: number | null
  /** Until the worker's next step or the deadline; null while connected. */
  readonly timer: TimerId | null
}

export interface ProxiedAnswer {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly content: AnswerContent
}

export type AnswerContent =
  /** Undefined for no body; a text is sent as it is, anything else as JSON. */
  | { readonly kind: 'whole'; readonly body: unknown }
  /** The request's own body, byte for byte. */
  | { readonly kind: 'echo' }
  /** Parts, which follow as effects. */
  | { readonly kind: 'parts' }
  /** The line stays open, and each message comes back. */
  | { readonly kind: 'web-socket' }
  /** What the worker's own program answers, which goes past the world. */
  | { readonly kind: 'program' }

// Spec: a request waits two minutes for a worker before it is refused.
export const workerWaitMs = 120_000
// Spec: about five minutes where it has to be one worker and no other.
export const strictWaitMs = 300_000
// Spec: a worker has five and a half minutes to answer.
export const processingLimitMs = 330_000
