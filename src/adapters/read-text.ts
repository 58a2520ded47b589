/** Reads a request's body, up to a limit. */
import type { IncomingMessage } from 'node:http'

export class PayloadTooLarge extends Error {
  constructor(limit: number) {
    super(`the body has more than ${limit} bytes`)
  }
}

/** Rejects with `PayloadTooLarge` as soon as the limit is passed; the rest is read and dropped. */
export function readText(request: IncomingMessage, limit: number): Promise<string> {
  return new Promise((resolve, reject) => {
    const parts: Buffer[] = []
    let size = 0
    request.on('data', (part: Buffer) => {
      size += part.length
      if (size <= limit) parts.push(part)
      else reject(new PayloadTooLarge(limit))
    })
    request.on('end', () => {
      const [only] = parts
      const whole = parts.length === 1 && only !== undefined ? only : Buffer.concat(parts)
      resolve(whole.toString('utf8'))
    })
    request.on('error', reject)
  })
}
