/** A port of loopback that leads to another port of this machine. */
import { connect, createServer, type Socket } from 'node:net'

export interface Lead {
  /** Nobody else gets in; who is in stays. */
  readonly shut: () => void
  /** Nobody is in any more. */
  readonly close: () => void
}

/** Real time after which a port that neither accepts nor refuses counts as somebody's. */
const answerLimitMs = 1_000

/** Answers at `127.0.0.1`. Rejects with Node's own error when it cannot: `EADDRINUSE`. */
export function openLead(from: number, to: number): Promise<Lead> {
  const sockets = new Set<Socket>()
  // Whoever has said everything may go on listening, on either side.
  const server = createServer({ allowHalfOpen: true, noDelay: true }, (caller) => {
    const target = connect({ port: to, host: 'localhost', allowHalfOpen: true, noDelay: true })
    join(caller, target, sockets)
    join(target, caller, sockets)
  })
  const shut = () => void server.close()
  const close = () => {
    shut()
    for (const socket of sockets) socket.destroy()
  }
  return new Promise((resolve, reject) => {
    // It stays, for what goes wrong later concerns one caller.
    server.on('error', reject)
    server.listen(from, '127.0.0.1', () => resolve({ shut, close }))
  })
}

/** One way of two; where it breaks, so does the other: a port where nobody listens included. */
function join(socket: Socket, other: Socket, sockets: Set<Socket>): void {
  sockets.add(socket)
  socket.on('close', () => sockets.delete(socket))
  socket.on('error', () => other.resetAndDestroy())
  socket.pipe(other)
}

/** Whether somebody listens at a port of this machine. */
export function isTaken(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect({ port, host: 'localhost', timeout: answerLimitMs })
    const settle = (taken: boolean) => () => {
      socket.destroy()
      resolve(taken)
    }
    socket.on('connect', settle(true)).on('timeout', settle(true)).on('error', settle(false))
  })
}
