/** Worker programs as they run on this machine: started and stopped as their worlds ask for it. */
import type { Exit, ProgramListener, RunningProgram } from '../../adapters/programs/program.ts'
import { hearHealth } from '../../domain/serverless/health.ts'
import { programExited, programWrote } from '../../domain/serverless/programs.ts'
import type { CloudEffect } from '../../model/effects.ts'
import { maskSecrets } from '../../model/masking.ts'
import type { Forwarded, ForwardListener, Place } from '../../surfaces/http/forward.ts'
import { withResolvers } from '../resolvers.ts'
import type { Session } from '../session.ts'
import { closeGraceMs, graceMs } from './graces.ts'
import type { WebServer } from './launch.ts'
import { urlFrom, usualNetwork } from './networks.ts'
import { type ContainerEffect, PodContainers } from './pod-containers.ts'
import { workerEnvironment } from './worker-environment.ts'
import type { WorkerLine } from './worker-options.ts'

type ProgramEffect = Extract<CloudEffect, { kind: `program.${string}` }>
export type RealEffect = ProgramEffect | ContainerEffect
type ProgramStart = Extract<ProgramEffect, { kind: 'program.start' }>

/** Real time between two looks at a web server's health, whatever the profile says. */
const leastProbeMs = 50

interface Run {
  readonly session: Session
  program: RunningProgram | undefined
  /** Of a load-balancing worker. */
  server: WebServer | undefined
  stopProbe: () => void
  /** It was told to stop, perhaps before it had started; or it has ended. */
  stopped: boolean
  /** Something may have come of it already: it is gone when its end is told. */
  begun: boolean
  readonly gone: Promise<void>
  readonly leave: () => void
}

export interface ProgramHands {
  /** Brings a change into a world: one turn, at the time that it is there now. */
  readonly turn: (session: Session, change: () => void) => void
  /** What containers are connected to, unless their endpoint says. */
  readonly network: string | undefined
  readonly onLine: ((line: WorkerLine) => void) | undefined
}

export class Programs {
  readonly #runs = new Map<string, Run>()
  readonly #hands: ProgramHands
  readonly #url: Promise<string>
  #announce: (url: string) => void = () => {}
  /** All of them have been told, and are given time. */
  #closing = false

  /** Containers of pods, which come and go with these. */
  readonly #pods: PodContainers

