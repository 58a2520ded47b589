/** One request of a scenario and its answer, taken to the surfaces without a socket. */
import { findCloudHost } from '../adapters/cloud-hosts.ts'
import { PayloadTooLarge } from '../adapters/http/read-text.ts'
import { hostedIdOf, hostedPath } from '../adapters/http/wire.ts'
import type { Emulator } from '../emulator/emulator.ts'
import { CloudError } from '../model/errors.ts'
import type { ScenarioRequest } from '../model/scenario.ts'
import type { Break, Reply } from '../surfaces/http/reply.ts'
import { bodyLimitOf, type Match } from '../surfaces/http/router.ts'
import type { WireRequest } from '../surfaces/http/serve.ts'

/** What came back. Most of it nobody looks at, so it is read when it is asked for. */
export class Exchange {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  /** The line was cut before the end. */
  readonly cut: boolean
  readonly #sent: Pick<Reply, 'text' | 'body'>

  constructor({ status, headers = {} }: Reply, sent: Pick<Reply, 'text' | 'body'>, cut: boolean) {
    this.status = status
    this.headers = headers
    this.cut = cut
    this.#sent = sent
  }

  /** The body as it was sent. */
  get text(): string {
    const { text, body } = this.#sent
    return text ?? (body === undefined ? '' : JSON.stringify(body))
  }

  /** Undefined when the body is not JSON. */
  get body(): unknown {
    return parse(this.text)
  }
}

/** A request on its way. */
export interface Ongoing {
  /** `POST /v2/demo/run` */
  readonly label: string
  /** What came back; undefined while nothing did. */
  readonly exchange: Exchange | undefined
  /** The first of it was there. */
  readonly hasBegun: boolean
  /** Hangs up, and takes what has come by now for the answer, if its beginning was there. */
  readonly hangUp: () => void
}

/** The key of a scenario that names none. */
const defaultKey = 'scenario-key'
const origin = 'http://127.0.0.1:4300'

export function labelOf(request: ScenarioRequest): string {
  const { method, path } = addressOf(request)
  return `${method} ${request.host ?? ''}${path}`
}

/** Its answer may be there already when this returns, or a tick later, or when time has passed. */
export function sendRequest(emulator: Emulator, request: ScenarioRequest): Ongoing {
  const line = new Line(request)
  const wire = toWire(request, line)
  const hostedId = request.host === undefined ? undefined : hostedAt(request.host, emulator)
  const found = emulator.route(wire.method, wire.path, hostedId)
  const match =
    found instanceof Promise
      ? found.then((late) => withinLimit(late, wire))
      : withinLimit(found, wire)
  const called = hostedId === undefined ? wire : { ...wire, path: hostedPath(hostedId) + wire.path }
  const answer = emulator.handle(match, called)
  if (answer instanceof Promise) void answer.then((reply) => line.receive(reply))
  else line.receive(answer)
  return line
}

function hostedAt(name: string, emulator: Emulator): string | undefined {
  const host = findCloudHost(name)
  return hostedIdOf(name, host && { name, host }, emulator)
}

/** A body that is too large does not get further than where it comes in. */
function withinLimit(match: Match, { text = '' }: WireRequest): Match {
  const limit = bodyLimitOf(match)
  // No character has more bytes than this in UTF-8.
  if (text.length * 3 <= limit || Buffer.byteLength(text) <= limit) return match
  const { message } = new PayloadTooLarge(limit)
  return { ...match, refusal: new CloudError('payload_too_large', message) }
}

class Line implements Ongoing {
  exchange: Exchange | undefined
  readonly #request: ScenarioRequest
  readonly #hangUps: (() => void)[] = []
  #begun: { readonly reply: Reply; readonly parts: string[]; readonly stalls: boolean } | undefined

  constructor(request: ScenarioRequest) {
    this.#request = request
  }

