/** Starts the program behind a worker in whatever it runs in. */
import { findFreePort } from '../adapters/free-port.ts'
import type { ProgramListener, RunningProgram } from '../adapters/program.ts'
import { environmentOf } from '../domain/environment.ts'
import { healthPathOf } from '../domain/serverless/routes.ts'
import type { Endpoint } from '../model/endpoint.ts'
import type { Backend } from '../model/program.ts'
import type { World } from '../world/world.ts'

/** Where a load-balancing worker's web server is. */
export interface WebServer {
  /** `http://localhost:8000` */
  readonly base: string
  readonly healthUrl: string
  /** What its program is told; none for a server that is there already. */
  readonly variables: Readonly<Record<string, string>>
}

/** Undefined for the worker of a queue, which has none. Each worker gets a port of its own. */
export async function findWebServer(
  world: World,
  { spec, backend }: Endpoint,
): Promise<WebServer | undefined> {
  if (spec.type !== 'LOAD_BALANCER') return undefined
  const path = healthPathOf(world, { spec })
  if (backend.type === 'http') {
    const base = backend.url.replace(/\/$/, '')
    return { base, healthUrl: base + path, variables: {} }
  }
  const { PORT, PORT_HEALTH = PORT } = environmentOf(world, spec.container)
  const port = await findFreePort()
  const healthPort = PORT_HEALTH === PORT ? port : await findFreePort()
  return {
    base: `http://localhost:${port}`,
    healthUrl: `http://localhost:${healthPort}${path}`,
    variables: { PORT: String(port), PORT_HEALTH: String(healthPort) },
  }
}

export async function launch(
  backend: Backend,
  environment: Readonly<Record<string, string>>,
  listener: ProgramListener,
): Promise<RunningProgram> {
  switch (backend.type) {
    case 'process': {
      const { startProcess } = await import('../adapters/process.ts')
      const { command, directory } = backend
      return startProcess({
        ...listener,
        command,
        directory,
        environment: { ...inherited(), ...environment },
      })
    }
    case 'http':
      return thereAlready(listener)
    default:
      throw new Error(`nothing is started for a worker that is ${backend.type}`)
  }
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
