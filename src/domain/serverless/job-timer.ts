/**
 * What time brings to a job next: one timer for its TTL, the next step of its run, its time limit
 * and the end of its retention, whichever comes first.
 */
import type { Draft } from '../../model/draft.ts'
import { endedStatuses, type Job } from '../../model/job.ts'
import type { World } from '../../world/world.ts'

/**
 * Stores a new version of a job and sets its timer anew. Everything that changes a job ends here,
 * which is why it takes the version over, and completes it, instead of copying it once more.
 */
export function putJob(world: World, job: Draft<Job>): Job {
  const { timeline } = world
  const dueMs = Math.max(0, jobDueAtMs(job) - world.nowMs)
  job.timer =
    timeline.move(job.timer, dueMs) ?? timeline.after(dueMs, { kind: 'job.due', jobId: job.id })
  world.emit({ kind: 'changed', id: job.id })
  return world.jobs.put(job)
}

export function jobDueAtMs(job: Job): number {
  if (endedStatuses.has(job.status)) return (job.endedAtMs ?? 0) + job.retentionMs
  const expiresAtMs = expiryAtMs(job)
  if (job.status === 'IN_QUEUE') return expiresAtMs
  const nextStepAtMs = job.run?.nextAtMs ?? Number.POSITIVE_INFINITY
  return Math.min(nextStepAtMs, timeLimitAtMs(job), expiresAtMs)
}

/** Spec: the TTL counts from submission and ends a job wherever it is. */
export function expiryAtMs({ submittedAtMs, request }: Job): number {
  return submittedAtMs + request.policy.ttlMs
}

/** Observed: seconds after its time is over. Assumed: what is returned by then is taken. */
export function timeLimitAtMs({ startedAtMs, overrunMs = 0, request }: Job): number {
  const { executionTimeoutMs } = request.policy
  if (executionTimeoutMs === 0) return Number.POSITIVE_INFINITY
  return (startedAtMs ?? 0) + executionTimeoutMs + overrunMs
}
