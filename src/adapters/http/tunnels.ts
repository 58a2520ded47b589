/**
 * The listener as a proxy, and as a TLS server: for clients that have the cloud's names compiled in.
 *
 * A tunnel (CONNECT) to one of those names ends here, where the emulator answers for it. No tunnel leads
 * anywhere else, so nothing gets out of this machine this way.
 */
import { type IncomingMessage, type Server, STATUS_CODES } from 'node:http'
import type { Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import { findCloudHost } from '../cloud-hosts.ts'
import type { Encrypt } from '../tls/encrypt.ts'
import { hostname, notOurs, openFor } from './entrance.ts'
import type { HostGuard } from './host-guard.ts'

export interface TunnelOptions {
  readonly guard: HostGuard
  /** Rejects with an error whose message says what to do, while there is no local authority. */
  readonly encryption: () => Promise<Encrypt>
  /** TLS is answered where HTTP is, on the same port. */
  readonly tls: boolean
  /** Told of each tunnel that was not given, and the status that says so. */
  readonly refused: (request: IncomingMessage, status: number) => void
}

/** Longest that a client may take to begin, in ms. */
const patienceMs = 10_000
/** The first byte of whatever begins TLS: a record of the kind `handshake`. */
const handshakeByte = 22

/** Has a server answer on a connection. */
type Serve = (connection: Duplex) => void

export class Tunnels {
  readonly #options: TunnelOptions
  /** Tunnels, and with TLS every line: those that have not said yet what they are are nobody else's. */
  readonly #open = new Set<Duplex>()
  #encryption: Promise<Encrypt> | undefined

  constructor(options: TunnelOptions) {
    this.#options = options
  }

  serve(server: Server): void {
    const listeners = server.listeners('connection') as Serve[]
    const serve: Serve = (connection) => {
      for (const listener of listeners) listener.call(server, connection)
    }
    server.on('connect', (request, socket, head) => {
      this.#keep(socket)
      this.#connect(request, socket, head, serve).catch(() => socket.destroy())
    })
    if (!this.#options.tls) return
    server.removeAllListeners('connection')
    server.on('connection', (socket) => {
      this.#keep(socket)
      tellApart(socket, serve, () => this.#secure(socket, serve))
    })
  }

  /** Cuts those that are open. */
  close(): void {
    for (const socket of this.#open) socket.destroy()
  }

  #keep(socket: Duplex): void {
    this.#open.add(socket)
    socket.once('close', () => this.#open.delete(socket))
    socket.on('error', () => socket.destroy())
  }

  async #connect(request: IncomingMessage, socket: Duplex, head: Buffer, serve: Serve) {
    const stop = (status: number, message: string) => {
      this.#options.refused(request, status)
      refuse(socket, status, message)
    }
    const target = targetOf(request.url)
    if (target === undefined) return stop(403, notOurs(request.url ?? '').message)
    const { name, isSecure } = target
    const encrypt = isSecure ? await this.#load().catch((error: Error) => error) : undefined
    if (encrypt instanceof Error) return stop(503, encrypt.message)
    socket.write('HTTP/1.1 200 Connection Established\r\n\r\n')
    if (head.length > 0) socket.unshift(head)
    const ready = (line: Duplex) => {
      openFor(line, name)
      serve(line)
    }
    if (encrypt === undefined) ready(socket)
    else encrypt(socket, (asked) => hostname(asked) === name, ready)
  }

  async #secure(socket: Duplex, serve: Serve): Promise<void> {
    const encrypt = await this.#load()
    const isMeant = (asked: string, line: Duplex) => {
      const name = hostname(asked)
      return openFor(line, name) || this.#options.guard({ host: name }) === undefined
    }
    encrypt(socket, isMeant, serve)
  }

  #load(): Promise<Encrypt> {
    this.#encryption ??= this.#options.encryption()
    // Whoever makes an authority meanwhile need not start again.
    this.#encryption.catch(() => {
      this.#encryption = undefined
    })
    return this.#encryption
  }
}

/** `api.runpod.io:443` */
function targetOf(authority = ''): { name: string; isSecure: boolean } | undefined {
  const name = hostname(authority)
  const [, port] = /:(\d+)$/.exec(authority) ?? []
  if (findCloudHost(name) === undefined || (port !== '443' && port !== '80')) return undefined
  return { name, isSecure: port === '443' }
}

/** The first byte tells TLS from HTTP. */
function tellApart(socket: Socket, serve: Serve, secure: () => Promise<void>): void {
  const giveUp = () => socket.destroy()
  socket.setTimeout(patienceMs, giveUp)
  socket.once('data', (first: Buffer) => {
    socket.setTimeout(0).off('timeout', giveUp)
    socket.pause()
    socket.unshift(first)
    if (first[0] === handshakeByte) {
      secure().catch(giveUp)
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
