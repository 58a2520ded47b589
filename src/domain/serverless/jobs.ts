/** What happens to a job once it is submitted: its steps, its deadlines, and what its caller may do. */
import { CloudError, ruleViolation } from '../../model/errors.ts'
import type { HistoryKind } from '../../model/history.ts'
import { endedStatuses, type HandlerStep, type Job } from '../../model/job.ts'
import { invariant } from '../../sim/invariant.ts'
import type { World } from '../../world/world.ts'
import type { EventHandlers } from '../handle-event.ts'
import { noteJobEnd } from './batch-progress.ts'
import { afterwards, completeJob, endJob, enqueue, failJob, freeWorker } from './job-ends.ts'
import { expiryAtMs, putJob, timeLimitAtMs } from './job-timer.ts'
import { freezeProgram, isAt, tellToStop } from './leases.ts'
import { splitChunk } from './results.ts'
import { count } from './usage.ts'
import { crashWorker, removeWorker } from './workers.ts'

/** A job that has ended is answered unchanged. Assumed: the documents do not say. */
export function cancelJob(world: World, job: Job): Job {
  if (endedStatuses.has(job.status)) return job
  tellToStop(world, job)
  return endJob(world, job, 'CANCELLED', {})
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
  for (const job of waiting) endJob(world, job, 'CANCELLED', {})
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

/** The job's run goes on; what is left of it is put back first, unless it ends. */
export function takeNextStep(world: World, job: Job): void {
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
      progressJob(world, job, step.output)
      return
    case 'stream':
      streamChunk(world, job, step.output)
      return
    case 'return':
      completeJob(world, job, step.output, step.refresh)
      return
    case 'fail':
      failJob(world, job, step)
      return
    case 'crash':
      crash(world, job, step.why)
      return
    case 'hang':
      putJob(world, { ...job, run: null })
      freezeProgram(world, job.workerId ?? '')
      return
    case 'lose':
      lose(world, job)
      return
  }
}

export function progressJob(world: World, job: Job, output: unknown): void {
  world.timeline.record('job.progressed', job.id)
  putJob(world, { ...job, output })
}

export function streamChunk(world: World, job: Job, output: unknown): void {
  putJob(world, { ...job, chunks: [...job.chunks, ...splitChunk(world, output)] })
}

function crash(world: World, job: Job, why: string | undefined): void {
  const worker = job.workerId === null ? undefined : world.workers.find(job.workerId)
  const program = world.programs.find(worker?.id ?? '')
  if (worker !== undefined && program !== undefined) {
    // Its jobs are lost with it, this one too. Nobody here can kill what somebody else started.
    const how = why ?? 'killed by SIGKILL'
    if (program.backend === 'attached') removeWorker(world, worker, how)
    else crashWorker(world, worker, how)
    return
  }
  if (worker !== undefined) crashWorker(world, worker, why ?? 'exit code 1')
  putJob(world, { ...job })
}

/** Observed: a job whose worker never reports back is tried once more, and then fails. */
function lose(world: World, job: Job): void {
  tellToStop(world, job)
  if (job.retries >= 1) {
    endJob(world, job, 'FAILED', { error: `job timed out after ${job.retries} retries` })
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
  tellToStop(world, job)
  // Nobody can stop a program that somebody else started; it has been told.
  const isAtIt = worker !== undefined && isAt(world, worker, job)
  if (isAtIt && worker.backend !== 'attached') removeWorker(world, worker, 'execution timeout')
  // Its worker's end has changed it.
  endJob(world, world.jobs.require(job.id), executionTimeoutStatus, {
    error: 'executionTimeout exceeded',
  })
}

function expire(world: World, job: Job): void {
  const inQueue = job.status === 'IN_QUEUE'
  if (inQueue && world.settings.fidelity.expiredInQueue === 'TIMED_OUT') {
    endJob(world, job, 'TIMED_OUT', { error: 'job expired in the queue' })
    return
  }
  tellToStop(world, job)
  if (!inQueue) freeWorker(world, job)
  noteJobEnd(world, job)
  forget(world, job, 'job.expired')
  afterwards(world, job.endpointId)
}

function forget(world: World, job: Job, kind: HistoryKind): void {
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
