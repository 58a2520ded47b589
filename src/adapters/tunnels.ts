/**
 * The listener as a proxy, and as a TLS server: for clients that have the cloud's names compiled in.
 *
 * A tunnel (CONNECT) to one of those names ends here, where the emulator answers for it. No tunnel leads
 * anywhere else, so nothing gets out of this machine this way.
 */
import { type IncomingMessage, type Server, STATUS_CODES } from 'node:http'
import type { Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import { createSecureContext, type SecureContext, TLSSocket } from 'node:tls'
import { findCloudHost } from './cloud-hosts.ts'
import { hostname, notOurs, openFor } from './entrance.ts'
import type { HostGuard } from './host-guard.ts'
import type { Identity } from './tls/authority.ts'

export interface TunnelOptions {
  readonly guard: HostGuard
  /** Rejects with an error whose message says what to do, while there is no local authority. */
  readonly identify: () => Promise<Identity>
  /** TLS is answered where HTTP is, on the same port. */
  readonly tls: boolean
}

export interface Tunnels {
  readonly serve: (server: Server) => void
  /** Cuts those that are open, and lines that have not said yet what they are. */
  readonly close: () => void
}

/** Longest that a client may take to begin, and to agree on keys, in ms. */
const patienceMs = 10_000
/** The first byte of whatever begins TLS: a record of the kind `handshake`. */
const handshakeByte = 22

type Serve = (connection: Duplex) => void

export function createTunnels({ guard, identify, tls }: TunnelOptions): Tunnels {
  const open = new Set<Duplex>()
  const keep = (socket: Duplex) => {
    open.add(socket)
    socket.once('close', () => open.delete(socket))
    socket.on('error', () => socket.destroy())
  }
  let context: Promise<SecureContext> | undefined
  const secureContext = () => {
    context ??= identify().then(createSecureContext)
    // Whoever makes an authority meanwhile need not start again.
    context.catch(() => {
      context = undefined
    })
    return context
  }
  const tunnel = async (request: IncomingMessage, socket: Duplex, head: Buffer, serve: Serve) => {
    keep(socket)
    const target = targetOf(request.url)
    if (target === undefined) return refuse(socket, 403, notOurs(request.url ?? '').message)
    const { name, isSecure } = target
    const secrets = isSecure ? await secureContext().catch((error: Error) => error) : undefined
    if (secrets instanceof Error) return refuse(socket, 503, secrets.message)
    socket.write('HTTP/1.1 200 Connection Established\r\n\r\n')
    if (head.length > 0) socket.unshift(head)
    const isMeant = (asked: string) => hostname(asked) === name
    const line = secrets === undefined ? socket : encrypt(socket, secrets, isMeant)
    openFor(line, name)
    whenReady(line, serve)
  }
  const secure = async (socket: Duplex, serve: Serve) => {
    const secrets = await secureContext()
    const line = encrypt(socket, secrets, (asked) => {
      const name = hostname(asked)
      return openFor(line, name) || guard(name, undefined) === undefined
    })
    whenReady(line, serve)
  }
  return {
    serve: (server) => {
      const listeners = server.listeners('connection') as Serve[]
      const serve: Serve = (connection) => {
        for (const listener of listeners) listener.call(server, connection)
      }
      server.on('connect', (request, socket, head) => {
        tunnel(request, socket, head, serve).catch(() => socket.destroy())
      })
      if (!tls) return
      server.removeAllListeners('connection')
      server.on('connection', (socket) => {
        keep(socket)
        tellApart(socket, serve, secure)
      })
    },
    close: () => {
      for (const socket of open) socket.destroy()
    },
  }
}

/** `api.runpod.io:443` */
function targetOf(authority = ''): { name: string; isSecure: boolean } | undefined {
  const name = hostname(authority)
  const [, port] = /:(\d+)$/.exec(authority) ?? []
  if (findCloudHost(name) === undefined || (port !== '443' && port !== '80')) return undefined
  return { name, isSecure: port === '443' }
}

function encrypt(
  socket: Duplex,
  secureContext: SecureContext,
  isMeant: (name: string) => boolean,
): TLSSocket {
  return new TLSSocket(socket as Socket, {
    isServer: true,
    secureContext,
    ALPNProtocols: ['http/1.1'],
    SNICallback: (name, done) => {
      if (isMeant(name)) done(null, secureContext)
      else done(new Error(`no server here is called ${name}`))
    },
  })
}

function whenReady(line: Duplex, serve: Serve): void {
  if (!(line instanceof TLSSocket)) {
    serve(line)
    return
  }
  const giveUp = () => line.destroy()
  line.setTimeout(patienceMs, giveUp)
  // A client that does not trust the authority says so, and goes.
  line.on('error', giveUp)
  line.once('secure', () => {
    line.setTimeout(0, giveUp).off('timeout', giveUp)
    line.off('error', giveUp)
    serve(line)
  })
}

/** The first byte tells TLS from HTTP. */
function tellApart(
  socket: Socket,
  serve: Serve,
  secure: (socket: Socket, serve: Serve) => Promise<void>,
): void {
  const giveUp = () => socket.destroy()
  socket.setTimeout(patienceMs, giveUp)
  socket.once('data', (first: Buffer) => {
    socket.setTimeout(0).off('timeout', giveUp)
    socket.pause()
    socket.unshift(first)
    if (first[0] === handshakeByte) {
      secure(socket, serve).catch(giveUp)
      return
    }
    serve(socket)
    socket.resume()
  })
}

function refuse(socket: Duplex, status: number, message: string): void {
  const text = `${message}\n`
  socket.end(
    [
      `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
      'Content-Type: text/plain; charset=utf-8',
      `Content-Length: ${Buffer.byteLength(text)}`,
      'Connection: close',
      '',
      text,
    ].join('\r\n'),
  )
}
