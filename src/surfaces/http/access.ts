/** Who is calling, and what the key allows. Fixtures define keys; an unlisted key may do all. */
import type { ApiKey, EndpointAccess } from '../../model/account.ts'
import { CloudError, forbidden } from '../../model/errors.ts'
import type { World } from '../../world/world.ts'
import type { Need } from './operation.ts'

/** A caller: a world, and the rights that its key has there. */
export interface Access {
  readonly world: World
  /** Undefined for a caller without a key, where the surface lets one in. */
  readonly key: ApiKey | undefined
  /** True when no key was shown. */
  readonly anonymous: boolean
  /** The keys that are known by name and open a world. */
  readonly keysOf: (world: World) => readonly ApiKey[]
}

/** Finds the world that a key opens; undefined for a key that opens none. */
export type KeyRing = (key: string) => Access | undefined

/** How callers come into worlds. */
export interface Entrances {
  readonly keyRing: KeyRing
  /** Where a caller without a key is, on surfaces that let one in. */
  readonly anonymous: Access
  /** The world of a key that has been heard of; it opens none. */
  readonly worldOfKnown: (key: string) => World | undefined
}

/** A caller who shows what may be a key where none is asked for: it says which world, and no more. */
export function guestOf({ anonymous, worldOfKnown }: Entrances, shown: string | undefined): Access {
  const world = shown === undefined ? undefined : worldOfKnown(shown)
  return world === undefined ? anonymous : { ...anonymous, world }
}

export const noToken = (): CloudError => new CloudError('unauthorized', 'no token provided')
export const badToken = (): CloudError => new CloudError('unauthorized', 'invalid api key')

/** The caller behind a key, or an `unauthorized` refusal. */
export function authenticate(keyRing: KeyRing, key: string | undefined): Access {
  if (key === undefined || key === '') throw noToken()
  const access = keyRing(key)
  if (access === undefined || access.key?.access === 'revoked') throw badToken()
  return access
}

/** Spec: a valid key that lacks access is refused with 403. `endpointId`: where one is concerned. */
export function authorize(access: Access, need: Need, endpointId: string | undefined): void {
  if (!mayDo(access, need, endpointId)) throw forbidden()
}

/** For lists that leave out what the key may not see. */
export function mayDo(access: Access, need: Need, endpointId: string | undefined): boolean {
  if (need === 'nothing' || access.key === undefined) return true
  const granted = grantOf(access.key, access.world, endpointId)
  return granted === 'READ_WRITE' || (granted === 'READ' && need === 'read')
}

function grantOf(key: ApiKey, world: World, endpointId: string | undefined): EndpointAccess {
  if (key.access === 'all') return 'READ_WRITE'
  if (key.access === 'read-only') return 'READ'
  // Assumed: what is open to everybody is open to a restricted key.
  if (endpointId !== undefined && world.endpoints.find(endpointId)?.public) return 'READ_WRITE'
  if (endpointId !== undefined) return key.endpoints?.[endpointId] ?? 'NONE'
  return key.platform ?? 'NONE'
}

/** The key of `Authorization: Bearer <key>`; undefined for any other scheme. */
export function bearerKey(header: string | undefined): string | undefined {
  if (header === undefined) return undefined
  // As nearly everybody writes it.
  if (header.startsWith('Bearer ') && !header.includes(' ', 7)) return header.slice(7)
  const [scheme = '', key] = header.split(' ', 2)
  return scheme.toLowerCase() === 'bearer' ? key : undefined
}

/** Observed: the request address takes a key with or without `Bearer` before it. */
export function bearerOrBareKey(header: string | undefined): string | undefined {
  return bearerKey(header) ?? header?.trim()
}
