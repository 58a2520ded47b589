/** What somebody's web server answers all at once: a text as it is, anything else as JSON. */
import type { Reply } from './reply.ts'

export const plainText = { 'content-type': 'text/plain' }

/** Without a body where it is undefined. */
export function wholeReply(
  status: number,
  body: unknown,
  headers: Readonly<Record<string, string>>,
): Reply {
  if (body === undefined) return { status, headers }
  if (typeof body !== 'string') return { status, headers, body }
  return { status, headers: { ...plainText, ...headers }, text: body }
}
