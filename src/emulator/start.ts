/** An emulator on a port, for programs that start one: tests and scripts. */
import { type EmbeddedEmulator, embed } from './embed.ts'
import { type StartOptions, serve } from './serve.ts'

/** It answers on its port, and from memory too. */
export interface RunningEmulator extends EmbeddedEmulator {
  /** `http://127.0.0.1:4300`: base of every address. */
  readonly url: string
  readonly port: number
}

/** Resolves once every route answers. Rejects with FixtureError, OptionError or the system's error. */
export async function startEmulator(options: StartOptions = {}): Promise<RunningEmulator> {
  const { emulator, url, port, leave } = await serve(options)
  const embedded = embed(emulator, options)
  const close = async () => {
    await embedded.close()
    await leave()
  }
  return { ...embedded, url, port, close, [Symbol.asyncDispose]: close }
}
