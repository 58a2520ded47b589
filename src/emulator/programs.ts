/** Worker programs as they run on this machine: started and stopped as their worlds ask for it. */
import type { ProcessExit, RunningProcess } from '../adapters/process.ts'
import { programExited, programWrote } from '../domain/serverless/programs.ts'
import type { CloudEffect } from '../model/effects.ts'
import { maskSecrets } from '../model/masking.ts'
import type { Session } from './session.ts'
import { workerEnvironment } from './worker-environment.ts'
import type { WorkerLine } from './worker-options.ts'

export type ProgramStart = Extract<CloudEffect, { kind: 'program.start' }>
export type ProgramStop = Extract<CloudEffect, { kind: 'program.stop' }>

/** Real time from a worker's SIGTERM to its SIGKILL. Assumed: as containers are stopped elsewhere. */
const graceMs = 10_000
/** The same for all of them when the emulator closes. */
const closeGraceMs = 2_000

interface Run {
  readonly session: Session
  process: RunningProcess | undefined
  /** It was told to stop before it had started. */
  stopped: boolean
  readonly gone: Promise<void>
  readonly leave: () => void
}

export interface ProgramHands {
  /** Brings a change into a world: one turn, at the time that it is there now. */
  readonly turn: (session: Session, change: () => void) => void
  readonly onLine: ((line: WorkerLine) => void) | undefined
}

export class Programs {
  readonly #runs = new Map<string, Run>()
  readonly #hands: ProgramHands
  readonly #url: Promise<string>
  #announce: (url: string) => void = () => {}
  /** All of them have been told, and are given time. */
  #closing = false

  constructor(hands: ProgramHands) {
    this.#hands = hands
    this.#url = new Promise((resolve) => {
      this.#announce = resolve
    })
  }

  /** How many there are, those included that are coming up or on their way out. */
  get size(): number {
    return this.#runs.size
  }

  /** Programs start once there is an address that they can be given. */
  announce(url: string): void {
    this.#announce(url)
  }

  start(session: Session, effect: ProgramStart): void {
    const { promise: gone, resolve: leave } = withResolvers()
    const run: Run = { session, process: undefined, stopped: false, gone, leave }
    this.#runs.set(keyOf(session, effect), run)
    void this.#launch(run, effect)
  }

  stop(session: Session, effect: ProgramStop): void {
    const run = this.#runs.get(keyOf(session, effect))
    if (run !== undefined) this.#stop(run, effect.gently ? graceMs : 0)
  }

  /** The session's world is no more: nothing that its programs say would be heard. */
  killAll(session: Session): void {
    if (this.#closing) return
    for (const run of this.#runs.values()) if (run.session === session) this.#stop(run, 0)
  }

  /** Resolves once all are gone. */
  async close(): Promise<void> {
    this.#closing = true
    const runs = [...this.#runs.values()]
    for (const run of runs) this.#stop(run, closeGraceMs)
    await Promise.all(runs.map(({ gone }) => gone))
  }

  #stop(run: Run, withinMs: number): void {
    run.stopped = true
    if (run.process === undefined) run.leave()
    else run.process.stop(withinMs)
  }

  async #launch(run: Run, effect: ProgramStart): Promise<void> {
    const { session } = run
    const { world } = session
    const { workerId, launch, backend } = effect
    const key = keyOf(session, effect)
    const tell = (change: () => void) => {
      if (session.world === world) this.#hands.turn(session, change)
    }
    const exited = (exit: ProcessExit) => {
      // A world that begins again gives the same names.
      if (this.#runs.get(key) === run) this.#runs.delete(key)
      run.leave()
      tell(() => programExited(world, workerId, launch, exit))
    }
    const [{ startProcess }, url] = await Promise.all([import('../adapters/process.ts'), this.#url])
    if (run.stopped || backend.type !== 'process') {
      exited({ code: null, signal: null, failure: 'it was stopped before it had started' })
      return
    }
    run.process = startProcess({
      command: backend.command,
      directory: backend.directory,
      environment: { ...inherited(), ...this.#environment(session, effect, url) },
      onLines: (lines) => {
        for (const text of lines) this.#hands.onLine?.({ workerId, text: maskSecrets(text) })
        tell(() => {
          for (const line of lines) programWrote(world, workerId, launch, line)
        })
      },
      onExit: exited,
    })
  }

  #environment(session: Session, { workerId, backend }: ProgramStart, url: string) {
    const { world } = session
    const { endpointId, placement } = world.workers.require(workerId)
    const endpoint = world.endpoints.require(endpointId)
    const systemChecks = backend.type === 'process' && backend.systemChecks === true
    const place = { endpoint, workerId, placement, url, key: keyFor(session, endpoint.aiKey) }
    return workerEnvironment(world, { ...place, systemChecks })
  }
}

/** Worlds that begin alike have the same keys: one of several is named by the key that opened it. */
export function keyFor(session: Session, aiKey: string): string {
  return session.name === 'default' ? aiKey : session.name
}

function keyOf({ name }: Session, { workerId, launch }: ProgramStart | ProgramStop): string {
  return `${name} ${workerId} ${launch}`
}

/** What the emulator itself was told is not meant for them. */
function inherited(): Record<string, string> {
  const own = /^(RUNPOD_|COMPUTE_EMULATOR_|PORT$|PORT_HEALTH$)/
  const entries = Object.entries(process.env).filter(([name]) => !own.test(name))
  return Object.fromEntries(entries) as Record<string, string>
}

function withResolvers(): { readonly promise: Promise<void>; readonly resolve: () => void } {
  let resolve: () => void = () => {}
  const promise = new Promise<void>((settle) => {
    resolve = settle
  })
  return { promise, resolve }
}
