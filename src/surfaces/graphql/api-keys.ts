/** The account's keys as GraphQL lists them: what each may do, and never the key itself. */
import { createHash } from 'node:crypto'
import { type ApiKey, maskKey } from '../../model/account.ts'
import type { Caller } from './caller.ts'

/** Those of the start state and of the control API first, then those that the world gave out. */
export function toApiKeys({ world, access }: Caller) {
  const issued = world.issuedKeys
    .where(({ opens }) => opens === 'everything')
    .map(({ id }): ApiKey => ({ key: id, access: 'all' }))
  return [...access.keysOf(world), ...issued].map(toApiKey)
}

/** Assumed: what names a key, and the words for what it may do, which are those of the fixtures. */
function toApiKey({ key, access }: ApiKey) {
  const id = createHash('sha256').update(key).digest('hex').slice(0, 20)
  return { id, name: maskKey(key), permissions: access, createdAt: null, lastUsed: null }
}
