/** Sockets: takes requests off the wire, hands them to the emulator, and writes its replies. */
import {
  createServer,
  type IncomingMessage,
  type RequestListener,
  type Server,
  type ServerResponse,
} from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Emulator } from '../emulator/emulator.ts'
import { CloudError } from '../model/errors.ts'
import type { Reply } from '../surfaces/http/reply.ts'
import type { Match } from '../surfaces/http/router.ts'
import type { WireRequest } from '../surfaces/http/serve.ts'
import { type HostGuard, hostedPath } from './host-guard.ts'
import { PayloadTooLarge, readText } from './read-text.ts'

export interface ListenOptions {
  /** 0 for any free port. */
  readonly port: number
  /** `localhost` is both loopback families; anything else is bound as it is. */
  readonly host: string
  readonly guard: HostGuard
  /** Pages for people, loaded when somebody first looks. */
  readonly web: (path: string) => Promise<RequestListener> | undefined
}

export interface HttpServer {
  readonly port: number
  readonly url: string
  readonly close: () => Promise<void>
}

/** Binds last: when the port answers, every route does. Rejects with the system's error. */
export async function listen(emulator: Emulator, options: ListenOptions): Promise<HttpServer> {
  const listener: RequestListener = (request, response) => {
    answer(emulator, options, request, response).catch(() => {
      // The caller went away half way through its request: there is nobody to tell.
      response.destroy()
    })
  }
  const hosts = options.host === 'localhost' ? ['127.0.0.1', '::1'] : [options.host]
  const [first = '127.0.0.1', second] = hosts
  const primary = await bind(listener, options.port, first)
  const { port } = primary.address() as AddressInfo
  const servers = [primary]
  if (second !== undefined) servers.push(...(await bindIfThere(listener, port, second)))
  const shown = options.host === 'localhost' ? '127.0.0.1' : options.host
  return {
    port,
    url: `http://${shown.includes(':') ? `[${shown}]` : shown}:${port}`,
    close: async () => {
      await Promise.all(servers.map(closeServer))
    },
  }
}

async function answer(
  emulator: Emulator,
  options: ListenOptions,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const { method = 'GET', url = '/', headers } = request
  const mark = url.indexOf('?')
  const requested = mark === -1 ? url : url.slice(0, mark)
  const refusal = options.guard(headers.host, headers.origin)
  const web = refusal === undefined ? options.web(requested) : undefined
  if (web !== undefined) {
    ;(await web)(request, response)
    return
  }
  const path = hostedPath(headers.host, requested, emulator.main.world)
  const match = emulator.route(method, path)
  const wire: WireRequest = {
    method,
    path,
    search: mark === -1 ? '' : url.slice(mark + 1),
    headers: headers as Record<string, string | undefined>,
    origin: `http://${headers.host ?? 'localhost'}`,
    text: undefined,
    onHangUp: (hungUp) => response.once('close', hungUp),
  }
  if (refusal !== undefined) {
    write(response, await emulator.handle({ ...match, refusal }, wire))
    return
  }
  if (!hasBody(request)) {
    const reply = emulator.handle(match, wire)
    write(response, reply instanceof Promise ? await reply : reply)
    return
  }
  write(response, await answerWithBody(emulator, match, wire, request))
}

function hasBody({ headers }: IncomingMessage): boolean {
  const length = headers['content-length']
  return (length !== undefined && length !== '0') || headers['transfer-encoding'] !== undefined
}

async function answerWithBody(
  emulator: Emulator,
  match: Match,
  wire: WireRequest,
  request: IncomingMessage,
): Promise<Reply> {
  try {
    const text = await readText(request, match.surface.bodyLimit)
    return await emulator.handle(match, { ...wire, text })
  } catch (error) {
    if (!(error instanceof PayloadTooLarge)) throw error
    const refusal = new CloudError('payload_too_large', error.message)
    return emulator.handle({ ...match, refusal }, wire)
  }
}

function write(response: ServerResponse, reply: Reply): void {
  if (response.destroyed) return
  if (reply.stream !== undefined) {
    writeStream(response, reply, reply.stream)
    return
  }
  const text = reply.text ?? (reply.body === undefined ? undefined : JSON.stringify(reply.body))
  if (text === undefined) {
    response.writeHead(reply.status, reply.headers).end()
    return
  }
  response
    .writeHead(reply.status, {
      'content-type': 'application/json',
      'content-length': Buffer.byteLength(text),
      ...reply.headers,
    })
    .end(text)
}

function writeStream(
  response: ServerResponse,
  { status, headers }: Reply,
  stream: NonNullable<Reply['stream']>,
): void {
  response.writeHead(status, headers)
  response.flushHeaders()
  const stop = stream({
    write: (text) => void response.write(text),
    end: () => void response.end(),
  })
  const isEvents = headers?.['content-type'] === 'text/event-stream'
  const keepAlive = isEvents
    ? setInterval(() => response.write(': keep-alive\n\n'), keepAliveMs)
    : undefined
  response.once('close', () => {
    clearInterval(keepAlive)
    stop()
  })
}

/** Real time between two comments that show a reader of events that the line is still up. */
const keepAliveMs = 15_000

function bind(listener: RequestListener, port: number, host: string): Promise<Server> {
  return new Promise((resolve, reject) => {
    const server = createServer(listener)
    server.once('error', reject)
    server.listen(port, host, () => resolve(server))
  })
}

/** The other loopback family, where the machine has it and the port is free there. */
async function bindIfThere(
  listener: RequestListener,
  port: number,
  host: string,
): Promise<Server[]> {
  try {
    return [await bind(listener, port, host)]
  } catch {
    // IPv4 answers, which is all that the address we print promises.
    return []
  }
}

function closeServer(server: Server): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve())
    server.closeAllConnections()
  })
}