  get label(): string {
    return labelOf(this.#request)
  }

  get hasBegun(): boolean {
    return this.#begun !== undefined
  }

  onHangUp(listener: () => void): void {
    this.#hangUps.push(listener)
  }

  receive(reply: Reply): void {
    const { stream, breaks } = reply
    if (stream === undefined) {
      const whole = new Exchange(reply, reply, false)
      if (breaks === undefined) this.exchange = whole
      else this.#break(reply, whole.text, breaks)
      return
    }
    const parts: string[] = []
    this.#begun = { reply, parts, stalls: breaks?.how === 'stall' }
    const end = (cut: boolean) => {
      this.exchange ??= new Exchange(reply, { text: parts.join('') }, cut)
    }
    let leftBytes = breaks?.afterBytes ?? Number.POSITIVE_INFINITY
    const stop = stream({
      write: (part) => {
        const bytes = Buffer.from(part)
        parts.push(bytes.subarray(0, leftBytes).toString())
        leftBytes -= Math.min(leftBytes, bytes.length)
        if (leftBytes > 0 || breaks?.how === 'stall') return
        end(true)
        // What makes the parts is asked to stop when it is done with this one.
        setImmediate(() => stop())
      },
      end: (cut) => {
        if (breaks?.how !== 'stall') end(cut !== undefined)
      },
    })
    this.#hangUps.push(stop)
  }

  hangUp(): void {
    if (this.exchange !== undefined) return
    for (const hungUp of this.#hangUps) hungUp()
    if (this.#begun === undefined) return
    const { reply, parts, stalls } = this.#begun
    this.exchange = new Exchange(reply, { text: parts.join('') }, stalls)
  }

  /** What arrives of a reply before the line breaks, or falls silent. */
  #break(reply: Reply, text: string, { how, afterBytes }: Break): void {
    const part = Buffer.from(text).subarray(0, afterBytes).toString()
    if (how === 'stall') this.#begun = { reply, parts: [part], stalls: true }
    else this.exchange = new Exchange(reply, { text: how === 'reset' ? '' : part }, true)
  }
}

function parse(text: string): unknown {
  if (text === '') return undefined
  try {
    return JSON.parse(text)
  } catch {
    // Not every body is JSON; `text` has it.
    return undefined
  }
}

/** Everything of a request that is the same each time it is sent. */
type Prepared = Omit<WireRequest, 'onHangUp'>
const prepared = new WeakMap<ScenarioRequest, Prepared>()

function toWire(request: ScenarioRequest, line: Line): WireRequest {
  const parts = prepared.get(request) ?? prepare(request)
  prepared.set(request, parts)
  const { method, path, search, headers, text } = parts
  // Measured: a spread of the parts takes longer than all the rest of this.
  const onHangUp: WireRequest['onHangUp'] = (listener) => line.onHangUp(listener)
  return { method, path, search, headers, origin, text, onHangUp }
}

function prepare(request: ScenarioRequest): Prepared {
  const { method, path: target } = addressOf(request)
  const mark = target.indexOf('?')
  const text = textOf(request)
  const key = request.key ?? defaultKey
  return {
    method,
    path: mark === -1 ? target : target.slice(0, mark),
    search: mark === -1 ? '' : target.slice(mark + 1),
    headers: {
      ...(key === '' ? {} : { authorization: `Bearer ${key}` }),
      ...(text === undefined ? {} : { 'content-type': 'application/json' }),
      ...request.headers,
    },
    origin,
    text,
  }
}

function addressOf({ method, path = '/graphql', ...content }: ScenarioRequest) {
  const { body, text, inputBytes, outputBytes, graphql } = content
  const hasBody = [body, text, inputBytes, outputBytes, graphql].some((part) => part !== undefined)
  return { method: method ?? (hasBody ? 'POST' : 'GET'), path }
}

function textOf(request: ScenarioRequest) {
  const { body, text, inputBytes, outputBytes, graphql, variables } = request
  if (text !== undefined) return text
  if (inputBytes !== undefined) return filledTo(inputBytes, 'input')
  if (outputBytes !== undefined) return filledTo(outputBytes, 'output')
  if (graphql !== undefined) return JSON.stringify({ query: graphql, variables })
  return body === undefined ? undefined : JSON.stringify(body)
}

/** A body that has so many bytes as a whole, all but a few of them in one field. */
function filledTo(bytes: number, field: 'input' | 'output'): string {
  const frame = JSON.stringify({ [field]: '' })
  return JSON.stringify({ [field]: 'x'.repeat(Math.max(0, bytes - frame.length)) })
}
