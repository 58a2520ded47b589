/** Starts the program behind a worker in whatever it runs in. */
import { splitWords } from '../../adapters/docker/words.ts'
import { findFreePort } from '../../adapters/programs/free-port.ts'
import type { ProgramListener, RunningProgram } from '../../adapters/programs/program.ts'
import { environmentOf } from '../../domain/environment.ts'
import { healthPathOf } from '../../domain/serverless/routes.ts'
import type { ContainerSpec } from '../../model/container.ts'
import type { Endpoint } from '../../model/endpoint.ts'
import type { Backend } from '../../model/program.ts'
import type { Worker } from '../../model/worker.ts'
import type { World } from '../../world/world.ts'
import { machineName } from './networks.ts'

/** Where a load-balancing worker's web server is. */
export interface WebServer {
  /** `http://localhost:8000` */
  readonly base: string
  readonly healthUrl: string
  /** What its program is told; none for a server that is there already. */
  readonly variables: Readonly<Record<string, string>>
  /** Ports of its container, and where the machine has them. */
  readonly publish: readonly (readonly [container: number, machine: number])[]
}

/** Undefined for the worker of a queue, which has none. Each worker gets a port of its own. */
export async function findWebServer(
  world: World,
  { spec, backend }: Endpoint,
  network: string,
): Promise<WebServer | undefined> {
  if (spec.type !== 'LOAD_BALANCER') return undefined
  const path = healthPathOf(world, { spec })
  if (backend.type === 'http') {
    const base = backend.url.replace(/\/$/, '')
    return { base, healthUrl: base + path, variables: {}, publish: [] }
  }
  // Spec: 80, unless the environment names another port. Assumed: one port for both unless it says.
  const { PORT = '80', PORT_HEALTH = PORT } = environmentOf(world, spec.container)
  const port = await findFreePort()
  const healthPort = PORT_HEALTH === PORT ? port : await findFreePort()
  const place = {
    base: `http://localhost:${port}`,
    healthUrl: `http://localhost:${healthPort}${path}`,
  }
  if (backend.type === 'docker' && network !== 'host') {
    const own = [Number(PORT), port] as const
    const publish = healthPort === port ? [own] : [own, [Number(PORT_HEALTH), healthPort] as const]
    return { ...place, variables: { PORT, PORT_HEALTH }, publish }
  }
  const variables = { PORT: String(port), PORT_HEALTH: String(healthPort) }
  return { ...place, variables, publish: [] }
}

export interface Launch extends ProgramListener {
  readonly backend: Backend
  readonly worker: Worker
  readonly container: ContainerSpec
  readonly environment: Readonly<Record<string, string>>
  readonly network: string
  readonly server: WebServer | undefined
  /** Volumes of the engine, and where the container has them. */
  readonly disks: readonly Disk[]
}

export interface Disk {
  readonly name: string
  readonly path: string
}

/** As the engine is told of them. */
export function mountsOf(disks: readonly Disk[]) {
  return {
    mounts: disks.map(({ name, path }) => `${name}:${path}`),
    volumes: disks.map(({ name }) => name),
  }
}

/** Rejects with what is wrong, for people, when it cannot be started. */
export async function launch({ backend, environment, ...rest }: Launch): Promise<RunningProgram> {
  switch (backend.type) {
    case 'process': {
      const { startProcess } = await import('../../adapters/programs/process.ts')
      const all = { ...inherited(), ...environment }
      const { command, directory } = backend
      return startProcess({ ...rest, command, directory, environment: all })
    }
    case 'docker': {
      const { startContainer } = await import('../../adapters/docker/container.ts')
      const { container, worker, server, disks } = rest
      const { mounts, volumes } = mountsOf(disks)
      return startContainer({
        ...rest,
        ...commandOf(container),
        environment,
        ownerId: worker.id,
        image: worker.image,
        publish: server?.publish ?? [],
        machineName,
        mounts: [...(backend.mounts ?? []), ...mounts],
        volumes,
        memoryGb: worker.placement?.memoryGb ?? null,
      })
    }
    case 'http':
      return thereAlready(rest)
    default:
      throw new Error(`nothing is started for a worker that is ${backend.type}`)
  }
}

/** Words win over a line. */
export function commandOf({ entrypoint, cmd, args }: ContainerSpec) {
  return { entrypoint, command: cmd.length > 0 ? cmd : splitWords(args) }
}

/** Nothing of ours: what is behind the address goes on when the worker is gone. */
function thereAlready({ onExit }: ProgramListener): RunningProgram {
  const leave = () => void setImmediate(() => onExit({ code: 0, signal: null }))
  return { stop: leave, freeze: () => {} }
}

/** What the emulator itself was told is not meant for them. */
function inherited(): Record<string, string> {
  const own = /^(RUNPOD_|COMPUTE_EMULATOR_|PORT$|PORT_HEALTH$)/
  const entries = Object.entries(process.env).filter(([name]) => !own.test(name))
  return Object.fromEntries(entries) as Record<string, string>
}
