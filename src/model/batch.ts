/** A batch: many requests to one queue endpoint, collected as a draft and let loose together. */
import type { JobPolicy, JobRequest } from './job.ts'
import type { Transitions } from './transitions.ts'

export type BatchStep = 'finalize' | 'cancel' | 'fail'

// Spec: there is no status for a batch that is done; its counts say so.
export const batchTransitions = {
  DRAFT: { finalize: 'FINALIZED', cancel: 'CANCELLED' },
  FINALIZED: { cancel: 'CANCELLED', fail: 'FAILED' },
  FAILED: {},
  CANCELLED: {},
} as const satisfies Transitions<string, BatchStep>
export type BatchStatus = keyof typeof batchTransitions

export interface Batch {
  readonly id: string
  readonly endpointId: string
  /** For people; null until it is set. */
  readonly name: string | null
  readonly status: BatchStatus
  readonly createdAtMs: number
  /** In the order they were added. */
  readonly requestIds: readonly string[]
  readonly completed: number
  /** All that ended in another way, cancelled ones too: completed + failed reaches the total. */
  readonly failed: number
  /** It is CANCELLED once what runs has ended. */
  readonly cancelling: boolean
}

/** One request of a batch. It outlives its job, whose result expires. */
export interface BatchRequest {
  /** The id of its job, too, once the batch is final. */
  readonly id: string
  readonly batchId: string
  readonly submission: Omit<JobRequest, 'policy'> & { readonly policy: Partial<JobPolicy> }
  /** What came of it; null until its job has ended. */
  readonly result: BatchResult | null
}

export interface BatchResult {
  readonly status: 'COMPLETED' | 'FAILED' | 'CANCELLED' | 'TIMED_OUT'
  readonly output: unknown
  readonly error: string | null
  readonly startedAtMs: number | null
  readonly endedAtMs: number
}

/** Spec: how much there may be. */
export const batchLimits = {
  activePerEndpoint: 10,
  requestsPerBatch: 5_000,
  queuedPerEndpoint: 50_000,
} as const

// Assumed: the documents do not say how long a batch can be read once it is over.
export const endedBatchesKept = 20

/** Whether nothing more will come of it. */
export function hasEnded({ status, completed, failed, requestIds }: Batch): boolean {
  if (status === 'DRAFT') return false
  return status !== 'FINALIZED' || completed + failed === requestIds.length
}
