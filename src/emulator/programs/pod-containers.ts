/** Containers of pods in a Docker engine: started and ended as their worlds ask for it, and their ports. */
import type { Exit, RunningProgram } from '../../adapters/programs/program.ts'
import { podEnvironmentOf } from '../../domain/environment.ts'
import { containerExited, containerStarted, containerWrote } from '../../domain/pod-containers.ts'
import type { CloudEffect } from '../../model/effects.ts'
import type { Pod } from '../../model/pod.ts'
import type { Worker } from '../../model/worker.ts'
import type { World } from '../../world/world.ts'
import { withResolvers } from '../resolvers.ts'
import type { Session } from '../session.ts'
import { closeGraceMs, graceMs } from './graces.ts'
import type { Disk } from './launch.ts'
import { machineName, usualNetwork } from './networks.ts'

export type ContainerEffect = Extract<CloudEffect, { kind: `container.${string}` }>
type Start = Extract<ContainerEffect, { kind: 'container.start' }>
type Stop = Extract<ContainerEffect, { kind: 'container.stop' }>

interface Run {
  readonly session: Session
  readonly launch: number
  program: RunningProgram | undefined
  stopped: boolean
  /** Ports of the container, and where the machine has them. */
  ports: ReadonlyMap<number, number>
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
  /** Volumes by world, and worlds by number: the next world has disks of its own. */
  readonly #disks = new Map<World, { readonly number: number; readonly names: Set<string> }>()
  readonly #hands: ContainerHands
  readonly #network: string
  #worlds = 0

  constructor(hands: ContainerHands) {
    this.#hands = hands
    this.#network = hands.network ?? usualNetwork
  }

  /** Containers that there are, and worlds that have disks. */
  get size(): number {
    return this.#runs.size + this.#disks.size
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
      ...{ session, launch, program: undefined, stopped: false, ports: new Map(), gone },
      leave: () => {
        if (this.#runs.get(key) === run) this.#runs.delete(key)
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
      if (run.stopped) throw new Error('it was stopped before it had started')
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
    if (forget) void this.#forgetDisk(world, podId, run?.gone)
  }

  /**
   * The session's world is no more, and its disks with it once all that use them are gone: `others`
   * are the workers.
   */
  killAll({ world, name }: Session, others: Promise<unknown>): void {
    const runs = [...this.#runs.values()].filter(({ session }) => session.name === name)
    for (const run of runs) if (!run.stopped) this.#stop(run, 0)
    const gone = Promise.all([others, ...runs.map((run) => run.gone)])
    void this.#forgetDisks(world, gone)
  }

  /** Resolves once all are gone. */
  async close(others: Promise<unknown>): Promise<void> {
    const runs = [...this.#runs.values()]
    for (const run of runs) this.#stop(run, closeGraceMs)
    const gone = Promise.all([others, ...runs.map((run) => run.gone)])
    await gone
    await Promise.all([...this.#disks.keys()].map((world) => this.#forgetDisks(world, gone)))
  }

  /** What the platform mounts for a worker. Spec: the network volume of its data center. */
  disksOf(world: World, { endpointId, placement, backend }: Worker): Disk[] {
    if (backend !== 'docker') return []
    const { networkVolumeIds } = world.endpoints.require(endpointId).spec
    const id = networkVolumeIds.find((volumeId) => {
      return world.networkVolumes.find(volumeId)?.dataCenterId === placement?.dataCenterId
    })
    return id === undefined ? [] : [{ name: this.#diskOf(world, id), path: '/runpod-volume' }]
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
    return `http://localhost:${run.ports.get(port) ?? port}`
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
    if (this.#network !== 'host') run.ports = await publishedPorts(pod)
    return startContainer({
      ...listener,
      ...commandOf(container),
      ownerId: pod.id,
      machineName,
      image: container.image,
      environment: podEnvironmentOf(world, pod),
      network: this.#network,
      publish: [...run.ports],
      ...mountsOf(this.#disksOfPod(world, pod)),
      memoryGb: pod.placement.memoryGb,
    })
  }

  /** A disk of its own, which stays while it is stopped, and the network volume. */
  #disksOfPod(world: World, { id, spec }: Pod): Disk[] {
    const own = spec.persistent === null ? [] : [{ id, path: spec.persistent.path }]
    const shared =
      spec.network === null ? [] : [{ id: spec.network.volumeId, path: spec.network.path }]
    return [...own, ...shared].map((disk) => ({
      name: this.#diskOf(world, disk.id),
      path: disk.path,
    }))
  }

  #diskOf(world: World, id: string): string {
    const known = this.#disks.get(world)
    const disks = known ?? { number: this.#worlds++, names: new Set<string>() }
    this.#disks.set(world, disks)
    const name = `compute-emulator-${process.pid}-${disks.number}-${id}`
    disks.names.add(name)
    return name
  }

  async #forgetDisk(world: World, podId: string, gone: Promise<void> | undefined): Promise<void> {
    const disks = this.#disks.get(world)
    const name = [...(disks?.names ?? [])].find((known) => known.endsWith(`-${podId}`))
    if (name === undefined) return
    await gone
    disks?.names.delete(name)
    await removeAll([name])
  }

  async #forgetDisks(world: World, gone: Promise<unknown>): Promise<void> {
    const disks = this.#disks.get(world)
    this.#disks.delete(world)
    await gone
    await removeAll([...(disks?.names ?? [])])
  }

  #stop(run: Run, withinMs: number): void {
    run.stopped = true
    run.program?.stop(withinMs)
  }
}

async function removeAll(names: readonly string[]): Promise<void> {
  if (names.length === 0) return
  const { removeVolumes } = await import('../../adapters/docker/volumes.ts')
  await removeVolumes(names)
}

/** Each HTTP port of the container gets one of the machine's. */
async function publishedPorts({ ports }: Pod): Promise<ReadonlyMap<number, number>> {
  const { findFreePort } = await import('../../adapters/programs/free-port.ts')
  const pairs = ports
    .filter(({ type }) => type === 'http')
    .map(async ({ privatePort }) => [privatePort, await findFreePort()] as const)
  return new Map(await Promise.all(pairs))
}

function keyOf({ name }: Pick<Session, 'name'>, podId: string): string {
  return `${name} ${podId}`
}