  constructor(hands: ProgramHands) {
    this.#hands = hands
    this.#pods = new PodContainers(hands)
    this.#url = new Promise((resolve) => {
      this.#announce = resolve
    })
  }

  /** How many there are, those included that are coming up or on their way out; pods' as well. */
  get size(): number {
    return this.#runs.size + this.#pods.size
  }

  /** Programs start once there is an address that they can be given. */
  announce(url: string): void {
    this.#announce(url)
  }

  perform(session: Session, effect: RealEffect): Promise<void> | undefined {
    // What ends as the emulator closes would be started again.
    if (this.#closing && effect.kind.endsWith('.start')) return undefined
    if ('podId' in effect) return this.#pods.perform(session, effect)
    const run = this.#runs.get(keyOf(session, effect))
    if (effect.kind === 'program.start') this.#start(session, effect)
    else if (effect.kind === 'program.freeze') run?.program?.freeze()
    else if (run !== undefined) this.#stop(run, effect.gently ? graceMs : 0)
    return undefined
  }

  #start(session: Session, effect: ProgramStart): void {
    const { promise: gone, resolve: leave } = withResolvers()
    const run: Run = {
      session,
      program: undefined,
      server: undefined,
      stopProbe: () => {},
      stopped: false,
      begun: false,
      gone,
      leave,
    }
    this.#runs.set(keyOf(session, effect), run)
    void this.#launch(run, effect)
  }

  /** Sends a request to a web server of a worker or a pod; returns what breaks it off. */
  forward(session: Session, place: Place, request: Forwarded, to: ForwardListener): () => void {
    const base =
      'podId' in place
        ? this.#pods.baseOf(session, place.podId, place.port)
        : this.#baseOf(session, place.workerId)
    let isBroken = false
    let breakOff = () => {}
    const begin = async () => {
      const { forward } = await import('../../adapters/programs/forward.ts')
      if (isBroken) return
      if (base === undefined) to.ended('refused')
      else breakOff = forward(base, request, to)
    }
    void begin()
    return () => {
      isBroken = true
      breakOff()
    }
  }

  #baseOf(session: Session, workerId: string): string | undefined {
    const launch = session.world.programs.find(workerId)?.launch ?? 0
    return this.#runs.get(keyOf(session, { workerId, launch }))?.server?.base
  }

  /** The session's world is no more: nothing that its programs say would be heard. */
  killAll(session: Session): void {
    if (this.#closing) return
    const runs = [...this.#runs.values()].filter((run) => run.session === session)
    for (const run of runs) this.#stop(run, 0)
    const gone = Promise.all(runs.map((run) => run.gone))
    this.#pods.killAll(session, gone)
  }

  /** Resolves once all are gone. */
  async close(): Promise<void> {
    this.#closing = true
    const runs = [...this.#runs.values()]
    for (const run of runs) this.#stop(run, closeGraceMs)
    await this.#pods.close(Promise.all(runs.map(({ gone }) => gone)))
  }

  #stop(run: Run, withinMs: number): void {
    run.stopped = true
    run.stopProbe()
    if (run.begun) run.program?.stop(withinMs)
    else run.leave()
  }

  async #launch(run: Run, effect: ProgramStart): Promise<void> {
    const { session } = run
    const { world } = session
    const { workerId, launch: number } = effect
    const key = keyOf(session, effect)
    const tell = (change: () => void) => {
      if (session.world === world) this.#hands.turn(session, change)
    }
    const onExit = (exit: Exit) => {
      // A world that begins again gives the same names.
      if (this.#runs.get(key) === run) this.#runs.delete(key)
      run.stopped = true
      run.stopProbe()
      run.leave()
      tell(() => programExited(world, workerId, number, exit))
    }
    const onLines = (lines: readonly string[]) => {
      for (const text of lines) this.#hands.onLine?.({ workerId, text: maskSecrets(text) })
      tell(() => {
        for (const line of lines) programWrote(world, workerId, number, line)
      })
    }
    try {
      await this.#begin(run, effect, { onLines, onExit })
    } catch (error) {
      onExit({ code: null, signal: null, failure: String((error as Error).message ?? error) })
      return
    }
    const { server } = run
    if (server === undefined || run.stopped) return
    const { probeHealth } = await import('../../adapters/programs/health-probe.ts')
    if (run.stopped) return
    run.stopProbe = probeHealth({
      url: server.healthUrl,
      everyMs: Math.max(leastProbeMs, world.waitMs('healthPollMs') / world.pace),
      onChange: (status) => tell(() => hearHealth(world, workerId, number, status)),
    })
  }

  async #begin(run: Run, effect: ProgramStart, listener: ProgramListener): Promise<void> {
    const url = await this.#url
    requireWanted(run)
    run.begun = true
    const { world } = run.session
    const { workerId, backend } = effect
    const worker = world.workers.require(workerId)
    const endpoint = world.endpoints.require(worker.endpointId)
    const { findWebServer, launch } = await import('./launch.ts')
    const isContainer = backend.type === 'docker'
    const network =
      (isContainer ? backend.network : undefined) ?? this.#hands.network ?? usualNetwork
    const server = await findWebServer(world, endpoint, network)
    requireWanted(run)
    const environment = workerEnvironment(world, {
      endpoint,
      workerId,
      placement: worker.placement,
      url: isContainer ? urlFrom(network, url) : url,
      key: keyFor(run.session, endpoint.aiKey),
      systemChecks: 'systemChecks' in backend && backend.systemChecks === true,
    })
    const program = await launch({
      ...listener,
      backend,
      worker,
      container: endpoint.spec.container,
      environment: { ...environment, ...server?.variables },
      network,
      server,
      disks: this.#pods.disks.ofWorker(world, worker),
    })
    run.server = server
    run.program = program
    // Told while it was being started.
    if (run.stopped) program.stop(0)
  }
}

/** Throws for one that is not to start any more. */
function requireWanted({ stopped }: Run): void {
  if (stopped) throw new Error('it was stopped before it had started')
}

/** Worlds that begin alike have the same keys: one of several is named by the key that opened it. */
export function keyFor(session: Session, aiKey: string): string {
  return session.name === 'default' ? aiKey : session.name
}

function keyOf(
  { name }: Session,
  { workerId, launch }: Pick<ProgramEffect, 'workerId' | 'launch'>,
): string {
  return `${name} ${workerId} ${launch}`
}
