/** Jobs that programs have: given to those that ask, given back when they are over, lost with them. */
import type { HandlerStep, Job } from '../../model/job.ts'
import type { Program } from '../../model/program.ts'
import type { Worker } from '../../model/worker.ts'
import { invariant } from '../../sim/invariant.ts'
import type { World } from '../../world/world.ts'
import { planStruck } from '../faults/jobs.ts'
import { dispatch } from './dispatch.ts'
import { surplusReason } from './job-ends.ts'
import { putJob } from './job-timer.ts'
import { takeNextStep } from './jobs.ts'
import { findProgram, joinProgram, putProgram } from './programs.ts'
import { requireQueue } from './submit.ts'
import { becomeReady, releaseWorker, removeWorker, takeJob } from './workers.ts'

/**
 * A program asks for up to `room` jobs, in place of whatever it asked for before. With its first
 * question its worker is ready. Returns the question's number; undefined for one that is to stop.
 */
export function askForJobs(
  world: World,
  endpointId: string,
  workerId: string,
  room: number,
): number | undefined {
  const endpoint = requireQueue(world, endpointId)
  const known = findProgram(world, endpointId, workerId)
  if (known?.status === 'ENDING' || known?.frozen) return undefined
  const program = known ?? joinProgram(world, endpoint, workerId)
  const asks = program.asks + 1
  const ask = { id: asks, room, jobIds: [] }
  putProgram(world, { ...program, status: 'UP', ask, asks, heardAtMs: world.nowMs })
  if (program.status === 'STARTING') becomeReady(world, world.workers.require(workerId))
  else dispatch(world, endpointId)
  return asks
}

/**
 * The jobs that answer a question, handed out once: none while there are none, undefined for a
 * question that nobody waits on any more, because its worker asked again or is to stop.
 */
export function takeGiven(world: World, workerId: string, askId: number): Job[] | undefined {
  const program = world.programs.find(workerId)
  if (program?.ask?.id !== askId) return undefined
  const { jobIds } = program.ask
  if (jobIds.length > 0) putProgram(world, { ...program, ask: null, heardAtMs: world.nowMs })
  return jobIds.map((id) => world.jobs.require(id))
}

/** Whoever asked has been answered, or has hung up. */
export function closeAsk(world: World, workerId: string, askId: number): void {
  const program = world.programs.find(workerId)
  if (program?.ask?.id !== askId) return
  const heardAtMs = program.pings ? program.heardAtMs : world.nowMs
  putProgram(world, { ...program, ask: null, heardAtMs })
}

/** A program that asks gets the job. */
export function giveJob(world: World, job: Job, program: Program): void {
  const { ask, leases } = program
  invariant(ask !== null && ask.room > 0, 'only a program that asks gets a job')
  const worker = world.workers.require(program.id)
  if (worker.status === 'IDLE') takeJob(world, worker, job.id)
  world.timeline.record('job.started', job.id, { workerId: worker.id })
  putProgram(world, {
    ...program,
    leases: [...leases, { jobId: job.id, unnamed: 0 }],
    ask: { ...ask, room: ask.room - 1, jobIds: [...ask.jobIds, job.id] },
  })
  const startedAtMs = world.nowMs
  const overrunMs = world.waitMs('jobOverrunMs')
  const status = 'IN_PROGRESS' as const
  const given = { ...job, status, startedAtMs, overrunMs, workerId: worker.id }
  const steps = planStruck(world, job, worker.id)
  if (steps !== undefined) strikeJob(world, given, steps)
  // Observed: the SDK refuses a job whose input was dropped, and never reports back.
  else if (job.request.input !== undefined) putJob(world, given)
  else putJob(world, loseAfter(world, given, world.waitMs('workerLostMs')))
}

