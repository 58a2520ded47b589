/** Reads a request's body, up to a limit. */
import { isUtf8 } from 'node:buffer'
import type { IncomingMessage } from 'node:http'

export class PayloadTooLarge extends Error {
  constructor(limit: number) {
    super(`the body has more than ${limit} bytes`)
  }
}

export class NotUtf8 extends Error {
  constructor() {
    super('the body is not UTF-8')
  }
}

/**
 * Calls back once: with the text, with `NotUtf8`, with `PayloadTooLarge` as soon as the limit is passed (the rest is
 * read and dropped), or with the error of a caller that went away.
 */
export function readText(
  request: IncomingMessage,
  limit: number,
  done: (body: string | Error) => void,
): void {
  const parts: Buffer[] = []
  let size = 0
  let told = false
  const tell = (body: string | Error) => {
    if (told) return
    told = true
    done(body)
  }
  request.on('data', (part: Buffer) => {
    size += part.length
    if (size <= limit) parts.push(part)
    else tell(new PayloadTooLarge(limit))
  })
  request.on('end', () => {
    const [only] = parts
    const whole = parts.length === 1 && only !== undefined ? only : Buffer.concat(parts)
    tell(isUtf8(whole) ? whole.toString('utf8') : new NotUtf8())
  })
  request.on('error', tell)
}
