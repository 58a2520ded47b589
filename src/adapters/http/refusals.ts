/** What the listener refuses by itself, before any surface is asked: problems as RFC 9457 has them. */
import type { IncomingMessage } from 'node:http'
import type { Bounds } from '../../model/bounds.ts'
import type { Reply } from '../../surfaces/http/reply.ts'

/** `open`: `1024 streams`. */
export const tooMany = (open: string): Reply =>
  problem(503, 'Service Unavailable', `${open} are open, and there may not be more`)

/** The refusal of an address that is too long; undefined for all others. */
export function refuseUrl({ url = '' }: IncomingMessage, { urlBytes }: Bounds): Reply | undefined {
  if (url.length <= urlBytes) return undefined
  return problem(414, 'URI Too Long', `the address has more than ${urlBytes} bytes`)
}

function problem(status: number, title: string, detail: string): Reply {
  const headers = { 'content-type': 'application/problem+json' }
  return { status, headers, body: { title, status, detail } }
}
