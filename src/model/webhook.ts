/** The delivery of one job's result to the address its caller gave. */
import type { TimerId } from '../sim/timeline.ts'

export interface WebhookDelivery {
  readonly id: string
  readonly jobId: string
  readonly endpointId: string
  readonly url: string
  readonly body: string
  /** The `traceparent` header of all its attempts, in the form of W3C Trace Context. */
  readonly trace: string
  /** Attempts made so far, with what came back: an HTTP status, or 0 for no answer. */
  readonly attempts: readonly { readonly atMs: number; readonly status: number }[]
  /** `WITHHELD`: this emulator may not post to that address, and never tried. */
  readonly status: 'PENDING' | 'DELIVERED' | 'FAILED' | 'WITHHELD'
  /** How long the receiver takes to answer the attempt that is under way; absent for no time. */
  readonly slowMs?: number | undefined
  /** What it answered, 0 for nothing, while that is on its way. */
  readonly answer?: number | undefined
  /** Its next attempt, or the answer to this one. */
  readonly timer: TimerId | null
}

/** Spec: one delivery and up to two more tries. */
export const webhookAttempts = 3
