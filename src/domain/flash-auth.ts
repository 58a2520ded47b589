/** Clients that ask for a key: a person approves, the key is shown once, and time runs out. */
import { invalidField } from '../model/errors.ts'
import type { FlashAuthRequest } from '../model/flash.ts'
import type { World } from '../world/world.ts'
import type { EventHandlers } from './handle-event.ts'

/** Assumed: how long a request can be approved and its key be fetched. */
const lifetimeMs = 600_000

export interface AuthWish {
  readonly keyName: string | null
  readonly codeChallenge: string | null
  readonly codeChallengeMethod: string | null
}

/** The emulator has no person to ask: it is approved by itself, after a wait. */
export function requestFlashAuth(world: World, wish: AuthWish): FlashAuthRequest {
  const { codeChallenge, codeChallengeMethod } = wish
  if (codeChallengeMethod !== null && codeChallengeMethod !== 'S256') {
    throw invalidField(['codeChallengeMethod'], 'must be S256')
  }
  if ((codeChallenge === null) !== (codeChallengeMethod === null)) {
    throw invalidField(['codeChallenge'], 'and codeChallengeMethod come together')
  }
  const id = world.ids.uuid()
  world.timeline.record('flash-auth.requested', id)
  const expiresAtMs = world.nowMs + lifetimeMs
  const timer = world.timeline.after(Math.min(world.waitMs('flashApprovalMs'), lifetimeMs), {
    kind: 'flash-auth.due',
    requestId: id,
  })
  return world.flashAuthRequests.put({
    ...{ id, status: 'PENDING', ...wish, apiKey: null, expiresAtMs, timer },
  })
}

/** The key is handed over, once. Undefined for a request that has none to give. */
export function takeFlashKey(world: World, requestId: string): string | undefined {
  const request = world.flashAuthRequests.require(requestId)
  if (request.status !== 'APPROVED' || request.apiKey === null) return undefined
  world.timeline.cancel(request.timer)
  world.timeline.record('flash-auth.consumed', requestId)
  const { apiKey } = request
  world.flashAuthRequests.put({ ...request, status: 'CONSUMED', apiKey: null, timer: null })
  return apiKey
}

export const flashAuthEventHandlers: EventHandlers<'flash-auth.due'> = {
  'flash-auth.due': (world, { requestId }) => {
    const request = world.flashAuthRequests.require(requestId)
    if (world.nowMs >= request.expiresAtMs) expire(world, request)
    else approve(world, request)
  },
}

function approve(world: World, request: FlashAuthRequest): void {
  const apiKey = world.ids.apiKey()
  world.issuedKeys.put({ id: apiKey, opens: 'everything' })
  world.timeline.record('flash-auth.approved', request.id)
  const timer = world.timeline.after(request.expiresAtMs - world.nowMs, {
    kind: 'flash-auth.due',
    requestId: request.id,
  })
  world.flashAuthRequests.put({ ...request, status: 'APPROVED', apiKey, timer })
}

function expire(world: World, request: FlashAuthRequest): void {
  if (request.apiKey !== null) world.issuedKeys.remove(request.apiKey)
  world.timeline.record('flash-auth.expired', request.id)
  world.flashAuthRequests.put({ ...request, status: 'EXPIRED', apiKey: null, timer: null })
}
