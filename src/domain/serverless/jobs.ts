/** What happens to a job once it is submitted: its steps, its ends, and what its caller may do. */
import { CloudError, ruleViolation } from '../../model/errors.ts'
import { endedStatuses, type HandlerStep, type Job } from '../../model/job.ts'
import type { Worker } from '../../model/worker.ts'
import { invariant } from '../../sim/invariant.ts'
import type { World } from '../../world/world.ts'
import type { EventHandlers } from '../handle-event.ts'
import { workersLimit } from './autoscaler.ts'
import { noteJobEnd } from './batch-progress.ts'
import { dispatch } from './dispatch.ts'
import { expiryAtMs, putJob, timeLimitAtMs } from './job-timer.ts'
import { chargeCall } from './public-billing.ts'
import { acceptsResult, refusedResultLine, splitChunk } from './results.ts'
import { measure, scaleEndpoint } from './scaling.ts'
import { count } from './usage.ts'
import { queueWebhooks } from './webhooks.ts'
import { crashWorker, releaseWorker, removeWorker } from './workers.ts'

/** A job that has ended is answered unchanged. Assumed: the documents do not say. */
export function cancelJob(world: World, job: Job): Job {
  if (endedStatuses.has(job.status)) return job
  return end(world, job, 'CANCELLED', {})
}

/** Spec: only from FAILED and TIMED_OUT; same id, same input, and what came of it is removed. */
export function retryJob(world: World, job: Job): Job {
  if (job.status !== 'FAILED' && job.status !== 'TIMED_OUT') {
    throw ruleViolation(`only a job that is FAILED or TIMED_OUT can be retried, not ${job.status}`)
  }
  world.timeline.record('job.retried', job.id)
  const submittedAtMs = world.nowMs
  return enqueue(world, { ...job, retries: 0, submittedAtMs })
}

/** Spec: takes waiting jobs off the queue and leaves those that run. Returns how many. */
export function purgeQueue(world: World, endpointId: string): number {
  const waiting = world.jobs.where(
    (job) => job.endpointId === endpointId && job.status === 'IN_QUEUE',
  )
  for (const job of waiting) end(world, job, 'CANCELLED', {})
  return waiting.length
}

/** Spec: a caller may set how long a job's result is kept, in ms from now. */
export function keepResult(world: World, job: Job, forMs: number): Job {
  const sinceMs = job.endedAtMs ?? world.nowMs
  return putJob(world, { ...job, retentionMs: world.nowMs + forMs - sinceMs })
}

export const jobEventHandlers: EventHandlers<'job.due'> = {
  'job.due': (world, { jobId }) => {
    const job = world.jobs.require(jobId)
    if (endedStatuses.has(job.status)) return forget(world, job, 'job.result-expired')
    if (job.run !== null && job.run.nextAtMs <= world.nowMs) return takeNextStep(world, job)
    if (job.status === 'IN_PROGRESS' && timeLimitAtMs(job) <= world.nowMs) {
      return overrun(world, job)
    }
    invariant(expiryAtMs(job) <= world.nowMs, 'a job is due for a reason')
    expire(world, job)
  },
}

function takeNextStep(world: World, job: Job): void {
  const step = job.run?.steps[job.run.next]
  invariant(job.run !== null && step !== undefined, 'a run has a next step until it ends')
  // The last step needs no place for one after it.
  if (step.does === 'return' || step.does === 'fail') {
    perform(world, job, step)
    return
  }
  const next = job.run.next + 1
  const afterMs = job.run.steps[next]?.afterMs ?? 0
  const advanced = { ...job, run: { ...job.run, next, nextAtMs: world.nowMs + afterMs } }
  perform(world, advanced, step)
}

function perform(world: World, job: Job, step: HandlerStep): void {
  switch (step.does) {
    case 'log':
      world.log(job.workerId ?? '', 'container', step.line)
      putJob(world, { ...job })
      return
    case 'progress':
      world.timeline.record('job.progressed', job.id)
      putJob(world, { ...job, output: step.output })
      return
    case 'stream':
      putJob(world, { ...job, chunks: [...job.chunks, ...splitChunk(world, step.output)] })
      return
    case 'return':
      complete(world, job, step.output, step.refresh)
      return
    case 'fail':
      end(world, job, 'FAILED', { error: step.error, output: step.output })
      return
    case 'crash':
      crash(world, job, step.why)
      return
    case 'hang':
      putJob(world, { ...job, run: null })
      return
    case 'lose':
      lose(world, job)
      return
  }
}

function complete(world: World, job: Job, output: unknown, refresh = false): void {
  if (acceptsResult(world, job, output)) {
    end(world, job, 'COMPLETED', { output }, refresh)
    return
  }
  world.log(job.workerId ?? '', 'container', refusedResultLine)
  world.timeline.record('job.result-refused', job.id, { workerId: job.workerId })
  end(world, job, 'COMPLETED', {}, refresh)
}

