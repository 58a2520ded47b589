/** A whole cloud for one test: in process, without sockets, its clock in the test's hand. */
import { createEmulator, type Emulator } from '../../src/emulator/emulator.ts'
import type { EmulatorOptions } from '../../src/emulator/options.ts'
import { loadSurfaces } from '../../src/surfaces/all.ts'
import { parseDuration } from '../../src/surfaces/control/duration.ts'
import type { Sink } from '../../src/surfaces/http/reply.ts'
import type { World } from '../../src/world/world.ts'

// biome-ignore lint/suspicious/noExplicitAny: tests read bodies of every shape.
type Body = any

export interface Answer {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: Body
  /** The body as it was sent. */
  readonly text: string
}

export type Headers = Readonly<Record<string, string | undefined>>

export interface Cloud {
  readonly get: (path: string, headers?: Headers) => Promise<Answer>
  readonly post: (path: string, body?: unknown, headers?: Headers) => Promise<Answer>
  readonly put: (path: string, body?: unknown, headers?: Headers) => Promise<Answer>
  readonly patch: (path: string, body?: unknown, headers?: Headers) => Promise<Answer>
  readonly delete: (path: string, headers?: Headers) => Promise<Answer>
  /** Any method; a text is sent as it is. */
  readonly send: (
    method: string,
    path: string,
    body?: unknown,
    headers?: Headers,
  ) => Promise<Answer>
  /** Milliseconds, or a span such as `1h`. */
  readonly advance: (by: number | string) => Promise<void>
  readonly world: () => World
  readonly emulator: Emulator
  /** Bugs that the emulator reported; every test may expect none. */
  readonly bugs: unknown[]
}

export const testKey = { authorization: 'Bearer test-key' }
const json = { 'content-type': 'application/json' }
const origin = 'http://127.0.0.1:4300'

export async function startCloud(options: EmulatorOptions = {}): Promise<Cloud> {
  const bugs: unknown[] = []
  // A test may ask and then move time: what it asks first is to be there first.
  await loadSurfaces()
  const emulator = await createEmulator({
    clock: 'manual',
    onBug: (bug) => bugs.push(bug),
    ...options,
  })
  const send: Cloud['send'] = async (method, target, body, headers = {}) => {
    const [path = '', search = ''] = target.split('?')
    const text = body === undefined || typeof body === 'string' ? body : JSON.stringify(body)
    const reply = await emulator.handle(emulator.route(method, path), {
      method,
      path,
      search,
      headers: { ...testKey, ...(text === undefined ? {} : json), ...headers },
      origin,
      text,
      onHangUp: () => {},
    })
    const sent = reply.text ?? (reply.body === undefined ? '' : JSON.stringify(reply.body))
    const streamed = reply.stream === undefined ? sent : readStream(reply.stream)
    return {
      status: reply.status,
      headers: reply.headers ?? {},
      body: parse(streamed),
      text: streamed,
    }
  }
  return {
    get: (path, headers) => send('GET', path, undefined, headers),
    post: (path, body, headers) => send('POST', path, body, headers),
    put: (path, body, headers) => send('PUT', path, body, headers),
    patch: (path, body, headers) => send('PATCH', path, body, headers),
    delete: (path, headers) => send('DELETE', path, undefined, headers),
    send,
    advance: async (by) => {
      await emulator.clock.advance(emulator.main, typeof by === 'number' ? by : spanOf(by))
    },
    world: () => emulator.main.world,
    emulator,
    bugs,
  }
}

/** What a stream has to say at once; it is hung up on before anything new comes. */
function readStream(stream: (sink: Sink) => () => void): string {
  const parts: string[] = []
  const stop = stream({
    write: (part) => void parts.push(Buffer.from(part).toString()),
    end: () => {},
  })
  stop()
  return parts.join('')
}

function parse(text: string): Body {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

function spanOf(text: string): number {
  const ms = parseDuration(text)
  if (ms === undefined) throw new Error(`'${text}' is not a span of time`)
  return ms
}
