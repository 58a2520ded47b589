/** One container of the user's image: made, started, followed to its end, and removed. */
import { createLines } from '../programs/lines.ts'
import type { Exit, ProgramListener, RunningProgram } from '../programs/program.ts'
import { connectEngine, type Engine, EngineError } from './engine.ts'
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
  const id = await create(engine, options)
  try {
    await engine.ask('POST', `/containers/${id}/start`)
  } catch (error) {
    await removeContainer(engine, id)
    throw error
  }
  void follow(engine, id, options)
  const command = (path: string) => {
    // One that has ended in the meantime needs no more.
    engine.ask('POST', `/containers/${id}/${path}`).catch(() => {})
  }
  return {
    stop: (graceMs) => {
      command(graceMs > 0 ? `stop?t=${Math.ceil(graceMs / 1_000)}` : 'kill?signal=SIGKILL')
    },
    freeze: () => command('kill?signal=SIGSTOP'),
  }
}

/** Before the first container: what is left of earlier ones goes, and somebody watches over these. */
async function begin(engine: Engine): Promise<void> {
  watchOver(labelsFor(''))
  await removeLeftovers(engine).catch(() => {
    // Whoever wants to know asks for a list of them.
  })
}

/** Nothing is fetched: the emulator has no connections of its own. */
async function requireImage({ ask }: Engine, image: string): Promise<void> {
  try {
    await ask('GET', `/images/${encodeURIComponent(image)}/json`)
  } catch (error) {
    if (!(error instanceof EngineError) || error.status !== 404) throw error
    const message = `image '${image}' is not on this machine; get it with: docker pull ${image}`
    throw new EngineError(404, message)
  }
}

async function create(engine: Engine, options: ContainerOptions): Promise<string> {
  const { ownerId, image, entrypoint, command, environment, publish } = options
  made += 1
  const name = `compute-emulator-${ownerId}-${process.pid}-${made}`
  const { Id: id } = await engine.ask<{ Id: string }>('POST', `/containers/create?name=${name}`, {
    Image: image,
    ...(entrypoint.length === 0 ? {} : { Entrypoint: entrypoint }),
    ...(command.length === 0 ? {} : { Cmd: command }),
    Env: Object.entries(environment).map(([variable, value]) => `${variable}=${value}`),
    Labels: labelsFor(ownerId),
    ExposedPorts: Object.fromEntries(publish.map(([port]) => [`${port}/tcp`, {}])),
    HostConfig: { ...hostConfig(options), ...(await networkOf(engine, options)) },
  })
  return id
}

function hostConfig({ mounts, memoryGb }: ContainerOptions): object {
  return {
    Binds: mounts,
    ...(memoryGb === null ? {} : { Memory: Math.round(memoryGb * 2 ** 30) }),
  }
}

/** Where it shares the machine's, there is nothing to publish and nothing to name. */
async function networkOf(
  engine: Engine,
  { network, publish, machineName }: ContainerOptions,
): Promise<object> {
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
async function follow(engine: Engine, id: string, options: ContainerOptions): Promise<void> {
  const exit = await untilOver(engine, id, options.onLines).catch((error: Error): Exit => {
    return { code: null, signal: null, failure: `lost sight of its container: ${error.message}` }
  })
  // Where the engine is gone it cannot be asked to.
  await removeContainer(engine, id).catch(() => {})
  options.onExit(exit)
}

async function untilOver(
  engine: Engine,
  id: string,
  onLines: ContainerOptions['onLines'],
): Promise<Exit> {
  const logs = await engine.open(`/containers/${id}/logs?follow=1&stdout=1&stderr=1`)
  const frames = readFrames(() => createLines(onLines))
  for await (const part of logs) frames.add(part)
  frames.end()
  const { State: state } = await engine.ask<{ State: ContainerState }>(
    'GET',
    `/containers/${id}/json`,
  )
  if (state.Running) throw new Error('its log ended before it did')
  if (state.OOMKilled) {
    return { code: state.ExitCode, signal: null, failure: 'out of memory, exit code 137' }
  }
  return { code: state.ExitCode, signal: null }
}

interface ContainerState {
  readonly Running: boolean
  readonly ExitCode: number
  readonly OOMKilled: boolean
}
