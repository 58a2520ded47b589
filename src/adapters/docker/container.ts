/** One container of the user's image: made, started, followed to its end, and removed. */
import type { Container, ContainerCreateOptions, HostConfig } from 'dockerode'
import { createLines } from '../programs/lines.ts'
import type { Exit, ProgramListener, RunningProgram } from '../programs/program.ts'
import { answerLimitMs, connectEngine, type Engine, EngineError } from './engine.ts'
import { gatewayIn } from './gateway.ts'
import { labelsFor } from './instance.ts'
import { removeContainer, removeLeftovers } from './leftovers.ts'
import { readFrames } from './log-frames.ts'
import { makeVolume } from './volumes.ts'
import { watchOver } from './watcher.ts'

export interface ContainerOptions extends ProgramListener {
  /** The worker or pod that it is. */
  readonly ownerId: string
  readonly image: string
  /** Empty for the image's own. */
  readonly entrypoint: readonly string[]
  readonly command: readonly string[]
  /** All of it that the image does not bring. */
  readonly environment: Readonly<Record<string, string>>
  /** `host`, `bridge`, or one that somebody made. */
  readonly network: string
  /** Ports of the container, and where the machine has them, on loopback. Not with `host`. */
  readonly publish: readonly (readonly [container: number, machine: number])[]
  /** `volume:/path`, or a folder of the machine in place of a volume. */
  readonly mounts: readonly string[]
  /** Volumes of those that are made for it, unless they are there. */
  readonly volumes: readonly string[]
  /** The name that it has for this machine, where it does not share its network. */
  readonly machineName: string
  /** Null for no limit. */
  readonly memoryGb: number | null
}

let made = 0
let tidied: Promise<unknown> | undefined

/** Rejects with `EngineError`: no engine, no such image, or a container that cannot be made. */
export async function startContainer(options: ContainerOptions): Promise<RunningProgram> {
  const engine = await connectEngine()
  tidied ??= begin(engine)
  await tidied
  await requireImage(engine, options.image)
  await Promise.all(options.volumes.map((name) => makeVolume(engine, name, options.ownerId)))
  const container = await create(engine, options)
  try {
    await container.start()
  } catch (error) {
    await removeContainer(container)
    throw error
  }
  const sight = new AbortController()
  void follow(container, options, sight.signal)
  return {
    stop: (graceMs) => {
      end(container, graceMs).catch(({ status }: EngineError) => {
        // One that has ended in the meantime needs no more; of an engine that is gone nothing will come.
        if (status === 0) sight.abort()
      })
    },
    freeze: () => void container.kill({ signal: 'SIGSTOP' }).catch(() => {}),
  }
}

async function end(container: Container, graceMs: number): Promise<void> {
  if (graceMs === 0) return container.kill({ signal: 'SIGKILL' })
  const abortSignal = AbortSignal.timeout(graceMs + answerLimitMs)
  await container.stop({ t: Math.ceil(graceMs / 1_000), abortSignal })
}

/** Before the first container: what is left of earlier ones goes, and somebody watches over these. */
async function begin(engine: Engine): Promise<void> {
  watchOver(labelsFor(''))
  await removeLeftovers(engine).catch(() => {
    // Whoever wants to know asks for a list of them.
  })
}

/** Nothing is fetched: the emulator has no connections of its own. */
async function requireImage(engine: Engine, image: string): Promise<void> {
  try {
    await engine.getImage(encodeURIComponent(image)).inspect()
  } catch (error) {
    if (!(error instanceof EngineError) || error.status !== 404) throw error
    const message = `image '${image}' is not on this machine; get it with: docker pull ${image}`
    throw new EngineError(404, message)
  }
}

async function create(engine: Engine, options: ContainerOptions): Promise<Container> {
  const { ownerId, image, entrypoint, command, environment, publish } = options
  made += 1
  const name = `compute-emulator-${ownerId}-${process.pid}-${made}`
  const spec: ContainerCreateOptions = {
    Image: image,
    ...(entrypoint.length === 0 ? {} : { Entrypoint: [...entrypoint] }),
    ...(command.length === 0 ? {} : { Cmd: [...command] }),
    Env: Object.entries(environment).map(([variable, value]) => `${variable}=${value}`),
    Labels: labelsFor(ownerId),
    ExposedPorts: Object.fromEntries(publish.map(([port]) => [`${port}/tcp`, {}])),
    HostConfig: { ...hostConfig(options), ...(await networkOf(engine, options)) },
  }
  // Not told apart, all of it would be in the address, too.
  return engine.createContainer({ _query: { name }, _body: spec } as ContainerCreateOptions)
}

function hostConfig({ mounts, memoryGb }: ContainerOptions): HostConfig {
  return {
    Binds: [...mounts],
    ...(memoryGb === null ? {} : { Memory: Math.round(memoryGb * 2 ** 30) }),
  }
}

/** Where it shares the machine's, there is nothing to publish and nothing to name. */
async function networkOf(
  engine: Engine,
  { network, publish, machineName }: ContainerOptions,
): Promise<HostConfig> {
  if (network === 'host') return { NetworkMode: network }
  const own = publish.map(([port, machine]) => [
    `${port}/tcp`,
    [{ HostIp: '127.0.0.1', HostPort: String(machine) }],
  ])
  return {
    NetworkMode: network,
    PortBindings: Object.fromEntries(own),
    ExtraHosts: [`${machineName}:${await gatewayIn(engine, network)}`],
  }
}

/** Its lines, then its end, and then nothing is left of it. */
async function follow(
  container: Container,
  options: ContainerOptions,
  sight: AbortSignal,
): Promise<void> {
  const exit = await untilOver(container, options.onLines, sight).catch((error: Error): Exit => {
    return { code: null, signal: null, failure: `lost sight of its container: ${error.message}` }
  })
  // Where the engine is gone it cannot be asked to.
  if (!sight.aborted) await removeContainer(container).catch(() => {})
  options.onExit(exit)
}

async function untilOver(
  container: Container,
  onLines: ContainerOptions['onLines'],
  abortSignal: AbortSignal,
): Promise<Exit> {
  const logs = await container.logs({ follow: true, stdout: true, stderr: true, abortSignal })
  const frames = readFrames(() => createLines(onLines))
  for await (const part of logs) frames.add(part as Buffer)
  frames.end()
  const { State: state } = await container.inspect()
  if (state.Running) throw new Error('its log ended before it did')
  if (state.OOMKilled) {
    return { code: state.ExitCode, signal: null, failure: 'out of memory, exit code 137' }
  }
  return { code: state.ExitCode, signal: null }
}
