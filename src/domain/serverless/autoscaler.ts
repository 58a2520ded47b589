/** How many workers an endpoint should have. A pure rule: it looks at numbers and starts nothing. */
import type { EndpointSpec } from '../../model/endpoint.ts'

export interface Load {
  /** Jobs (or requests) that wait; those of low priority do not count. */
  readonly queued: number
  readonly inProgress: number
  /** Workers there are, whatever they do. */
  readonly workers: number
  /** How long the first in the queue has waited; 0 for an empty queue. */
  readonly oldestWaitMs: number
  /** Workers that may be started above the maximum while there is work for them. */
  readonly extraWorkers: number
}

export type ScalingRule = Pick<EndpointSpec, 'scaling' | 'workersMin' | 'workersMax'>

/**
 * The number of workers to have now. It never falls below what is at work: workers leave by their
 * idle timeout, not by this rule.
 *
 * Spec: REQUEST_COUNT wants ceil((queued + in progress) / requestCount); QUEUE_DELAY adds a worker
 * when a job has waited longer than the delay, and starts the first at once.
 */
export function desiredWorkers(rule: ScalingRule, load: Load): number {
  const wanted = wantedByLoad(rule, load)
  return Math.min(Math.max(wanted, rule.workersMin), workersLimit(rule, load))
}

/** The most workers there may be now. Spec: a maximum of zero is a switch that turns all off. */
export function workersLimit(
  { workersMax }: Pick<ScalingRule, 'workersMax'>,
  { queued, extraWorkers }: Pick<Load, 'queued' | 'extraWorkers'>,
): number {
  return workersMax === 0 || queued === 0 ? workersMax : workersMax + extraWorkers
}

function wantedByLoad({ scaling }: ScalingRule, load: Load): number {
  const { queued, inProgress, workers, oldestWaitMs } = load
  const outstanding = queued + inProgress
  if (scaling.type === 'REQUEST_COUNT') return Math.ceil(outstanding / scaling.requestCount)
  if (outstanding === 0) return 0
  if (workers === 0) return 1
  const late = queued > 0 && oldestWaitMs >= scaling.queueDelayMs
  // Assumed: never more workers than there is work for.
  return Math.min(outstanding, late ? workers + 1 : workers)
}
