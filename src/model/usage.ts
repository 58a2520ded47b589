/** What an endpoint has seen over its life: it outlives its jobs. */
import type { TimerId } from '../sim/timeline.ts'
import type { Draft } from './draft.ts'

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

/** The next version, still like the last: every end of a job is counted. */
export function draftOfUsage(usage: EndpointUsage): Draft<EndpointUsage> {
  const { id, completed, failed, retried, handlerCalls, lastRequestAtMs, timer } = usage
  const draft = { id, completed, failed, retried, lastRequestAtMs, timer }
  return handlerCalls === undefined ? draft : { ...draft, handlerCalls }
}
