/** Sockets: takes requests off the wire, hands them to the emulator, and writes its replies. */
import {
  createServer,
  type IncomingMessage,
  type RequestListener,
  type Server,
  type ServerResponse,
} from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Emulator } from '../../emulator/emulator.ts'
import { type Bounds, defaultBounds } from '../../model/bounds.ts'
import { CloudError } from '../../model/errors.ts'
import type { Reply } from '../../surfaces/http/reply.ts'
import { bodyLimitOf, type Match } from '../../surfaces/http/router.ts'
import type { WireRequest } from '../../surfaces/http/serve.ts'
import { bind, bindIfThere, closeServer } from './bind.ts'
import { Connections } from './connections.ts'
import type { Cors } from './cors.ts'
import type { HostGuard } from './host-guard.ts'
import { IncomingBody } from './incoming-body.ts'
import { NotUtf8, PayloadTooLarge, readText } from './read-text.ts'
import { refuseUrl } from './refusals.ts'
import { type TunnelOptions, Tunnels } from './tunnels.ts'
import { createUpgrades } from './web-socket.ts'
import { matchOf, readAddress, toWire } from './wire.ts'
import { createWrite, type Write } from './write-reply.ts'

export interface ServeOptions {
  readonly guard: HostGuard
  /** Pages of no other origin may read, when absent. */
  readonly cors?: Cors
  /** The defaults, when absent. */
  readonly bounds?: Bounds
  /** Pages for people, loaded when somebody first looks. */
  readonly web: (path: string) => Promise<RequestListener> | undefined
}

export interface ListenOptions extends ServeOptions {
  /** 0 for any free port. */
  readonly port: number
  /** `localhost` is both loopback families; anything else is bound as it is. */
  readonly host: string
  readonly encryption: TunnelOptions['encryption']
  readonly tls: boolean
}

export interface HttpServer {
  readonly port: number
  readonly url: string
  readonly close: () => Promise<void>
}

/** Servers that all answer for one emulator, and are bound to nothing yet. */
export interface Servers {
  readonly create: () => Server
  /** Cuts the lines that are servers' no longer: WebSockets. */
  readonly close: () => void
}

export function createServers(emulator: Emulator, options: ServeOptions): Servers {
  const { guard, web, cors = () => false, bounds = defaultBounds } = options
  const write = createWrite(bounds)
  const serving: Serving = { guard, web, cors, bounds, write }
  const listener: RequestListener = (request, response) => {
    try {
      answer(emulator, serving, request, response)
    } catch (error) {
      fail(emulator, request, response, error)
    }
  }
  const upgrades = createUpgrades(emulator, serving)
  const connections = new Connections(bounds)
  const create = () => {
    const server = createServer(connections.serverOptions, listener)
    connections.watch(server)
    upgrades.serve(server)
    return server
  }
  return { create, close: upgrades.close }
}

/** Binds last: when the port answers, every route does. Rejects with the system's error. */
export async function listen(emulator: Emulator, options: ListenOptions): Promise<HttpServer> {
  const servers = createServers(emulator, options)
  const refused: TunnelOptions['refused'] = (request, status) => note(emulator, request, status)
  const tunnels = new Tunnels({ ...options, refused })
  const create = () => {
    const server = servers.create()
    tunnels.serve(server)
    return server
  }
  const hosts = options.host === 'localhost' ? ['127.0.0.1', '::1'] : [options.host]
  const [first = '127.0.0.1', second] = hosts
  const primary = await bind(create(), options.port, first)
  const { port } = primary.address() as AddressInfo
  const bound = [primary]
  if (second !== undefined) bound.push(...(await bindIfThere(create(), port, second)))
  const shown = options.host === 'localhost' ? '127.0.0.1' : options.host
  return {
    port,
    url: `http://${shown.includes(':') ? `[${shown}]` : shown}:${port}`,
    close: async () => {
      servers.close()
      tunnels.close()
      await Promise.all(bound.map(closeServer))
    },
  }
}

