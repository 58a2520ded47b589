/** One request of a scenario and its answer, taken to the surfaces without a socket. */
import type { Emulator } from '../emulator/emulator.ts'
import type { ScenarioRequest } from '../model/scenario.ts'
import type { Reply } from '../surfaces/http/reply.ts'
import type { WireRequest } from '../surfaces/http/serve.ts'

/** What came back. */
export interface Exchange {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  /** The body as it was sent. */
  readonly text: string
  /** Undefined when the body is not JSON. */
  readonly body: unknown
  /** The line was cut before the end. */
  readonly cut: boolean
}

/** A request on its way. */
export interface Ongoing {
  /** `POST /v2/demo/run` */
  readonly label: string
  /** What came back; undefined while nothing did. */
  readonly exchange: Exchange | undefined
  /** Hangs up, and takes what has come by now for the answer, if its beginning was there. */
  readonly hangUp: () => void
}

/** The key of a scenario that names none. */
const defaultKey = 'scenario-key'
const origin = 'http://127.0.0.1:4300'

export function labelOf(request: ScenarioRequest): string {
  const { method, path } = addressOf(request)
  return `${method} ${path}`
}

/** Its answer may be there already when this returns, or a tick later, or when time has passed. */
export function sendRequest(emulator: Emulator, request: ScenarioRequest): Ongoing {
  const line = new Line(labelOf(request))
  const wire = toWire(request, line)
  const answer = emulator.handle(emulator.route(wire.method, wire.path), wire)
  if (answer instanceof Promise) void answer.then((reply) => line.receive(reply))
  else line.receive(answer)
  return line
}

class Line implements Ongoing {
  readonly label: string
  exchange: Exchange | undefined
  readonly #hangUps: (() => void)[] = []
  #begun: { readonly reply: Reply; readonly parts: string[] } | undefined

  constructor(label: string) {
    this.label = label
  }

  onHangUp(listener: () => void): void {
    this.#hangUps.push(listener)
  }

  receive(reply: Reply): void {
    const { stream, body } = reply
    if (stream === undefined) {
      const text = reply.text ?? (body === undefined ? '' : JSON.stringify(body))
      this.exchange = toExchange(reply, text, false)
      return
    }
    const parts: string[] = []
    this.#begun = { reply, parts }
    const stop = stream({
      write: (part) => void parts.push(Buffer.from(part).toString()),
      end: (cut) => {
        this.exchange ??= toExchange(reply, parts.join(''), cut !== undefined)
      },
    })
    this.#hangUps.push(stop)
  }

  hangUp(): void {
    if (this.exchange !== undefined) return
    for (const hungUp of this.#hangUps) hungUp()
    if (this.#begun === undefined) return
    this.exchange = toExchange(this.#begun.reply, this.#begun.parts.join(''), false)
  }
}

function toExchange({ status, headers = {} }: Reply, text: string, cut: boolean): Exchange {
  return { status, headers, text, body: parse(text), cut }
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

function toWire(request: ScenarioRequest, line: Line): WireRequest {
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
    onHangUp: (listener) => line.onHangUp(listener),
  }
}

function addressOf({ method, path = '/graphql', ...request }: ScenarioRequest) {
  return { method: method ?? (textOf(request) === undefined ? 'GET' : 'POST'), path }
}

function textOf({ body, text, inputBytes, graphql, variables }: ScenarioRequest) {
  if (text !== undefined) return text
  if (inputBytes !== undefined) return inputOf(inputBytes)
  if (graphql !== undefined) return JSON.stringify({ query: graphql, variables })
  return body === undefined ? undefined : JSON.stringify(body)
}

/** A job whose whole body has so many bytes. */
function inputOf(bytes: number): string {
  const frame = '{"input":""}'
  return `{"input":"${'x'.repeat(Math.max(0, bytes - frame.length))}"}`
}