/** What comes at once must not wait for the clock: its program may be done before that moves. */
function strikeJob(world: World, job: Job, steps: readonly HandlerStep[]): void {
  const afterMs = steps[0]?.afterMs ?? 0
  const struck = putJob(world, {
    ...job,
    run: { steps, next: 0, nextAtMs: world.nowMs + afterMs },
  })
  if (afterMs === 0) takeNextStep(world, struck)
}

/** The job is over, or not the program's any more. With its last one the worker is free, or goes. */
export function giveBack(world: World, worker: Worker, jobId: string, refresh: boolean): void {
  const program = world.programs.find(worker.id)
  const leases = program?.leases.filter((lease) => lease.jobId !== jobId) ?? []
  if (program === undefined || leases.length === program.leases.length) return
  const retiring = refresh ? 'asked to be refreshed' : program.retiring
  const [next] = leases
  const freeSinceMs = next === undefined ? world.nowMs : program.freeSinceMs
  // One that does not ping has from now on to say something.
  const heardAtMs = program.pings ? program.heardAtMs : world.nowMs
  const isOwn = program.backend === 'attached'
  // What somebody else started never stood still.
  const frozen = program.frozen && !(isOwn && next === undefined)
  putProgram(world, { ...program, leases, retiring, freeSinceMs, heardAtMs, frozen })
  if (next !== undefined) {
    world.workers.put({ ...worker, jobId: next.jobId })
    return
  }
  const hung = frozen ? 'it does not answer any more' : undefined
  const why = retiring ?? hung ?? (isOwn ? undefined : surplusReason(world, worker))
  if (why === undefined) releaseWorker(world, worker)
  else removeWorker(world, worker, why)
}

/**
 * A fault makes it stand still in the middle of its job. The platform takes it for alive, as it does a
 * handler that never returns, until the job's time is up.
 */
export function freezeProgram(world: World, workerId: string): void {
  const program = world.programs.find(workerId)
  if (program === undefined || program.status === 'ENDING' || program.frozen) return
  putProgram(world, { ...program, frozen: true })
  const { backend, launch } = program
  if (backend !== 'attached') world.emit({ kind: 'program.freeze', workerId, launch })
}

/** It gets no more jobs, and goes once those that it has are over. */
export function retireProgram(world: World, { id }: Worker, why: string): void {
  const program = world.programs.find(id)
  if (program !== undefined) putProgram(world, { ...program, retiring: why })
}

/** A job that a program is at is over for its caller: the program is told. */
export function tellToStop(world: World, { id, workerId }: Job): void {
  const program = workerId === null ? undefined : world.programs.find(workerId)
  if (program === undefined || !hasLease(program, id)) return
  putProgram(world, { ...program, toStop: [...program.toStop, id] })
}

/** What a program is to stop and has not been told of yet. */
export function takeStops(world: World, workerId: string): readonly string[] {
  const program = world.programs.find(workerId)
  if (program === undefined || program.toStop.length === 0) return []
  putProgram(world, { ...program, toStop: [], heardAtMs: world.nowMs })
  return program.toStop
}

export function hasLease({ leases }: Program, jobId: string): boolean {
  return leases.some((lease) => lease.jobId === jobId)
}

/** Whether a worker, simulated or not, has the job now. */
export function isAt(world: World, worker: Worker, { id }: Job): boolean {
  const program = world.programs.find(worker.id)
  return program === undefined ? worker.jobId === id : hasLease(program, id)
}

/** The program is gone. The platform notices after a time that nobody reports on its jobs. */
export function loseLeases(world: World, { leases }: Program, afterMs: number): void {
  for (const { jobId } of leases) loseJob(world, jobId, afterMs)
}

export function loseJob(world: World, jobId: string, afterMs: number): void {
  const job = world.jobs.find(jobId)
  if (job?.status === 'IN_PROGRESS') putJob(world, loseAfter(world, job, afterMs))
}

function loseAfter(world: World, job: Job, afterMs: number): Job {
  const steps = [{ does: 'lose', afterMs }] as const
  return { ...job, run: { steps, next: 0, nextAtMs: world.nowMs + afterMs } }
}
