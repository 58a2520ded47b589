/** Secrets of the account. Nothing here records or says a value. */
import { conflict, invalidField } from '../model/errors.ts'
import { type Secret, SecretName, secretLimits } from '../model/secret.ts'
import type { World } from '../world/world.ts'

export interface SecretSpec {
  readonly name: string
  readonly value: string
  readonly description?: string | null | undefined
}

/** Refuses with `invalid_request`, or `conflict` for a name that is taken. */
export function createSecret(world: World, spec: SecretSpec): Secret {
  return createSecretWithId(world, world.ids.next('secret'), spec)
}

/** For fixtures, which choose ids. */
export function createSecretWithId(world: World, id: string, spec: SecretSpec): Secret {
  const { name, value, description = null } = spec
  requireName(name)
  requireSizes(spec)
  for (const secret of world.secrets.values()) {
    if (secret.name === name) throw conflict(`a secret named '${name}' exists already`)
  }
  world.timeline.record('secret.created', id)
  return world.secrets.put({
    ...{ id, name, value, description },
    ...{ createdAtMs: world.nowMs, valueUpdatedAtMs: null },
  })
}

/** Containers see a new value when they start the next time. Both changes are made, or none. */
export function updateSecret(
  world: World,
  secretId: string,
  changes: Partial<Pick<SecretSpec, 'value' | 'description'>>,
): Secret {
  const secret = world.secrets.require(secretId)
  requireSizes(changes)
  const { value = secret.value, description = secret.description } = changes
  const valueUpdatedAtMs = changes.value === undefined ? secret.valueUpdatedAtMs : world.nowMs
  world.timeline.record('secret.updated', secretId)
  return world.secrets.put({ ...secret, value, description, valueUpdatedAtMs })
}

/** Assumed: also while something refers to it; the reference then stays as it is written. */
export function deleteSecret(world: World, secretId: string): void {
  const { id } = world.secrets.require(secretId)
  world.timeline.record('secret.deleted', id)
  world.secrets.remove(id)
}

const namePattern = new RegExp(SecretName.pattern ?? '')

function requireName(name: string): void {
  if (!namePattern.test(name) || name.length > (SecretName.maxLength ?? 0)) {
    throw invalidField(
      ['name'],
      `must match '${SecretName.pattern}' and have at most 191 characters`,
    )
  }
}

function requireSizes({ value, description }: Partial<SecretSpec>): void {
  requireSize('value', value ?? '', secretLimits.valueBytes)
  requireSize('description', description ?? '', secretLimits.descriptionBytes)
}

function requireSize(field: string, text: string, limit: number): void {
  if (new TextEncoder().encode(text).length <= limit) return
  throw invalidField([field], `must have at most ${limit} bytes`)
}
