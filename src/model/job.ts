/** A job: one request to a queue endpoint, from submission until its result expires. */
import type { TimerId } from '../sim/timeline.ts'
import type { Draft } from './draft.ts'
import type { Transitions } from './transitions.ts'

export type JobStep = 'take' | 'complete' | 'fail' | 'cancel' | 'expire' | 'requeue' | 'retry'

// Spec: a retry is possible from FAILED and TIMED_OUT only; a lost worker's job is queued again.
export const jobTransitions = {
  IN_QUEUE: { take: 'IN_PROGRESS', cancel: 'CANCELLED', expire: 'TIMED_OUT', fail: 'FAILED' },
  IN_PROGRESS: {
    complete: 'COMPLETED',
    fail: 'FAILED',
    cancel: 'CANCELLED',
    expire: 'TIMED_OUT',
    requeue: 'IN_QUEUE',
  },
  COMPLETED: {},
  FAILED: { retry: 'IN_QUEUE' },
  CANCELLED: {},
  TIMED_OUT: { retry: 'IN_QUEUE' },
} as const satisfies Transitions<string, JobStep>
export type JobStatus = keyof typeof jobTransitions

export const endedStatuses: ReadonlySet<JobStatus> = new Set([
  'COMPLETED',
  'FAILED',
  'CANCELLED',
  'TIMED_OUT',
])

/** How one job may be run. Times are in milliseconds. */
export interface JobPolicy {
  /** 0 for no limit. */
  readonly executionTimeoutMs: number
  /** From submission; a hard end, running or not. */
  readonly ttlMs: number
  readonly lowPriority: boolean
}

/** What a job's input stands for when it runs: decided once, when a worker takes the job. */
export interface JobRun {
  /** What the handler does, in order; `next` is the first step that is still to come. */
  readonly steps: readonly HandlerStep[]
  readonly next: number
  readonly nextAtMs: number
}

/** One thing a handler does. `afterMs` counts from the step before. */
export type HandlerStep =
  | { readonly does: 'progress'; readonly afterMs: number; readonly output: unknown }
  | { readonly does: 'stream'; readonly afterMs: number; readonly output: unknown }
  | { readonly does: 'log'; readonly afterMs: number; readonly line: string }
  /** `refresh`: the worker is replaced afterwards. */
  | {
      readonly does: 'return'
      readonly afterMs: number
      readonly output?: unknown
      readonly refresh?: boolean
    }
  | {
      readonly does: 'fail'
      readonly afterMs: number
      readonly error: string
      readonly output?: unknown
    }
  /** The worker's process dies. `why`: what its log says; absent for its own fault. */
  | { readonly does: 'crash'; readonly afterMs: number; readonly why?: string }
  /** Nothing comes after that: a time limit ends the job, or its caller. */
  | { readonly does: 'hang'; readonly afterMs: number }
  /** The platform notices that the worker never reported back. */
  | { readonly does: 'lose'; readonly afterMs: number }

/** What the caller submitted. */
export interface JobRequest {
  /** Undefined when the request had none, or the platform dropped an empty one. */
  readonly input: unknown
  /** Submitted by `/runsync`, whose results are kept for a shorter time. */
  readonly sync: boolean
  readonly webhook: string | null
  /** A second address, where that is switched on and there is one. */
  readonly webhookV2?: string
  readonly s3Config: unknown
  readonly policy: JobPolicy
}

export interface Job {
  readonly id: string
  readonly endpointId: string
  /** The batch it was submitted with, or null. */
  readonly batchId: string | null
  readonly request: JobRequest
  readonly status: JobStatus
  readonly submittedAtMs: number
  /** When it last entered the queue. */
  readonly queuedAtMs: number
  readonly startedAtMs: number | null
  /** How late the platform will be to end this attempt, should it take too long; 0 when absent. */
  readonly overrunMs?: number | undefined
  readonly endedAtMs: number | null
  /** The worker of the last attempt. */
  readonly workerId: string | null
  /** Attempts lost to a worker that did not report back. */
  readonly retries: number
  /** The handler's answer, or its last progress; undefined for none. */
  readonly output: unknown
  readonly error: string | null
  /** Chunks streamed so far. */
  readonly chunks: readonly unknown[]
  /** How many of them a caller has fetched. */
  readonly chunksRead: number
  /** Null unless a simulated worker is running it, and for one that hangs. */
  readonly run: JobRun | null
  /** A result kept for another time than the policy says, in ms from the end. */
  readonly retentionMs: number
  /** TTL, the handler's next step, a time limit or retention, whichever comes first. */
  readonly timer: TimerId | null
}

/** The next version of a job, still like the last. */
export function draftOfJob(job: Job): Draft<Job> {
  return {
    id: job.id,
    endpointId: job.endpointId,
    batchId: job.batchId,
    request: job.request,
    status: job.status,
    submittedAtMs: job.submittedAtMs,
    queuedAtMs: job.queuedAtMs,
    startedAtMs: job.startedAtMs,
    overrunMs: job.overrunMs,
    endedAtMs: job.endedAtMs,
    workerId: job.workerId,
    retries: job.retries,
    output: job.output,
    error: job.error,
    chunks: job.chunks,
    chunksRead: job.chunksRead,
    run: job.run,
    retentionMs: job.retentionMs,
    timer: job.timer,
  } satisfies Record<keyof Job, unknown>
}
