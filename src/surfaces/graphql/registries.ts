/** Registry credentials as GraphQL spells them: written, named, never shown. */
import { createRegistry, deleteRegistry, updateRegistry } from '../../domain/registries.ts'
import { invalidField } from '../../model/errors.ts'
import type { Registry } from '../../model/registry.ts'
import type { World } from '../../world/world.ts'
import type { Caller } from './caller.ts'

type Credentials = Pick<Registry, 'username' | 'password'>

export const registryMutations = {
  saveRegistryAuth({ input }: { input: Credentials & { name: string } }, { world }: Caller) {
    const { name, username, password } = requireTexts(input, ['name', 'username', 'password'])
    return toRegistry(world, createRegistry(world, { name, username, password }))
  },

  updateRegistryAuth({ input }: { input: Credentials & { id: string } }, { world }: Caller) {
    const { id, username, password } = requireTexts(input, ['username', 'password'])
    return toRegistry(world, updateRegistry(world, id, { username, password }))
  },

  deleteRegistryAuth({ registryAuthId }: { registryAuthId: string }, { world }: Caller) {
    deleteRegistry(world, registryAuthId)
    return null
  },
}

export function toRegistry(world: World, { id, name }: Registry) {
  return { id, name, userId: world.account.id }
}

function requireTexts<Input extends object>(input: Input, fields: readonly (keyof Input)[]): Input {
  for (const field of fields) {
    if (input[field] === '') throw invalidField(['input', String(field)], 'must not be empty')
  }
  return input
}
