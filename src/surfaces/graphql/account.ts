/** The account as GraphQL asks for it and changes it. */
import { setPublicKeys } from '../../domain/account.ts'
import type { Caller } from './caller.ts'
import type { Wire } from './inputs.ts'
import { toUser } from './user-view.ts'

export const accountQueries = {
  // Observed: null, and no error, for a caller without a key.
  myself: (_args: unknown, caller: Caller) => (caller.access.anonymous ? null : toUser(caller)),
}

export const accountMutations = {
  updateUserSettings({ input }: { input: Wire<{ pubKey?: Wire<string> }> }, caller: Caller) {
    if (typeof input?.pubKey === 'string') setPublicKeys(caller.world, input.pubKey)
    return toUser(caller)
  },
}
