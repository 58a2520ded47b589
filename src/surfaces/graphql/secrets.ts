/** Secrets as GraphQL spells them: written, named, never shown. */
import { createSecret, deleteSecret } from '../../domain/secrets.ts'
import type { Secret } from '../../model/secret.ts'
import { toIso, toIsoOrNull } from '../http/reply.ts'
import type { Caller } from './caller.ts'
import { said, type Wire } from './inputs.ts'

interface SecretInput {
  readonly name: string
  readonly value: string
  readonly description?: Wire<string>
}

export const secretMutations = {
  secretCreate({ input }: { input: SecretInput }, { world }: Caller) {
    const { name, value } = input
    return toSecret(createSecret(world, { name, value, description: said(input.description) }))
  },

  secretDelete({ id }: { id: string }, { world }: Caller) {
    deleteSecret(world, id)
    return null
  },
}

export function toSecret({ id, name, description, createdAtMs, valueUpdatedAtMs }: Secret) {
  return {
    id,
    name,
    description,
    createdAt: toIso(createdAtMs),
    updatedAt: toIso(valueUpdatedAtMs ?? createdAtMs),
    lastUpdatedAt: toIsoOrNull(valueUpdatedAtMs),
  }
}
