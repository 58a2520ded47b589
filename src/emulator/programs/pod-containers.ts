/** Containers of pods in a Docker engine: started and ended as their worlds ask for it, and their ports. */
import type { Exit, RunningProgram } from '../../adapters/programs/program.ts'
import { podEnvironmentOf } from '../../domain/environment.ts'
import {
  containerExited,
  containerReached,
  containerStarted,
  containerWrote,
} from '../../domain/pod-containers.ts'
import type { CloudEffect } from '../../model/effects.ts'
import type { Pod } from '../../model/pod.ts'
import { withResolvers } from '../resolvers.ts'
import type { Session } from '../session.ts'
import { Disks } from './disks.ts'
import { closeGraceMs, graceMs } from './graces.ts'
import { machineName, usualNetwork } from './networks.ts'
import { type OpenPorts, PodPorts } from './pod-ports.ts'

export type ContainerEffect = Extract<CloudEffect, { kind: `container.${string}` }>
type Start = Extract<ContainerEffect, { kind: 'container.start' }>
type Stop = Extract<ContainerEffect, { kind: 'container.stop' }>

interface Run {
  readonly session: Session
  readonly launch: number
  program: RunningProgram | undefined
  stopped: boolean
  ports: OpenPorts | undefined
  readonly gone: Promise<void>
  leave: () => void
}

export interface ContainerHands {
  /** Brings a change into a world: one turn, at the time that it is there now. */
  readonly turn: (session: Session, change: () => void) => void
  /** What containers are connected to. */
  readonly network: string | undefined
}

export class PodContainers {
  /** By session and pod: the last one comes when those before it are gone. */
  readonly #runs = new Map<string, Run>()
  readonly disks = new Disks()
  readonly #hands: ContainerHands
  readonly #network: string
  readonly #ports: PodPorts

  constructor(hands: ContainerHands) {
    this.#hands = hands
    this.#network = hands.network ?? usualNetwork
    this.#ports = new PodPorts(this.#network)
  }

  /** Containers that there are, and worlds that have disks. */
  get size(): number {
    return this.#runs.size + this.disks.size
  }

  /** For a start: resolves when it runs, or never will. */
  perform(session: Session, effect: ContainerEffect): Promise<void> | undefined {
    if (effect.kind === 'container.start') return this.#start(session, effect)
    this.#end(session, effect)
    return undefined
  }

  async #start(session: Session, { podId, launch }: Start): Promise<void> {
    const { world } = session
    const key = keyOf(session, podId)
    const before = this.#runs.get(key)
    const { promise: gone, resolve: leave } = withResolvers()
    const run: Run = {
      ...{ session, launch, program: undefined, stopped: false, ports: undefined, gone },
      leave: () => {
        if (this.#runs.get(key) === run) this.#runs.delete(key)
        run.ports?.close()
        leave()
      },
    }
    this.#runs.set(key, run)
    const tell = (change: () => void) => {
      if (session.world === world) this.#hands.turn(session, change)
    }
    const onExit = (exit: Exit) => {
      run.leave()
      tell(() => containerExited(world, podId, launch, exit))
    }
    const onLines = (lines: readonly string[]) => {
      tell(() => {
        for (const line of lines) containerWrote(world, podId, launch, line)
      })
    }
    await before?.gone
    try {
      requireWanted(run)
      const ports = await this.#ports.open(world.pods.require(podId))
      run.ports = ports
      requireWanted(run)
      tell(() => containerReached(world, podId, launch, ports))
      run.program = await this.#launch(run, world.pods.require(podId), { onLines, onExit })
    } catch (error) {
      onExit({ code: null, signal: null, failure: (error as Error).message })
      return
    }
    if (run.stopped) run.program.stop(0)
    else tell(() => containerStarted(world, podId, launch))
  }

  #end(session: Session, { podId, launch, forget, withinMs }: Stop): void {
    const { world } = session
    const run = this.#runs.get(keyOf(session, podId))
    if (run?.launch === launch) {
      this.#stop(run, withinMs === null ? graceMs : withinMs / world.pace)
    }
    if (forget) void this.disks.forget(world, podId, run?.gone)
  }

  /**
   * The session's world is no more, and its disks with it once all that use them are gone: `others`
   * are the workers.
   */
  killAll({ world, name }: Session, others: Promise<unknown>): void {
    const runs = [...this.#runs.values()].filter(({ session }) => session.name === name)
    for (const run of runs) if (!run.stopped) this.#stop(run, 0)
    const gone = Promise.all([others, ...runs.map((run) => run.gone)])
    void this.disks.forgetWorld(world, gone)
  }

  /** Resolves once all are gone. */
  async close(others: Promise<unknown>): Promise<void> {
    const runs = [...this.#runs.values()]
    for (const run of runs) this.#stop(run, closeGraceMs)
    const gone = Promise.all([others, ...runs.map((run) => run.gone)])
    await gone
    await this.disks.forgetAll(gone)
  }

  /**
   * Where a port of a pod answers: `http://localhost:8888`; undefined where nothing does. The session's
   * own pod goes first, then that of the default world.
   */
  baseOf({ name }: Pick<Session, 'name'>, podId: string, port: number): string | undefined {
    const others = [...this.#runs.values()].map(({ session }) => session)
    const runs = [{ name }, { name: 'default' }, ...others].map((session) =>
      this.#runs.get(keyOf(session, podId)),
    )
    const run = runs.find((found) => found?.program !== undefined)
    if (run === undefined) return undefined
    return `http://localhost:${run.ports?.published.get(port) ?? port}`
  }

  async #launch(
    run: Run,
    pod: Pod,
    listener: {
      readonly onLines: (lines: readonly string[]) => void
      readonly onExit: (exit: Exit) => void
    },
  ): Promise<RunningProgram> {
    const { world } = run.session
    const { startContainer } = await import('../../adapters/docker/container.ts')
    const { commandOf, mountsOf } = await import('./launch.ts')
    const { container } = pod.spec
    return startContainer({
      ...listener,
      ...commandOf(container),
      ownerId: pod.id,
      machineName,
      image: container.image,
      environment: podEnvironmentOf(world, pod),
      network: this.#network,
      publish: [...(run.ports?.published ?? [])],
      ...mountsOf(this.disks.ofPod(world, pod)),
      memoryGb: pod.placement.memoryGb,
    })
  }

  #stop(run: Run, withinMs: number): void {
    run.stopped = true
    run.ports?.shut()
    run.program?.stop(withinMs)
  }
}

/** Throws for one that is not to start any more. */
function requireWanted({ stopped }: Run): void {
  if (stopped) throw new Error('it was stopped before it had started')
}

function keyOf({ name }: Pick<Session, 'name'>, podId: string): string {
  return `${name} ${podId}`
}
