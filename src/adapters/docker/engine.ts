/** A Docker engine, asked over its socket. What is needed of its API is little enough to ask for plainly. */
import { type IncomingMessage, type RequestOptions, request } from 'node:http'

/** The engine said no, or is not there. The message is for people. */
export class EngineError extends Error {
  /** Of HTTP; 0 where nobody answered. */
  readonly status: number

  constructor(status: number, message: string) {
    super(message)
    this.status = status
  }
}

export interface Engine {
  /** Sends and receives JSON; undefined for an answer without a body. Rejects with `EngineError`. */
  readonly ask: <Answer>(method: string, path: string, body?: object) => Promise<Answer>
  /** An answer that lasts; the same once its head is there. */
  readonly open: (path: string, method?: string) => Promise<IncomingMessage>
}

/** Real time for an answer; what lasts by its nature has none. */
const answerLimitMs = 30_000
const greetingLimitMs = 5_000

/** Rejects with `EngineError` when no engine answers at `DOCKER_HOST`, or at the usual socket. */
export async function connectEngine(): Promise<Engine> {
  const { DOCKER_HOST: address = '' } = process.env
  const place = placeOf(address === '' ? usualAddress : address)
  const greeting = await send(place, { path: '/_ping', method: 'GET' }, undefined, greetingLimitMs)
  greeting.resume()
  // An engine speaks its own version of the API, and some before it.
  const version = greeting.headers['api-version']
  const at = (path: string) => (typeof version === 'string' ? `/v${version}${path}` : path)
  return {
    ask: async (method, path, body) => {
      const answer = await send(place, { path: at(path), method }, body, answerLimitMs)
      const text = await textOf(answer)
      requireOk(answer, text)
      return text === '' ? undefined : JSON.parse(text)
    },
    open: async (path, method = 'GET') => {
      const answer = await send(place, { path: at(path), method }, undefined, 0)
      if ((answer.statusCode ?? 0) >= 400) requireOk(answer, await textOf(answer))
      return answer
    },
  }
}

const usualAddress =
  process.platform === 'win32' ? 'npipe:////./pipe/docker_engine' : 'unix:///var/run/docker.sock'

interface Place {
  readonly name: string
  readonly options: RequestOptions
}

function placeOf(address: string): Place {
  const [, kind, rest = ''] = /^(unix|npipe|tcp|http):\/\/(.+)$/.exec(address) ?? []
  if (kind === undefined) {
    throw new EngineError(0, `DOCKER_HOST '${address}' is not an address of unix:// or tcp://`)
  }
  if (kind === 'unix' || kind === 'npipe') return { name: rest, options: { socketPath: rest } }
  const { hostname, port } = new URL(`http://${rest}`)
  return { name: rest, options: { host: hostname, port: port === '' ? 2375 : port } }
}

function send(
  { name, options }: Place,
  asked: { readonly path: string; readonly method: string },
  body: object | undefined,
  limitMs: number,
): Promise<IncomingMessage> {
  const text = body === undefined ? undefined : JSON.stringify(body)
  const headers = { host: 'docker', ...(text === undefined ? {} : json(text)) }
  return new Promise((resolve, reject) => {
    const sent = request({ ...options, ...asked, headers, timeout: limitMs })
    sent.once('response', resolve)
    sent.once('timeout', () => sent.destroy(new Error(`no answer in ${limitMs / 1_000} s`)))
    sent.once('error', (error) => {
      const message = `no Docker engine answers at ${name} (${error.message}); start one, or set DOCKER_HOST`
      reject(new EngineError(0, message))
    })
    sent.end(text)
  })
}

function json(text: string): Record<string, string | number> {
  return { 'content-type': 'application/json', 'content-length': Buffer.byteLength(text) }
}

async function textOf(answer: IncomingMessage): Promise<string> {
  const parts: Buffer[] = []
  for await (const part of answer) parts.push(part)
  return Buffer.concat(parts).toString()
}

function requireOk({ statusCode = 0 }: IncomingMessage, text: string): void {
  if (statusCode < 400) return
  let message = text.trim()
  try {
    message = JSON.parse(text).message ?? message
  } catch {
    // Not in its usual form: as it is, then.
  }
  throw new EngineError(statusCode, message)
}
