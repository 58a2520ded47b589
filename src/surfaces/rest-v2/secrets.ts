/** Secrets as REST v2 spells them: named, described, written, and never read back. */
import * as Type from '@sinclair/typebox'
import { createSecret, deleteSecret, updateSecret } from '../../domain/secrets.ts'
import { OrNull } from '../../model/schema.ts'
import { type Secret, SecretName, secretLimits } from '../../model/secret.ts'
import { defineOperation, type Operation } from '../http/operation.ts'
import { created, noContent, ok, toIso, toIsoOrNull } from '../http/reply.ts'
import { onlyPage, Pagination } from './pages.ts'
import { readReplies, writeReplies } from './replies.ts'

const tag = 'secrets'
const strict = { additionalProperties: false }
const one = Type.Object({ id: Type.String() })
// Limits are in bytes, which is what the domain counts; a text has no more characters than bytes.
const Value = Type.String({ maxLength: secretLimits.valueBytes, writeOnly: true })
const Description = Type.String({ maxLength: secretLimits.descriptionBytes })
const Instant = Type.String({ format: 'date-time' })

const SecretReply = Type.Object({
  id: Type.String(),
  name: Type.String(),
  description: OrNull(Type.String()),
  createdAt: Instant,
  valueLastUpdatedAt: OrNull(Instant),
})
const List = Type.Object({ secrets: Type.Array(SecretReply), pagination: Pagination })

export const secretOperations: readonly Operation[] = [
  defineOperation({
    name: 'listSecrets',
    method: 'GET',
    path: '/v2/secrets',
    summary: 'Secrets of the account, without their values.',
    tag,
    needs: 'read',
    replies: readReplies('Secrets.', List),
    handle: ({ world }) =>
      ok({ secrets: world.secrets.all().map(toSecretV2), pagination: onlyPage }),
  }),
  defineOperation({
    name: 'createSecret',
    method: 'POST',
    path: '/v2/secrets',
    summary: 'Keeps a value for environments, which refer to it as {{ RUNPOD_SECRET_<name> }}.',
    tag,
    needs: 'write',
    body: Type.Object(
      { name: SecretName, value: Value, description: Type.Optional(Description) },
      strict,
    ),
    replies: writeReplies(201, 'The new secret.', SecretReply),
    handle: ({ world, body }) => created(toSecretV2(createSecret(world, body))),
  }),
  defineOperation({
    name: 'getSecret',
    method: 'GET',
    path: '/v2/secrets/{id}',
    summary: 'One secret, without its value.',
    tag,
    needs: 'read',
    params: one,
    replies: readReplies('The secret.', SecretReply),
    handle: ({ world, params }) => ok(toSecretV2(world.secrets.require(params.id))),
  }),
  defineOperation({
    name: 'updateSecret',
    method: 'PATCH',
    path: '/v2/secrets/{id}',
    summary: 'Replaces the value, the description, or both; a name is for good.',
    tag,
    needs: 'write',
    params: one,
    body: Type.Object(
      { value: Type.Optional(Value), description: Type.Optional(Description) },
      { ...strict, minProperties: 1 },
    ),
    replies: writeReplies(200, 'The secret as it is now.', SecretReply),
    handle: ({ world, params, body }) => ok(toSecretV2(updateSecret(world, params.id, body))),
  }),
  defineOperation({
    name: 'deleteSecret',
    method: 'DELETE',
    path: '/v2/secrets/{id}',
    summary: 'Deletes a secret.',
    tag,
    needs: 'write',
    params: one,
    replies: writeReplies(204, 'Gone.'),
    handle: ({ world, params }) => {
      deleteSecret(world, params.id)
      return noContent()
    },
  }),
]

function toSecretV2({ id, name, description, createdAtMs, valueUpdatedAtMs }: Secret) {
  const valueLastUpdatedAt = toIsoOrNull(valueUpdatedAtMs)
  return { id, name, description, createdAt: toIso(createdAtMs), valueLastUpdatedAt }
}