/** A tunnel that was not given is in the log of requests, where its caller will look for it. */
function note(
  { requests, main }: Emulator,
  { url: path = '', headers }: IncomingMessage,
  status: number,
): void {
  requests.add({
    seq: requests.total + 1,
    method: 'CONNECT',
    path,
    operation: 'proxy.tunnel',
    rootFields: [],
    status,
    faults: [],
    atMs: main.world.nowMs,
    tookMs: 0,
    userAgent: headers['user-agent'],
  })
}

/** What every request is answered with. */
interface Serving extends Required<ServeOptions> {
  readonly write: Write
}

/** Without a promise where nothing is waited for: this is the way of every request. */
function answer(
  emulator: Emulator,
  { guard, cors, web, bounds, write }: Serving,
  request: IncomingMessage,
  response: ServerResponse,
): void {
  const tooLong = refuseUrl(request, bounds)
  if (tooLong !== undefined) {
    write(response, tooLong)
    return
  }
  const address = readAddress(request, emulator, guard)
  const { refusal } = address
  const failed = (error: unknown) => fail(emulator, request, response, error)
  if (refusal === undefined) {
    if (cors(request, response)) return
    const isOwn = address.hostedId === undefined && address.entrance === undefined
    const pages = isOwn ? web(address.path) : undefined
    if (pages !== undefined) {
      pages.then((app) => app(request, response)).catch(failed)
      return
    }
  }
  const send = (reply: Reply | Promise<Reply>) => {
    if (reply instanceof Promise) reply.then((made) => write(response, made)).catch(failed)
    else write(response, reply)
  }
  const match = matchOf(request, address, emulator)
  const wire = toWire(request, address, (hungUp) => response.once('close', hungUp))
  if (refusal !== undefined || !hasBody(request)) {
    send(emulator.handle(match, wire))
    return
  }
  const take = (found: Match) => {
    const limit = Math.min(bodyLimitOf(found), bounds.bodyBytes)
    if (found.operation?.takesUpload) {
      send(answerUpload(emulator, found, wire, new IncomingBody(request, limit)))
      return
    }
    readText(request, limit, (body) => {
      if (typeof body === 'string') send(emulator.handle(found, { ...wire, text: body }))
      else if (body instanceof PayloadTooLarge) send(refuse(emulator, found, wire, body))
      else if (body instanceof NotUtf8) {
        send(emulator.handle(found, { ...wire, unreadable: body.message }))
      } else failed(body)
    })
  }
  if (match instanceof Promise) match.then(take).catch(failed)
  else take(match)
}

/** A caller that went away half way through needs no answer; anything else is a bug. */
function fail(
  emulator: Emulator,
  request: IncomingMessage,
  response: ServerResponse,
  error: unknown,
): void {
  if (!request.destroyed && !response.destroyed) emulator.reportBug(error, 'the listener')
  response.destroy()
}

function hasBody({ headers }: IncomingMessage): boolean {
  const length = headers['content-length']
  return (length !== undefined && length !== '0') || headers['transfer-encoding'] !== undefined
}

/** The operation begins before the body is there, and its answer may, too. */
async function answerUpload(
  emulator: Emulator,
  match: Match,
  wire: WireRequest,
  body: IncomingBody,
): Promise<Reply> {
  const hangUps: (() => void)[] = []
  const onHangUp = (listener: () => void) => {
    hangUps.push(listener)
    wire.onHangUp(listener)
  }
  const answered = Promise.resolve(emulator.handle(match, { ...wire, upload: body, onHangUp }))
  try {
    const reply = await Promise.race([answered, body.failed])
    // One that is not made of the request's own parts is not sent before all of those are there.
    if (reply.stream === undefined) await body.drain()
    return reply
  } catch (error) {
    if (!(error instanceof PayloadTooLarge)) throw error
    for (const hungUp of hangUps) hungUp()
    return refuse(emulator, match, wire, error)
  }
}

function refuse(
  emulator: Emulator,
  match: Match,
  wire: WireRequest,
  { message }: Error,
): Reply | Promise<Reply> {
  const refusal = new CloudError('payload_too_large', message)
  return emulator.handle({ ...match, refusal }, wire)
}