function crash(world: World, job: Job, why = 'exit code 1'): void {
  const worker = job.workerId === null ? undefined : world.workers.find(job.workerId)
  if (worker !== undefined) crashWorker(world, worker, why)
  putJob(world, { ...job })
}

/** Observed: a job whose worker never reports back is tried once more, and then fails. */
function lose(world: World, job: Job): void {
  if (job.retries >= 1) {
    end(world, job, 'FAILED', { error: `job timed out after ${job.retries} retries` })
    return
  }
  world.timeline.record('job.requeued', job.id, { workerId: job.workerId })
  count(world, job.endpointId, 'retried')
  freeWorker(world, job)
  enqueue(world, { ...job, retries: job.retries + 1 })
}

/** Observed: the job fails, and its worker is stopped. */
function overrun(world: World, job: Job): void {
  const { executionTimeoutStatus } = world.settings.fidelity
  const worker = job.workerId === null ? undefined : world.workers.find(job.workerId)
  if (worker?.jobId === job.id) removeWorker(world, worker, 'execution timeout')
  end(world, job, executionTimeoutStatus, { error: 'executionTimeout exceeded' })
}

function expire(world: World, job: Job): void {
  const inQueue = job.status === 'IN_QUEUE'
  if (inQueue && world.settings.fidelity.expiredInQueue === 'TIMED_OUT') {
    end(world, job, 'TIMED_OUT', { error: 'job expired in the queue' })
    return
  }
  if (!inQueue) freeWorker(world, job)
  noteJobEnd(world, job)
  forget(world, job, 'job.expired')
  afterwards(world, job.endpointId)
}

const endKinds = {
  COMPLETED: 'job.completed',
  FAILED: 'job.failed',
  CANCELLED: 'job.cancelled',
  TIMED_OUT: 'job.timed-out',
} as const
type EndStatus = keyof typeof endKinds

function end(
  world: World,
  job: Job,
  status: EndStatus,
  result: { readonly output?: unknown; readonly error?: string },
  refresh = false,
): Job {
  world.timeline.record(endKinds[status], job.id, { workerId: job.workerId })
  if (status === 'COMPLETED') count(world, job.endpointId, 'completed')
  if (status === 'FAILED' || status === 'TIMED_OUT') count(world, job.endpointId, 'failed')
  freeWorker(world, job, refresh)
  const endedJob = putJob(world, {
    ...job,
    status,
    endedAtMs: world.nowMs,
    output: result.output,
    error: result.error ?? null,
    run: null,
  })
  if (status === 'COMPLETED') chargeCall(world, endedJob)
  queueWebhooks(world, endedJob)
  noteJobEnd(world, endedJob)
  afterwards(world, job.endpointId)
  return endedJob
}

/** A place in the queue, with nothing left of an earlier attempt. */
function enqueue(world: World, job: Job): Job {
  const queued = putJob(world, {
    ...job,
    status: 'IN_QUEUE',
    queuedAtMs: world.nowMs,
    endedAtMs: null,
    output: undefined,
    error: null,
    chunks: [],
    chunksRead: 0,
    run: null,
  })
  afterwards(world, job.endpointId)
  return queued
}

/** The worker, if it still is at this job, has nothing to do any more. */
function freeWorker(world: World, job: Job, refresh = false): void {
  const worker = job.workerId === null ? undefined : world.workers.find(job.workerId)
  if (worker === undefined || worker.jobId !== job.id || worker.status !== 'RUNNING') return
  const why = refresh ? 'asked to be refreshed' : surplusReason(world, worker)
  if (why === undefined) releaseWorker(world, worker)
  else removeWorker(world, worker, why)
}

/** Why a worker that has just become free should not stay; undefined when it should. */
export function surplusReason(world: World, { endpointId, version }: Worker): string | undefined {
  const endpoint = world.endpoints.require(endpointId)
  if (version !== endpoint.version) return 'replaced by a new version'
  if (world.queues.of(endpointId).workerCount <= endpoint.spec.workersMax) return undefined
  const load = measure(world, endpointId)
  return load.workers > workersLimit(endpoint.spec, load) ? 'above the maximum' : undefined
}

function afterwards(world: World, endpointId: string): void {
  dispatch(world, endpointId)
  scaleEndpoint(world, endpointId)
}

function forget(world: World, job: Job, kind: string): void {
  world.timeline.cancel(job.timer)
  world.timeline.record(kind, job.id)
  world.emit({ kind: 'changed', id: job.id })
  world.jobs.remove(job.id)
}

/** The job, if it belongs to the endpoint; a `not_found` refusal otherwise. */
export function requireJob(world: World, endpointId: string, jobId: string): Job {
  const job = world.jobs.find(jobId)
  if (job === undefined || job.endpointId !== endpointId) {
    throw new CloudError('not_found', 'job not found', { resource: 'job', id: jobId })
  }
  return job
}
