/** What programs say: that they live, how far their jobs are, and what came of them. */
import { conflict } from '../../model/errors.ts'
import type { Job } from '../../model/job.ts'
import { type Lease, missedPings, type Program } from '../../model/program.ts'
import type { World } from '../../world/world.ts'
import { completeJob, failJob } from './job-ends.ts'
import { progressJob, requireJob, streamChunk } from './jobs.ts'
import { hasLease, loseJob, retireProgram } from './leases.ts'
import { putProgram, requireProgram } from './programs.ts'
import { crashWorker, removeWorker } from './workers.ts'

export interface ResultReport {
  readonly output: unknown
  /** Null for a job that went well. */
  readonly error: string | null
  /** The worker wants to be replaced. */
  readonly refresh: boolean
}

/** Which job of which worker a report is about. */
export interface Reported {
  readonly endpointId: string
  readonly workerId: string
  readonly jobId: string
}

/**
 * The end of a job. Said again, it changes nothing: an answer may be lost on its way. False when the
 * result is larger than the platform takes.
 */
export function reportResult(world: World, about: Reported, result: ResultReport): boolean {
  const job = hear(world, about)
  if (job === undefined) return true
  const { output, error, refresh } = result
  if (error === null) return completeJob(world, job, output, refresh)
  failJob(world, job, { error, output }, refresh)
  return true
}

/** How far a job is. One that has ended stays as it is. */
export function reportProgress(world: World, about: Reported, output: unknown): void {
  const job = hear(world, about)
  if (job !== undefined) progressJob(world, job, output)
}

export function reportChunk(world: World, about: Reported, output: unknown): void {
  const job = hear(world, about)
  if (job !== undefined) streamChunk(world, job, output)
}

export interface SignOfLife {
  /** The jobs it says it is at. */
  readonly jobIds: readonly string[]
  readonly sdkVersion: string | null
}

/**
 * A program lives. A job that it does not name, time and again, is lost; one that it goes on with
 * although it was told to stop costs it its worker.
 */
export function reportLife(
  world: World,
  endpointId: string,
  workerId: string,
  { jobIds, sdkVersion }: SignOfLife,
): void {
  const program = requireProgram(world, endpointId, workerId)
  if (program.status === 'ENDING' || program.frozen) return
  const named = new Set(jobIds)
  const leases = program.leases.map(({ jobId, unnamed }) => ({
    jobId,
    unnamed: named.has(jobId) ? 0 : unnamed + 1,
  }))
  const strays = jobIds.some((id) => !hasLease(program, id)) ? program.strays + 1 : 0
  const heard = { ...program, leases, strays, sdkVersion, pings: true, heardAtMs: world.nowMs }
  putProgram(world, heard)
  for (const { jobId } of leases.filter(isLost)) loseJob(world, jobId, 0)
  if (strays >= missedPings) replaceStray(world, heard)
}

/** A check of the SDK, or of the user, failed as the program started: it will not work. */
export function reportUnhealthy(
  world: World,
  endpointId: string,
  workerId: string,
  why: string,
): void {
  const { backend, status } = requireProgram(world, endpointId, workerId)
  if (status === 'ENDING') return
  const worker = world.workers.require(workerId)
  world.log(workerId, 'system', why)
  if (backend === 'attached') removeWorker(world, worker, why)
  else crashWorker(world, worker, why)
}

/**
 * The job, or undefined when it has ended already, or hangs by a fault; refuses a report on a job
 * that is not there.
 */
function hear(world: World, { endpointId, workerId, jobId }: Reported): Job | undefined {
  const program = requireProgram(world, endpointId, workerId)
  const job = requireJob(world, endpointId, jobId)
  if (hasLease(program, jobId)) {
    if (program.frozen) return undefined
    putProgram(world, { ...program, heardAtMs: world.nowMs })
    return job
  }
  const wasItsOwn = job.endedAtMs !== null && job.workerId === workerId
  if (!wasItsOwn) throw conflict(`job ${jobId} is not at worker ${workerId}`)
  return undefined
}

function isLost({ unnamed }: Lease): boolean {
  return unnamed >= missedPings
}

/** A handler that does not hear cannot be stopped otherwise. */
function replaceStray(world: World, program: Program): void {
  const worker = world.workers.require(program.id)
  const why = 'it goes on with a job that is over'
  if (program.leases.length > 0) retireProgram(world, worker, why)
  else removeWorker(world, worker, why)
}
