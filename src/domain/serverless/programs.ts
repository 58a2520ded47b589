/** The life of the programs behind workers: started, up, told to stop, gone; or joined from outside. */
import type { Endpoint } from '../../model/endpoint.ts'
import { CloudError, conflict } from '../../model/errors.ts'
import { maskSecrets } from '../../model/masking.ts'
import type { Program, ProgramBackend } from '../../model/program.ts'
import type { Worker } from '../../model/worker.ts'
import type { World } from '../../world/world.ts'
import type { EventHandlers } from '../handle-event.ts'
import { isSilent, lookAfter } from './heartbeats.ts'
import { loseLeases } from './leases.ts'
import { newWorker } from './new-worker.ts'
import { requireQueue } from './submit.ts'
import { becomeReady, crashWorker, removeWorker } from './workers.ts'

/** Has the worker's program started. It is STARTING until it asks for its first job. */
export function startProgram(world: World, { id, endpointId }: Worker): void {
  const { backend } = world.endpoints.require(endpointId)
  if (backend.type === 'simulated' || backend.type === 'attached') return
  const earlier = world.programs.find(id)
  world.timeline.cancel(earlier?.timer ?? null)
  const launch = (earlier?.launch ?? 0) + 1
  world.programs.put({ ...newProgram(world, id, endpointId, backend.type), launch })
  world.emit({ kind: 'program.start', workerId: id, launch, backend })
}

/**
 * The worker that takes a program in which somebody else has started: it is there, and ready. Where
 * the platform starts processes, a stranger is one of those that it has ended.
 */
export function joinProgram(world: World, endpoint: Endpoint, workerId: string): Program {
  const { type } = endpoint.backend
  if (type === 'process' || type === 'docker') throw noWorker(endpoint.id, workerId)
  const program = newProgram(world, workerId, endpoint.id, 'attached')
  const joined = world.programs.put({ ...program, status: 'UP' })
  joinWorker(world, endpoint, workerId)
  return putProgram(world, joined)
}

/** The program, or a refusal that says what is wrong with the worker's address. */
export function requireProgram(world: World, endpointId: string, workerId: string): Program {
  requireQueue(world, endpointId)
  const program = findProgram(world, endpointId, workerId)
  if (program !== undefined) return program
  throw noWorker(endpointId, workerId)
}

function noWorker(endpointId: string, workerId: string): CloudError {
  const subject = { resource: 'worker', id: workerId }
  return new CloudError('not_found', `endpoint ${endpointId} has no worker ${workerId}`, subject)
}

/** Undefined for a worker that nobody knows; refuses one that is another endpoint's, or simulated. */
export function findProgram(
  world: World,
  endpointId: string,
  workerId: string,
): Program | undefined {
  const program = world.programs.find(workerId)
  const worker = program ?? world.workers.find(workerId)
  if (worker !== undefined && worker.endpointId !== endpointId) {
    throw conflict(`worker ${workerId} is one of another endpoint`)
  }
  if (program === undefined && worker !== undefined) {
    throw conflict(`worker ${workerId} is simulated; a program needs an id of its own`)
  }
  return program
}

/** The worker's container is to go, and its program with it. What it was at is lost. */
export function endProgram(world: World, workerId: string, gently: boolean): void {
  const program = world.programs.find(workerId)
  if (program === undefined || program.status === 'ENDING') return
  world.timeline.cancel(program.timer)
  const { backend, launch } = program
  if (backend === 'attached') {
    world.programs.remove(workerId)
  } else {
    world.programs.put({ ...program, status: 'ENDING', leases: [], ask: null, timer: null })
    // One that stands still would not hear.
    world.emit({ kind: 'program.stop', workerId, launch, gently: gently && !program.frozen })
  }
  loseLeases(world, program, world.waitMs('workerLostMs'))
  // Whoever holds one of its requests open is let go.
  world.emit({ kind: 'changed', id: workerId })
}

/** What became of a process: its exit code, or the signal that ended it, or why it never was one. */
export interface ProgramExit {
  readonly code: number | null
  readonly signal: string | null
  readonly failure?: string
}

/** The program is gone. A worker that was not told to stop has crashed, whatever the exit code. */
export function programExited(
  world: World,
  workerId: string,
  launch: number,
  exit: ProgramExit,
): void {
  const program = world.programs.find(workerId)
  if (program === undefined || program.launch !== launch) return
  world.timeline.cancel(program.timer)
  const why = describeExit(exit)
  world.timeline.record('program.exited', workerId, { endpointId: program.endpointId, why })
  world.programs.remove(workerId)
  world.emit({ kind: 'changed', id: workerId })
  if (program.status === 'ENDING') return
  loseLeases(world, program, world.waitMs('workerLostMs'))
  const worker = world.workers.find(workerId)
  if (worker !== undefined) crashWorker(world, worker, why)
}

