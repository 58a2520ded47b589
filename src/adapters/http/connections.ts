/** The open connections of a listener: how many there may be, and how long one may be left unread. */
import type { Server } from 'node:http'
import type { Socket } from 'node:net'
import type { Bounds } from '../../model/bounds.ts'

/** Real time between two looks at what readers have taken. */
const lookMs = 1_000

interface Unread {
  /** Bytes that the other side has taken so far. */
  readonly taken: number
  /** When it had taken so many, on the process's own clock. */
  readonly sinceMs: number
}

export class Connections {
  readonly #bounds: Bounds
  readonly #open = new Set<Socket>()
  readonly #unread = new WeakMap<Socket, Unread>()
  #timer: NodeJS.Timeout | undefined

  constructor(bounds: Bounds) {
    this.#bounds = bounds
  }

  /** What a server has to be made with, for senders that are slow or say too much. */
  get serverOptions() {
    const { headerBytes, headerMs, requestMs } = this.#bounds
    return {
      maxHeaderSize: headerBytes,
      headersTimeout: Math.min(headerMs, requestMs),
      requestTimeout: requestMs,
      connectionsCheckingInterval: Math.min(lookMs, headerMs),
    }
  }

  watch(server: Server): void {
    server.maxConnections = this.#bounds.connections
    server.on('connection', (socket: Socket) => {
      // One that asked for an upgrade and did not get it comes here twice.
      if (this.#open.has(socket)) return
      this.#open.add(socket)
      socket.once('close', () => this.#forget(socket))
      this.#timer ??= setInterval(() => this.#look(), Math.min(lookMs, this.#bounds.replyMs / 2))
      this.#timer.unref()
    })
  }

  #forget(socket: Socket): void {
    this.#open.delete(socket)
    if (this.#open.size > 0) return
    clearInterval(this.#timer)
    this.#timer = undefined
  }

  /** Looks at all of them, so that no request pays for it. */
  #look(): void {
    const nowMs = performance.now()
    for (const socket of this.#open) {
      const waiting = socket.writableLength
      if (waiting === 0) {
        this.#unread.delete(socket)
        continue
      }
      const taken = socket.bytesWritten - waiting
      const before = this.#unread.get(socket)
      if (before?.taken !== taken) this.#unread.set(socket, { taken, sinceMs: nowMs })
      else if (nowMs - before.sinceMs >= this.#bounds.replyMs) socket.destroy()
    }
  }
}
