/** Delegations of AWS repositories as REST v2 spells them. */
import * as Type from '@sinclair/typebox'
import { createDelegation, revokeDelegation } from '../../domain/delegations.ts'
import type { Delegation } from '../../model/delegation.ts'
import { OrNull } from '../../model/schema.ts'
import type { World } from '../../world/world.ts'
import { defineOperation, type Operation } from '../http/operation.ts'
import { created, noContent, ok, toIso } from '../http/reply.ts'
import { readReplies, writeReplies } from './replies.ts'

const tag = 'registries'

const DelegationReply = Type.Object({
  id: Type.String(),
  name: Type.Optional(OrNull(Type.String())),
  delegatorUserId: Type.String(),
  awsUser: Type.String(),
  repository: Type.String(),
  tag: Type.String(),
  awsRegion: Type.String(),
  dockerRegistryUri: Type.Optional(Type.String()),
  createdAt: Type.String({ format: 'date-time' }),
})

export const delegationOperations: readonly Operation[] = [
  defineOperation({
    name: 'listDelegations',
    method: 'GET',
    path: '/v2/registries/delegations',
    summary: 'AWS repositories that may be pulled from.',
    tag,
    needs: 'read',
    replies: readReplies('Delegations.', Type.Object({ delegations: Type.Array(DelegationReply) })),
    handle: ({ world }) =>
      ok({ delegations: world.delegations.all().map((item) => toDelegationV2(world, item)) }),
  }),
  defineOperation({
    name: 'createDelegation',
    method: 'POST',
    path: '/v2/registries/delegations',
    summary: 'Registers an AWS repository by its resource name (ARN).',
    tag,
    needs: 'write',
    body: Type.Object(
      { resource: Type.String(), name: Type.Optional(OrNull(Type.String())) },
      { additionalProperties: false },
    ),
    replies: writeReplies(201, 'The new delegation.', DelegationReply),
    handle: ({ world, body }) => created(toDelegationV2(world, createDelegation(world, body))),
  }),
  defineOperation({
    name: 'revokeDelegation',
    method: 'DELETE',
    path: '/v2/registries/delegations/{id}',
    summary: 'Takes a delegation back.',
    tag,
    needs: 'write',
    params: Type.Object({ id: Type.String() }),
    replies: writeReplies(204, 'Revoked.'),
    handle: ({ world, params }) => {
      revokeDelegation(world, params.id)
      return noContent()
    },
  }),
]

function toDelegationV2(world: World, delegation: Delegation) {
  const { id, name, awsAccountId, awsRegion, repository, createdAtMs } = delegation
  return {
    id,
    name,
    delegatorUserId: world.account.id,
    awsUser: awsAccountId,
    repository,
    tag: delegation.tag,
    awsRegion,
    dockerRegistryUri: `${awsAccountId}.dkr.ecr.${awsRegion}.amazonaws.com`,
    createdAt: toIso(createdAtMs),
  }
}
