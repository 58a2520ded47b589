/** How a job ends, or goes back to the queue, and what becomes of the worker that had it. */
import { draftOfJob, type Job } from '../../model/job.ts'
import type { Worker } from '../../model/worker.ts'
import type { World } from '../../world/world.ts'
import { workersLimit } from './autoscaler.ts'
import { noteJobEnd } from './batch-progress.ts'
import { dispatch } from './dispatch.ts'
import { putJob } from './job-timer.ts'
import { giveBack } from './leases.ts'
import { chargeCall } from './public-billing.ts'
import { acceptsResult, refusedResultLine } from './results.ts'
import { measure, scaleEndpoint } from './scaling.ts'
import { count } from './usage.ts'
import { queueWebhooks } from './webhooks.ts'
import { releaseWorker, removeWorker } from './workers.ts'

const endKinds = {
  COMPLETED: 'job.completed',
  FAILED: 'job.failed',
  CANCELLED: 'job.cancelled',
  TIMED_OUT: 'job.timed-out',
} as const
type EndStatus = keyof typeof endKinds

export function endJob(
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
  const ended = draftOfJob(job)
  ended.status = status
  ended.endedAtMs = world.nowMs
  ended.output = result.output
  ended.error = result.error ?? null
  ended.run = null
  const endedJob = putJob(world, ended)
  if (status === 'COMPLETED') chargeCall(world, endedJob)
  queueWebhooks(world, endedJob)
  noteJobEnd(world, endedJob)
  afterwards(world, job.endpointId)
  return endedJob
}

/** `refresh`: the worker is replaced afterwards. False when the platform did not take the result. */
export function completeJob(world: World, job: Job, output: unknown, refresh?: boolean): boolean {
  if (acceptsResult(world, job, output)) {
    endJob(world, job, 'COMPLETED', { output }, refresh)
    return true
  }
  const { workerId } = job
  // A program says so itself.
  const isSimulated = world.programs.find(workerId ?? '') === undefined
  if (isSimulated) world.log(workerId ?? '', 'container', refusedResultLine)
  world.timeline.record('job.result-refused', job.id, { workerId })
  endJob(world, job, 'COMPLETED', {}, refresh)
  return false
}

export function failJob(
  world: World,
  job: Job,
  { error, output }: { readonly error: string; readonly output?: unknown },
  refresh?: boolean,
): void {
  endJob(world, job, 'FAILED', { error, output }, refresh)
}

/** A place in the queue, with nothing left of an earlier attempt. */
export function enqueue(world: World, job: Job): Job {
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
export function freeWorker(world: World, job: Job, refresh = false): void {
  const worker = job.workerId === null ? undefined : world.workers.find(job.workerId)
  if (worker === undefined || worker.status !== 'RUNNING') return
  if (worker.backend !== 'simulated') {
    giveBack(world, worker, job.id, refresh)
    return
  }
  if (worker.jobId !== job.id) return
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

export function afterwards(world: World, endpointId: string): void {
  dispatch(world, endpointId)
  scaleEndpoint(world, endpointId)
}
