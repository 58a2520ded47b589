/** Who asks, and what resolvers may know of the request. */

import { authorize, noToken } from '../http/access.ts'
import type { Context, Need } from '../http/operation.ts'

export type Caller = Context<unknown, unknown, unknown>

/** Spec: changes need a key that allows them. Assumed: without one, the field is refused with 200. */
export function requireRight(caller: Caller, need: Need, endpointId?: string): void {
  if (caller.access.anonymous) throw noToken()
  authorize(caller.access, need, endpointId)
}
