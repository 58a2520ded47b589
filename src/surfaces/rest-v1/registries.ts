/** Registry credentials as REST v1 spells them: container registry auths, of which only names show. */
import * as Type from '@sinclair/typebox'
import { createRegistry, deleteRegistry } from '../../domain/registries.ts'
import { ResourceName } from '../../model/pod.ts'
import type { Registry } from '../../model/registry.ts'
import { defineOperation, type Operation } from '../http/operation.ts'
import { noContent, ok } from '../http/reply.ts'
import { succeededBy } from '../http/successor.ts'
import { refusals, refusalsOfOne } from './errors.ts'

const tag = 'container registry auths'
const path = '/v1/containerregistryauth'
const onePath = '/v1/containerregistryauth/{containerRegistryAuthId}'
const params = Type.Object({ containerRegistryAuthId: Type.String() })
const NotEmpty = Type.String({ minLength: 1 })

const RegistryAuthV1 = Type.Object({ id: Type.String(), name: Type.String() })
const shown = {
  200: { description: 'The credentials, without what is secret.', schema: RegistryAuthV1 },
}
const authReply = { ...shown, ...refusalsOfOne }

const CreateRequest = Type.Object(
  { name: ResourceName, username: NotEmpty, password: NotEmpty },
  { additionalProperties: false },
)

export const registryOperations: readonly Operation[] = [
  defineOperation({
    name: 'CreateContainerRegistryAuth',
    method: 'POST',
    path,
    summary: 'Keep credentials of a container registry',
    tag,
    needs: 'write',
    body: CreateRequest,
    replies: { ...shown, ...refusals },
    successor: succeededBy('POST /v2/registries createRegistry'),
    handle: ({ world, body }) => ok(toRegistryAuthV1(createRegistry(world, body))),
  }),
  defineOperation({
    name: 'ListContainerRegistryAuths',
    method: 'GET',
    path,
    summary: 'List credentials of container registries',
    tag,
    needs: 'read',
    replies: {
      200: { description: 'All credentials.', schema: Type.Array(RegistryAuthV1) },
      ...refusals,
    },
    successor: succeededBy('GET /v2/registries listRegistries', 'wrapped in {registries}'),
    handle: ({ world }) => ok(world.registries.all().map(toRegistryAuthV1)),
  }),
  defineOperation({
    name: 'GetContainerRegistryAuth',
    method: 'GET',
    path: onePath,
    summary: 'Find credentials of a container registry by their id',
    tag,
    needs: 'read',
    params,
    replies: authReply,
    successor: succeededBy('GET /v2/registries/{id} getRegistry'),
    handle: ({ world, params: { containerRegistryAuthId } }) =>
      ok(toRegistryAuthV1(world.registries.require(containerRegistryAuthId))),
  }),
  defineOperation({
    name: 'DeleteContainerRegistryAuth',
    method: 'DELETE',
    path: onePath,
    summary: 'Forget credentials of a container registry',
    tag,
    needs: 'write',
    params,
    replies: { 204: { description: 'The credentials are gone.' }, ...refusalsOfOne },
    successor: succeededBy('DELETE /v2/registries/{id} deleteRegistry'),
    handle: ({ world, params: { containerRegistryAuthId } }) => {
      deleteRegistry(world, containerRegistryAuthId)
      return noContent()
    },
  }),
]

function toRegistryAuthV1({ id, name }: Registry) {
  return { id, name }
}
