/** How a client without a key comes to one: it asks, somebody approves, it fetches the key once. */
import { requestFlashAuth, takeFlashKey } from '../../domain/flash-auth.ts'
import type { FlashAuthRequest } from '../../model/flash.ts'
import { toIso } from '../http/reply.ts'
import type { Caller } from './caller.ts'
import { said, type Wire } from './inputs.ts'

interface AuthArgs {
  readonly apiKeyName?: Wire<string>
  readonly codeChallenge?: Wire<string>
  readonly codeChallengeMethod?: Wire<string>
}

export const flashAuthQueries = {
  /** Observed: only a caller without a key is shown the new one, and by that uses it up. */
  flashAuthRequestStatus(
    { flashAuthRequestId: id }: { flashAuthRequestId: string },
    { world, access }: Caller,
  ) {
    const request = world.flashAuthRequests.require(id)
    const apiKey = access.anonymous ? takeFlashKey(world, id) : undefined
    // The reply that hands the key over still says that the request is approved.
    return toRequest(request, apiKey ?? null)
  },
}

/** Open to everybody: whoever asks has no key yet. */
export const flashAuthMutations = {
  createFlashAuthRequest(args: AuthArgs, { world }: Caller) {
    const request = requestFlashAuth(world, {
      keyName: said(args.apiKeyName) ?? null,
      codeChallenge: said(args.codeChallenge) ?? null,
      codeChallengeMethod: said(args.codeChallengeMethod) ?? null,
    })
    return toRequest(request, null)
  },
}

function toRequest(request: FlashAuthRequest, apiKey: string | null) {
  const { id, status, expiresAtMs, codeChallenge, codeChallengeMethod } = request
  return {
    ...{ id, status, apiKey, codeChallenge, codeChallengeMethod },
    expiresAt: toIso(expiresAtMs),
  }
}
