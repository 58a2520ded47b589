/** What an endpoint has seen over its life: it outlives its jobs. */
import type { TimerId } from '../sim/timeline.ts'

export interface EndpointUsage {
  /** The endpoint's id. */
  readonly id: string
  readonly completed: number
  readonly failed: number
  /** Jobs that were queued again because their worker was lost. */
  readonly retried: number
  /** Runs that handlers counted, by case; -1 for those that no case fitted. */
  readonly handlerCalls?: Readonly<Record<number, number>>
  readonly lastRequestAtMs: number
  /** The next look at whether anybody still uses it. */
  readonly timer: TimerId | null
}
