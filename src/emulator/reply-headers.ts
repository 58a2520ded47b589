/** Headers that replies get whatever the operation was. */
import { type Reply, withHeaders } from '../surfaces/http/reply.ts'
import type { Match } from '../surfaces/http/router.ts'
import type { World } from '../world/world.ts'

/** What every reply of a surface says, whatever it is: notices, and its number in the request log. */
export function addHeaders(match: Match, reply: Reply, seq: number, world: World): Reply {
  const { headers: noticesOf, nameRequest } = match.surface
  if (noticesOf === undefined && nameRequest === undefined) return reply
  const notices = noticesOf?.(world, match.operation, match.params)
  return withHeaders(reply, joined(joined(nameRequest?.(seq), notices), reply.headers))
}

type Headers = Readonly<Record<string, string>>

/** Most replies have but one kind, which is then taken as it is. */
function joined(before: Headers | undefined, after: Headers | undefined): Headers {
  if (before === undefined) return after ?? {}
  return after === undefined ? before : { ...before, ...after }
}