/** The program was left behind with the emulator that ran it: workers here begin again. */
export function forgetProgram(world: World, workerId: string): void {
  const { backend, launch } = world.programs.require(workerId)
  const failure = 'the emulator was stopped'
  if (backend === 'attached') removeWorker(world, world.workers.require(workerId), failure)
  else programExited(world, workerId, launch, { code: null, signal: null, failure })
}

/** A line that a program wrote. Those of one whose worker is gone have nowhere to go. */
export function programWrote(world: World, workerId: string, launch: number, line: string): void {
  const program = world.programs.find(workerId)
  if (program?.launch !== launch || world.workers.find(workerId) === undefined) return
  world.log(workerId, 'container', maskSecrets(line))
}

/** Programs that something is expected of, and what: they are real, and take real time. */
export function busyPrograms(world: World): string[] {
  if (world.programs.size === 0) return []
  const busy: string[] = []
  for (const program of world.programs.values()) {
    const { id, endpointId, status, leases } = program
    const name = `worker ${id} of ${endpointId}`
    if (status === 'STARTING') busy.push(`${name} to start`)
    if (isAboutToAsk(world, program)) busy.push(`${name} to ask for a job`)
    if (program.frozen) continue
    for (const { jobId } of leases) {
      // One whose end is settled already comes to it by the clock.
      if (world.jobs.find(jobId)?.run === null) busy.push(`${name} to finish job ${jobId}`)
    }
  }
  for (const { id, endpointId, workerId, status } of world.requests.values()) {
    if (status === 'AT_WORKER' && world.programs.find(workerId ?? '') !== undefined) {
      busy.push(`worker ${workerId} of ${endpointId} to answer request ${id}`)
    }
  }
  return busy
}

/** One that somebody else started may be gone; of a process that would be known. */
function isAboutToAsk(world: World, program: Program): boolean {
  const { endpointId, status, backend, ask, leases } = program
  if (status !== 'UP' || backend === 'attached' || ask !== null || leases.length > 0) return false
  return world.queues.of(endpointId).jobs.IN_QUEUE > 0
}

/** Its timer and its callers follow: everything that changes a program ends here. */
export function putProgram(world: World, program: Program): Program {
  world.timeline.cancel(program.timer)
  world.emit({ kind: 'changed', id: program.id })
  return world.programs.put({ ...program, timer: lookAfter(world, program) })
}

export const programEventHandlers: EventHandlers<'program.due'> = {
  'program.due': (world, { workerId }) => {
    const program = world.programs.require(workerId)
    if (!isSilent(world, program)) {
      putProgram(world, program)
      return
    }
    const worker = world.workers.require(workerId)
    const seconds = Math.round((world.nowMs - program.heardAtMs) / 1_000)
    const why = `no sign of life for ${seconds} s`
    world.timeline.record('program.silent', workerId, { endpointId: program.endpointId })
    loseLeases(world, program, 0)
    world.programs.put({ ...program, leases: [] })
    if (program.backend === 'attached') removeWorker(world, worker, why)
    else crashWorker(world, worker, why)
  },
}

/** On no machine of the cloud's, and unpaid. */
function joinWorker(world: World, endpoint: Endpoint, id: string): void {
  world.timeline.record('worker.joined', id, { endpointId: endpoint.id })
  const worker = { ...newWorker(world, endpoint, id), backend: 'attached' as const }
  becomeReady(world, world.workers.put({ ...worker, startedAtMs: world.nowMs }))
}

function newProgram(
  world: World,
  id: string,
  endpointId: string,
  backend: ProgramBackend,
): Program {
  return {
    id,
    endpointId,
    backend,
    launch: 1,
    status: 'STARTING',
    leases: [],
    ask: null,
    asks: 0,
    toStop: [],
    retiring: null,
    frozen: false,
    strays: 0,
    freeSinceMs: world.nowMs,
    heardAtMs: world.nowMs,
    pings: false,
    sdkVersion: null,
    timer: null,
  }
}

export function describeExit({ code, signal, failure }: ProgramExit): string {
  if (failure !== undefined) return failure
  return signal === null ? `exit code ${code ?? 'unknown'}` : `killed by ${signal}`
}
