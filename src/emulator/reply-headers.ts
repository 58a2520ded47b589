/** Headers that replies get whatever the operation was. */
import type { Reply } from '../surfaces/http/reply.ts'
import type { Match } from '../surfaces/http/router.ts'
import type { World } from '../world/world.ts'

/** What every reply of a surface says, whatever it is: notices, and its number in the request log. */
export function addHeaders(match: Match, reply: Reply, seq: number, world: World): Reply {
  const { headers: noticesOf, requestIdHeader } = match.surface
  if (noticesOf === undefined && requestIdHeader === undefined) return reply
  const headers: Record<string, string> = {}
  if (requestIdHeader !== undefined) headers[requestIdHeader] = String(seq)
  if (noticesOf !== undefined)
    Object.assign(headers, noticesOf(world, match.operation, match.params))
  if (reply.headers !== undefined) Object.assign(headers, reply.headers)
  return { ...reply, headers }
}
