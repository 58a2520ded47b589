/** An emulator that answers on sockets, for programs that start one: tests, scripts, the command. */
import { createHostGuard } from '../adapters/host-guard.ts'
import { type HttpServer, listen } from '../adapters/http-server.ts'
import { webPages } from '../adapters/web/routes.ts'
import type { ClockReport } from '../surfaces/control/controls.ts'
import { parseDuration } from '../surfaces/control/duration.ts'
import { createControls } from './controls.ts'
import { createEmulator, type Emulator } from './emulator.ts'
import { OptionError } from './option-error.ts'
import type { EmulatorOptions } from './options.ts'

export interface StartOptions extends EmulatorOptions {
  /** Default 0: any free port. */
  readonly port?: number
  /** Default `localhost`: both loopback families. */
  readonly host?: string
  /** Names that callers may know this machine by, besides those of loopback; `*` for any. */
  readonly allowHosts?: readonly string[]
}

export interface RunningEmulator {
  /** `http://127.0.0.1:4300`: base of every address. */
  readonly url: string
  readonly port: number
  readonly clock: RunningClock
  /** Puts the default world back to its start state, with another seed if one is given. */
  readonly reset: (seed?: string) => void
  /** Answers whoever waits, hangs up and stops time. */
  readonly close: () => Promise<void>
  readonly emulator: Emulator
}

/** The clock of the default world. */
export interface RunningClock {
  /** Lets a span pass: `90s`, `1h30m`, or ms. Resolves to the number of events on the way. */
  readonly advance: (by: string | number) => Promise<number>
  /** Lets time pass until an instant: RFC 3339, or ms since 1970. */
  readonly set: (to: string | number) => Promise<number>
  /** In ms since 1970. */
  readonly now: () => number
  readonly pause: () => void
  readonly resume: () => void
  readonly status: () => ClockReport
}

/** Resolves once every route answers. Rejects with FixtureError, OptionError or the system's error. */
export async function startEmulator(options: StartOptions = {}): Promise<RunningEmulator> {
  return serveEmulator(await createEmulator(options), options)
}

/** Opens an emulator that was made from these options to the outside; closes it when that fails. */
export async function serveEmulator(
  emulator: Emulator,
  options: StartOptions,
): Promise<RunningEmulator> {
  const server = await listen(emulator, toListenOptions(options)).catch((error: unknown) => {
    emulator.close()
    throw error
  })
  const url = reachableUrl(server)
  emulator.programs.announce(url)
  return {
    url,
    port: server.port,
    clock: createRunningClock(emulator, options),
    reset: (seed) => emulator.reset(seed),
    close: () => close(emulator, server),
    emulator,
  }
}

function toListenOptions({ port = 0, host = 'localhost', allowHosts = [] }: StartOptions) {
  // Whoever asked for an address to be bound wants to be called by it.
  const own = host.includes(':') ? `[${host}]` : host
  const guard = createHostGuard([...allowHosts, own])
  return { port, host, guard, web: webPages }
}

/** All interfaces are no address to call; loopback is one of them. */
function reachableUrl({ url }: HttpServer): string {
  return url.replace('//0.0.0.0:', '//127.0.0.1:').replace('//[::]:', '//[::1]:')
}

function createRunningClock(emulator: Emulator, options: StartOptions): RunningClock {
  const { seed = '0', profile } = options
  const controls = createControls(emulator, { seed: () => seed, profile })
  const { main, clock } = emulator
  const pass = (byMs: number) => clock.advance(main, byMs)
  return {
    advance: async (by) => pass(readSpan(by)),
    set: async (to) => pass(readInstant(to) - main.world.nowMs),
    now: () => main.world.nowMs,
    pause: () => clock.change({ paused: true }),
    resume: () => clock.change({ paused: false }),
    status: () => controls.clock(main.world),
  }
}

/** Programs are told first, and who waits is answered, before the connections are cut. */
async function close(emulator: Emulator, server: HttpServer): Promise<void> {
  const gone = emulator.programs.close()
  emulator.close()
  await gone
  await new Promise((resolve) => setImmediate(resolve))
  await server.close()
}

function readSpan(by: string | number): number {
  const ms = typeof by === 'number' ? by : parseDuration(by)
  if (ms !== undefined && Number.isFinite(ms)) return ms
  throw new OptionError(`'${by}' is not a span of time; write '90s', '1h30m' or milliseconds`)
}

function readInstant(to: string | number): number {
  const ms = typeof to === 'number' ? to : Date.parse(to)
  if (Number.isFinite(ms)) return ms
  throw new OptionError(`'${to}' is not an instant; write '2026-01-01T12:00:00Z'`)
}
