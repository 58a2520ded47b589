/** An emulator that answers on sockets, and nothing besides: what the command starts. */
import { createCors } from '../adapters/http/cors.ts'
import { createHostGuard } from '../adapters/http/host-guard.ts'
import { type HttpServer, listen } from '../adapters/http/http-server.ts'
import { webPages } from '../adapters/web/routes.ts'
import { defaultBounds } from '../model/bounds.ts'
import { createEmulator, type Emulator } from './emulator.ts'
import type { EmulatorOptions } from './options.ts'
import { machineName, usualNetwork } from './programs/networks.ts'
import { createRunningClock, type RunningClock } from './running-clock.ts'

export interface StartOptions extends EmulatorOptions {
  /** Default 0: any free port. */
  readonly port?: number
  /** Default `localhost`: both loopback families. */
  readonly host?: string
  /** Names that callers may know this machine by, besides those of loopback; `*` for any. */
  readonly allowHosts?: readonly string[]
  /** Origins whose pages may call and read what is answered: `http://localhost:3000`. Default none. */
  readonly allowOrigins?: readonly string[]
  /** Answers TLS on the same port, for the cloud's names and loopback. Default false. */
  readonly tls?: boolean
  /** Directory of the local authority. Default: as `compute-emulator ca` has it. */
  readonly caDirectory?: string
}

/** One that answers on its port. */
export interface ServedEmulator {
  readonly emulator: Emulator
  readonly clock: RunningClock
  /** `http://127.0.0.1:4300`: base of every address. */
  readonly url: string
  readonly port: number
  /** Leaves the port, and cuts the connections. */
  readonly leave: () => Promise<void>
  /** Answers whoever waits, leaves the port, and stops time. */
  readonly close: () => Promise<void>
}

/** Resolves once every route answers. Rejects with FixtureError, OptionError or the system's error. */
export async function serve(options: StartOptions = {}): Promise<ServedEmulator> {
  return serveEmulator(await createEmulator(options), options)
}

/** Opens an emulator that was made from these options to the outside; closes it when that fails. */
export async function serveEmulator(
  emulator: Emulator,
  options: StartOptions,
): Promise<ServedEmulator> {
  const server = await open(emulator, options).catch((error: unknown) => {
    emulator.close()
    throw error
  })
  const url = reachableUrl(server)
  emulator.programs.announce(url)
  // Programs are told first, and who waits is answered, before the connections are cut.
  const close = async () => {
    await closeEmulator(emulator)
    await server.close()
  }
  const clock = createRunningClock(emulator, options)
  return { emulator, clock, url, port: server.port, leave: server.close, close }
}

async function open(emulator: Emulator, options: StartOptions): Promise<HttpServer> {
  const { port = 0, host = 'localhost', tls = false, caDirectory } = options
  const { allowHosts = [], allowOrigins = [] } = options
  // Few clients need it, so it is loaded with the first that does.
  const encryption = async () => {
    const { defaultAuthorityDirectory, loadIdentity } = await import('../adapters/tls/authority.ts')
    const { createEncryption } = await import('../adapters/tls/encrypt.ts')
    const directory = caDirectory ?? defaultAuthorityDirectory(process.env)
    return createEncryption(loadIdentity(directory))
  }
  // Whoever asks for TLS is told at once that it cannot be had.
  if (tls) await encryption()
  // Whoever asked for an address to be bound wants to be called by it.
  const own = host.includes(':') ? `[${host}]` : host
  const inNetworks = networksOf(emulator, options).some((network) => network !== 'host')
  const machine = inNetworks ? [machineName] : []
  const guard = createHostGuard([...allowHosts, own, ...machine], allowOrigins)
  const cors = createCors(allowOrigins)
  const bounds = { ...defaultBounds, ...options.bounds }
  return listen(emulator, { port, host, guard, cors, bounds, encryption, tls, web: webPages })
}

/** Those that containers may be in: the one for all, and those that endpoints of the start state name. */
function networksOf(emulator: Emulator, { dockerNetwork = usualNetwork }: StartOptions): string[] {
  const { world } = emulator.accounts.main
  const named = [...world.endpoints.values()].flatMap(({ backend }) => {
    return backend.type === 'docker' && backend.network !== undefined ? [backend.network] : []
  })
  return [dockerNetwork, ...named]
}

/** All interfaces are no address to call; loopback is one of them. */
function reachableUrl({ url }: HttpServer): string {
  return url.replace('//0.0.0.0:', '//127.0.0.1:').replace('//[::]:', '//[::1]:')
}

/** Ends its programs, answers whoever waits, and stops time. */
export async function closeEmulator(emulator: Emulator): Promise<void> {
  const gone = emulator.programs.close()
  emulator.close()
  await gone
  // Whoever waited gets its answer before its line is cut.
  await new Promise((resolve) => setImmediate(resolve))
}
