/** Lines on which TLS is spoken, from the server's side. Loaded with the first of them. */
import type { Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import { createSecureContext, TLSSocket } from 'node:tls'
import type { Identity } from './authority.ts'

/**
 * `isMeant`: whether the name that the client asks for may be answered on that line. `ready`: called
 * with the line once both sides have agreed on keys; never for a client that goes before that.
 */
export type Encrypt = (
  socket: Duplex,
  isMeant: (name: string, line: Duplex) => boolean,
  ready: (line: Duplex) => void,
) => void

/** Longest that a client may take to agree on keys, in ms. */
const patienceMs = 10_000

export function createEncryption(identity: Identity): Encrypt {
  const secureContext = createSecureContext(identity)
  return (socket, isMeant, ready) => {
    const line = new TLSSocket(socket as Socket, {
      isServer: true,
      secureContext,
      ALPNProtocols: ['http/1.1'],
      SNICallback: (name, done) => {
        if (isMeant(name, line)) done(null, secureContext)
        else done(new Error(`no server here is called ${name}`))
      },
    })
    const giveUp = () => line.destroy()
    line.setTimeout(patienceMs, giveUp)
    // A client that does not trust the authority says so, and goes.
    line.on('error', giveUp)
    line.once('secure', () => {
      line.setTimeout(0).off('timeout', giveUp).off('error', giveUp)
      ready(line)
    })
  }
}
