/** An emulator's HTTP server that is bound to no port: callers in this process get a line to it. */
import type { Emulator } from '../../emulator/emulator.ts'
import { openFor } from '../http/entrance.ts'
import { createServers, type ServeOptions } from '../http/http-server.ts'
import { LineEnd } from './line.ts'

export interface MemoryServer {
  /** The caller's end of a new line, as if to that host: one of the cloud's names, or any other. */
  readonly connect: (host: string) => LineEnd
  /** Cuts every line. */
  readonly close: () => void
}

export function serveInMemory(emulator: Emulator, options: ServeOptions): MemoryServer {
  const servers = createServers(emulator, options)
  const server = servers.create()
  const lines = new Set<LineEnd>()
  return {
    connect: (host) => {
      const [theirs, ours] = LineEnd.pair()
      openFor(ours, host)
      lines.add(ours)
      ours.once('close', () => lines.delete(ours))
      server.emit('connection', ours)
      return theirs
    },
    close: () => {
      servers.close()
      for (const line of lines) line.destroy()
    },
  }
}
