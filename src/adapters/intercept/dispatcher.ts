/** A dispatcher for undici, which Node's fetch is made of: it sends requests over lines in memory. */
import { type ClientRequest, type OutgoingHttpHeaders, request as send } from 'node:http'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { LineEnd } from '../memory/line.ts'
import { type Handler, listenerOf } from './handlers.ts'

/** What undici is asked for; which of its versions asks makes no difference here. */
export interface Dispatch {
  readonly origin?: string | URL
  readonly path: string
  readonly method: string
  readonly headers?: unknown
  readonly query?: Readonly<Record<string, unknown>>
  readonly body?: unknown
  readonly upgrade?: string | boolean
  /** In ms, 0 for none. */
  readonly headersTimeout?: number | null
  readonly bodyTimeout?: number | null
}

export interface Dispatcher {
  readonly dispatch: (options: Dispatch, handler: Handler) => boolean
}

/**
 * A line to whoever answers for a host. `call`: for refusals, without a query, as a key may be in that.
 * What it throws, the caller is told.
 */
export type Connect = (host: string, call: string) => LineEnd

export function createMemoryDispatcher(connect: Connect): Dispatcher {
  return {
    dispatch: (options, handler) => {
      // As undici does: nobody is called back before he has what he called.
      queueMicrotask(() => begin(connect, options, handler))
      return true
    },
  }
}

function urlOf({ origin = 'http://localhost', path, query }: Dispatch): URL {
  const url = new URL(path, origin)
  for (const [name, value] of Object.entries(query ?? {})) {
    for (const one of [value].flat()) url.searchParams.append(name, String(one ?? ''))
  }
  return url
}

function begin(connect: Connect, options: Dispatch, handler: Handler): void {
  const listener = listenerOf(handler)
  let isOver = false
  const fail = (error: Error) => {
    if (isOver) return
    isOver = true
    listener.failed(error)
  }
  try {
    const url = urlOf(options)
    const { method, upgrade } = options
    const { headers, body } = readBody(options.body, readHeaders(options.headers))
    if (upgrade) Object.assign(headers, { connection: 'upgrade', upgrade: String(upgrade) })
    const line = connect(url.hostname, `${method} ${url.origin}${url.pathname}`)
    const request = send({
      createConnection: () => line,
      host: url.hostname,
      path: `${url.pathname}${url.search}`,
      method,
      headers: { host: url.host, ...headers },
    })
    const finish = () => {
      if (!isOver) listener.ended()
      isOver = true
    }
    request.on('error', fail)
    follow(request, options, { listener, fail, finish })
    listener.started({
      abort: (reason) => void request.destroy(reason ?? new Error('aborted')),
      pause: () => void response(request)?.pause(),
      resume: () => void response(request)?.resume(),
    })
    if (!request.destroyed) write(request, body, fail)
  } catch (error) {
    fail(error as Error)
  }
}

interface Following {
  readonly listener: ReturnType<typeof listenerOf>
  readonly fail: (error: Error) => void
  readonly finish: () => void
}

function follow(
  request: ClientRequest,
  { headersTimeout, bodyTimeout }: Dispatch,
  { listener, fail, finish }: Following,
): void {
  limit(request, headersTimeout, 'UND_ERR_HEADERS_TIMEOUT', 'Headers Timeout Error')
  request.on('response', (answer) => {
    limit(request, bodyTimeout ?? 0, 'UND_ERR_BODY_TIMEOUT', 'Body Timeout Error')
    answers.set(request, answer)
    answer.on('error', fail)
    // Listening sets it flowing; a handler that wants to wait pauses it again.
    answer.on('data', listener.part)
    answer.on('end', finish)
    listener.answered(answer)
  })
  request.on('upgrade', (answer, socket, head) => {
    request.setTimeout(0)
    if (head.length > 0) socket.unshift(head)
    listener.upgraded(answer, socket)
  })
}

const answers = new WeakMap<ClientRequest, Readable>()
const response = (request: ClientRequest): Readable | undefined => answers.get(request)

/** Only while nothing goes either way, as undici counts it. */
function limit(
  request: ClientRequest,
  ms: number | null | undefined,
  code: string,
  message: string,
): void {
  if (ms === undefined || ms === null) return
  request.removeAllListeners('timeout')
  request.setTimeout(ms, () => request.destroy(Object.assign(new Error(message), { code })))
}

/** Pairs in one list, a list of pairs, or an object: undici takes them all. */
function readHeaders(given: unknown): OutgoingHttpHeaders {
  const headers: Record<string, string[]> = {}
  const add = (name: unknown, value: unknown) => {
    const known = String(name).toLowerCase()
    headers[known] = [...(headers[known] ?? []), ...[value].flat().map(String)]
  }
  if (Array.isArray(given) && !Array.isArray(given[0])) {
    for (let index = 0; index < given.length; index += 2) add(given[index], given[index + 1])
  } else if (given !== null && given !== undefined) {
    const isIterable = typeof (given as Iterable<unknown>)[Symbol.iterator] === 'function'
    const pairs = isIterable ? (given as Iterable<[unknown, unknown]>) : Object.entries(given)
    for (const [name, value] of pairs) if (value !== undefined) add(name, value)
  }
  return Object.fromEntries(
    Object.entries(headers).map(([name, values]) => [name, values.length > 1 ? values : values[0]]),
  ) as OutgoingHttpHeaders
}

type Body = string | Uint8Array | AsyncIterable<unknown> | Iterable<unknown> | null

/** Forms and blobs bring a type of their own, which counts where the caller named none. */
function readBody(given: unknown, headers: OutgoingHttpHeaders) {
  if (given === undefined || given === null) return { headers, body: null }
  if (typeof given === 'string' || given instanceof Uint8Array) return { headers, body: given }
  if (ArrayBuffer.isView(given)) {
    return { headers, body: new Uint8Array(given.buffer, given.byteOffset, given.byteLength) }
  }
  if (given instanceof ArrayBuffer) return { headers, body: new Uint8Array(given) }
  if (isIterable(given)) return { headers, body: given }
  const whole = new Response(given as ConstructorParameters<typeof Response>[0])
  const type = whole.headers.get('content-type')
  return {
    headers: type === null ? headers : { 'content-type': type, ...headers },
    body: whole.body as AsyncIterable<unknown> | null,
  }
}

/** A form can be iterated too, but its fields are not its bytes. */
function isIterable(body: unknown): body is AsyncIterable<unknown> | Iterable<unknown> {
  if (body instanceof Readable) return true
  const tag = Object.prototype.toString.call(body)
  if (tag === '[object FormData]' || tag === '[object URLSearchParams]') return false
  return (
    typeof body === 'object' &&
    (Symbol.asyncIterator in (body as object) || Symbol.iterator in (body as object))
  )
}

function write(request: ClientRequest, body: Body, fail: (error: Error) => void): void {
  if (body === null || typeof body === 'string' || body instanceof Uint8Array) {
    request.end(body ?? undefined)
    return
  }
  pipeline(Readable.from(body), request).catch(fail)
}
