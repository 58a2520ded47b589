/** An emulator in this process, as programs that embed one see it: no port, no sockets. */
import { findCloudHost } from '../adapters/cloud-hosts.ts'
import { createHostGuard } from '../adapters/http/host-guard.ts'
import { createMemoryDispatcher } from '../adapters/intercept/dispatcher.ts'
import { type Interception, intercept, withDispatcher } from '../adapters/intercept/intercept.ts'
import { type MemoryServer, serveInMemory } from '../adapters/memory/memory-server.ts'
import { webPages } from '../adapters/web/routes.ts'
import { defaultBounds } from '../model/bounds.ts'
import { createEmulator, type Emulator } from './emulator.ts'
import { OptionError } from './option-error.ts'
import type { EmulatorOptions } from './options.ts'
import { createRunningClock, type RunningClock } from './running-clock.ts'
import { closeEmulator } from './serve.ts'

export interface EmbedOptions extends EmulatorOptions {
  /** It opens no port, said or not; `startEmulator` does. */
  readonly listen?: false
}

export interface EmbeddedEmulator {
  readonly clock: RunningClock
  /** Puts the default world back to its start state, with another seed if one is given. */
  readonly reset: (seed?: string) => void
  /**
   * Asks the emulator, from memory. The address is a path, or one by any of the cloud's names:
   * `https://api.runpod.ai/v2/demo/run`.
   */
  readonly fetch: typeof fetch
  /**
   * From now on calls of this process to the cloud's names are answered from memory, and calls to names
   * of the cloud that are not emulated fail with a `CloudCallError`.
   */
  readonly intercept: () => Interception
  /** An emulator of its own, with this one's options, whose default world goes on from this one's. */
  readonly fork: () => EmbeddedEmulator
  /** Answers whoever waits, ends what was intercepted, and stops time. */
  readonly close: () => Promise<void>
  readonly [Symbol.asyncDispose]: () => Promise<void>
  readonly emulator: Emulator
}

/** Rejects with FixtureError or OptionError. */
export async function embedEmulator(options: EmbedOptions = {}): Promise<EmbeddedEmulator> {
  if ((options.listen as unknown) === true) {
    throw new OptionError('createEmulator opens no port; startEmulator does')
  }
  return embed(await createEmulator(options), options)
}

export function embed(emulator: Emulator, options: EmulatorOptions): EmbeddedEmulator {
  let server: MemoryServer | undefined
  const connect = (host: string) => {
    server ??= serveInMemory(emulator, {
      guard: createHostGuard([]),
      bounds: { ...defaultBounds, ...options.bounds },
      web: webPages,
    })
    return server.connect(host)
  }
  const interceptions = new Set<Interception>()
  const close = async () => {
    for (const interception of interceptions) interception.close()
    await closeEmulator(emulator)
    server?.close()
  }
  return {
    clock: createRunningClock(emulator, options),
    reset: (seed) => emulator.reset(seed),
    fetch: createFetch(connect),
    intercept: () => {
      const begun = intercept((host) => (findCloudHost(host) ? connect(host) : undefined))
      interceptions.add(begun)
      return begun
    },
    fork: () => embed(emulator.split(), options),
    close,
    [Symbol.asyncDispose]: close,
    emulator,
  }
}

const { fetch: nativeFetch } = globalThis

function createFetch(connect: MemoryServer['connect']): typeof fetch {
  const dispatcher = createMemoryDispatcher(connect)
  return (input, init) => {
    const address = input instanceof Request ? input : new URL(String(input), 'http://localhost')
    return nativeFetch(address, withDispatcher(init, dispatcher))
  }
}
