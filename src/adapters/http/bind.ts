/** Servers take their addresses, and leave them. */
import type { Server } from 'node:http'

/** Rejects with the system's error. */
export function bind(server: Server, port: number, host: string): Promise<Server> {
  return new Promise((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, host, () => resolve(server))
  })
}

/** The other loopback family, where the machine has it and the port is free there. */
export async function bindIfThere(server: Server, port: number, host: string): Promise<Server[]> {
  try {
    return [await bind(server, port, host)]
  } catch {
    // IPv4 answers, which is all that the address we print promises.
    return []
  }
}

export function closeServer(server: Server): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve())
    server.closeAllConnections()
  })
}
