/** A port that nobody listens on, in either family of loopback. */
import { type AddressInfo, createServer } from 'node:net'

/** Free when it was asked for: somebody else may be quicker than whoever it is given to. */
export function findFreePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer()
    server.once('error', reject)
    server.listen(0, () => {
      const { port } = server.address() as AddressInfo
      server.close(() => resolve(port))
    })
  })
}
