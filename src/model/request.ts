/** A request to a load-balancing endpoint: it waits for a worker, and then the worker answers. */
import type { TimerId } from '../sim/timeline.ts'

export interface ProxiedRequest {
  readonly id: string
  readonly endpointId: string
  readonly method: string
  readonly path: string
  /** An answered request is no more. */
  readonly status: 'WAITING' | 'AT_WORKER'
  readonly workerId: string | null
  readonly receivedAtMs: number
  /** Until the worker answers or the wait is over. */
  readonly timer: TimerId | null
}

export interface ProxiedAnswer {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  /** Undefined for no body; a text is sent as it is, anything else as JSON. */
  readonly body: unknown
}

// Observed: a request waits two minutes for a worker before it is refused.
export const workerWaitMs = 120_000
