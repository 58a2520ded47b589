/** The account's keys as GraphQL lists them: what each may do, and never the key itself. */
import type { ApiKey } from '../../model/account.ts'
import { maskKey } from '../../model/masking.ts'
import { Random } from '../../sim/random.ts'
import { Ids } from '../../world/ids.ts'
import type { Caller } from './caller.ts'

/** Those of the start state and of the control API first, then those that the world gave out. */
export function toApiKeys({ world, access }: Caller) {
  const issued = world.issuedKeys
    .where(({ opens }) => opens === 'everything')
    .map(({ id }): ApiKey => ({ key: id, access: 'all' }))
  return [...access.keysOf(world), ...issued].map(toApiKey)
}

/**
 * Assumed: what names a key, and the words for what it may do, which are those of the fixtures. The id
 * is drawn from the key, so that it stays the same.
 */
function toApiKey({ key, access }: ApiKey) {
  const id = new Ids(new Random(key).stream('id')).next('secret')
  return { id, name: maskKey(key), permissions: access, createdAt: null, lastUsed: null }
}
