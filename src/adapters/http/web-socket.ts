/**
 * Requests for an upgrade: held until the endpoint's worker takes them, then a WebSocket.
 *
 * The protocol's code is loaded with the first one that is taken.
 */
import { type IncomingMessage, type Server, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import type { WebSocket } from 'ws'
import type { Emulator } from '../../emulator/emulator.ts'
import type { Bounds } from '../../model/bounds.ts'
import type { Tunnel } from '../../surfaces/http/forward.ts'
import type { Conversation, Reply } from '../../surfaces/http/reply.ts'
import type { HostGuard } from './host-guard.ts'
import { refuseUrl, tooMany } from './refusals.ts'
import { matchOf, readAddress, toWire } from './wire.ts'
import type { Write } from './write-reply.ts'

export interface Upgrades {
  readonly serve: (server: Server) => void
  /** Cuts every line, open or held. */
  readonly close: () => void
}

/** Bytes that a caller may send before it was let in: nothing does. */
const earlyLimit = 65_536

export interface UpgradeOptions {
  readonly guard: HostGuard
  readonly bounds: Bounds
  readonly write: Write
}

export function createUpgrades(emulator: Emulator, options: UpgradeOptions): Upgrades {
  const { bounds, write } = options
  const lines = new Set<Duplex>()
  const take = async (request: IncomingMessage, socket: Duplex, head: Buffer) => {
    const refusal = refuseLine(request, lines.size, bounds)
    lines.add(socket)
    socket.once('close', () => lines.delete(socket))
    socket.on('error', () => socket.destroy())
    const early = keepEarly(socket, head)
    const reply = refusal ?? (await answer(emulator, options, request, socket))
    const sent = early.stop()
    if (reply.tunnel !== undefined) join(socket, sent, reply, reply.tunnel)
    else if (reply.conversation === undefined) refuse(request, socket, reply, write)
    else await accept({ request, socket, sent, bounds }, reply, reply.conversation)
  }
  return {
    serve: (server) => {
      server.on('upgrade', (request, socket, head) => {
        if (request.headers.upgrade?.toLowerCase() !== 'websocket') {
          serveWithout(server, request, socket as Socket, head)
          return
        }
        take(request, socket, head).catch(() => {
          // The line broke while it was being opened: there is nobody to tell.
          socket.destroy()
        })
      })
    },
    close: () => {
      for (const line of lines) line.destroy()
    },
  }
}

/** Before anybody is asked. */
function refuseLine(request: IncomingMessage, open: number, bounds: Bounds): Reply | undefined {
  if (open >= bounds.webSockets) return tooMany(`${bounds.webSockets} WebSockets`)
  return refuseUrl(request, bounds)
}

async function answer(
  emulator: Emulator,
  { guard }: UpgradeOptions,
  request: IncomingMessage,
  socket: Duplex,
): Promise<Reply> {
  const address = readAddress(request, emulator, guard)
  const wire = toWire(request, address, (hungUp) => socket.once('close', hungUp))
  return emulator.handle(matchOf(request, address, emulator), { ...wire, upgrade: true })
}

/** Only who reads learns that the other side is gone. */
function keepEarly(socket: Duplex, head: Buffer): { readonly stop: () => Buffer } {
  const parts = [head]
  let size = head.length
  const keep = (part: Buffer) => {
    parts.push(part)
    size += part.length
    if (size > earlyLimit) socket.destroy()
  }
  const hangUp = () => socket.destroy()
  socket.on('data', keep)
  socket.once('end', hangUp)
  return {
    stop: () => {
      socket.off('data', keep)
      socket.off('end', hangUp)
      socket.pause()
      return Buffer.concat(parts)
    },
  }
}

interface Opening {
  readonly request: IncomingMessage
  readonly socket: Duplex
  readonly sent: Buffer
  readonly bounds: Bounds
}

async function accept(
  { request, socket, sent, bounds }: Opening,
  { headers = {} }: Reply,
  conversation: Conversation,
): Promise<void> {
  let line: WebSocket | undefined
  const { message, closed } = conversation({
    send: (text) => {
      line?.send(text)
      if ((line?.bufferedAmount ?? 0) > bounds.unreadBytes) line?.terminate()
    },
    close: (code, reason) => (line === undefined ? socket.destroy() : line.close(code, reason)),
  })
  if (socket.destroyed) {
    closed()
    return
  }
  socket.once('close', closed)
  const { WebSocketServer } = await import('ws')
  const server = new WebSocketServer({
    noServer: true,
    clientTracking: false,
    maxPayload: bounds.messageBytes,
  })
  server.on('headers', (lines) => {
    for (const [name, value] of Object.entries(headers)) lines.push(`${name}: ${value}`)
  })
  server.handleUpgrade(request, socket, sent, (opened) => {
    line = opened
    socket.resume()
    opened.on('message', (data: Buffer, isBinary) => message(isBinary ? data : data.toString()))
    opened.on('error', () => opened.terminate())
  })
}

/** The line is joined with another: what is said over it is not looked at. */
function join(
  socket: Duplex,
  sent: Buffer,
  { headers = {}, cookies = [] }: Reply,
  tunnel: Tunnel,
): void {
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`)
  for (const cookie of cookies) lines.push(`set-cookie: ${cookie}`)
  socket.write(['HTTP/1.1 101 Switching Protocols', ...lines, '', ''].join('\r\n'))
  tunnel(socket, sent)
}

/** A plain answer where a line was asked for. */
function refuse(request: IncomingMessage, socket: Duplex, reply: Reply, write: Write): void {
  const response = new ServerResponse(request)
  response.shouldKeepAlive = false
  response.assignSocket(socket as Socket)
  // Read on, and drop it: otherwise nobody sees the caller's end of the line close.
  response.once('finish', () => socket.resume().end())
  write(response, reply)
}

/**
 * Some clients offer HTTP/2 with each request. Whoever does not want to change the protocol answers
 * as if nothing had been offered: the request is read once more, without its offer.
 */
function serveWithout(
  server: Server,
  { method, url, httpVersion, rawHeaders }: IncomingMessage,
  socket: Socket,
  head: Buffer,
): void {
  const lines = [`${method} ${url} HTTP/${httpVersion}`]
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const [name = '', value = ''] = rawHeaders.slice(index, index + 2)
    if (!['upgrade', 'connection', 'http2-settings'].includes(name.toLowerCase())) {
      lines.push(`${name}: ${value}`)
    }
  }
  const text = `${lines.join('\r\n')}\r\n\r\n`
  socket.unshift(Buffer.concat([Buffer.from(text, 'latin1'), head]))
  server.emit('connection', socket)
}
