/** Network volumes and registries as REST v2 spells them. */
import * as Type from '@sinclair/typebox'
import { createRegistry, deleteRegistry } from '../../domain/registries.ts'
import { createVolume, deleteVolume, updateVolume } from '../../domain/volumes.ts'
import type { Registry } from '../../model/registry.ts'
import { OneOf } from '../../model/schema.ts'
import { type NetworkVolume, volumeTypes } from '../../model/storage.ts'
import { defineOperation, type Operation } from '../http/operation.ts'
import { created, noContent, ok } from '../http/reply.ts'
import { readReplies, writeReplies } from './replies.ts'

const strict = { additionalProperties: false }
const one = Type.Object({ id: Type.String() })
const Text = Type.String({ minLength: 1 })
// Spec: 10 to 4096 GB.
const Size = Type.Integer({ minimum: 10, maximum: 4_096 })

const VolumeReply = Type.Object({
  id: Type.String(),
  name: Type.String(),
  size: Size,
  dataCenter: Type.String(),
  type: OneOf(volumeTypes),
})

export const volumeOperations: readonly Operation[] = [
  defineOperation({
    name: 'listNetworkVolumes',
    method: 'GET',
    path: '/v2/network-volumes',
    summary: 'Network volumes of the account.',
    tag: 'network volumes',
    needs: 'read',
    replies: readReplies('Volumes.', Type.Object({ networkVolumes: Type.Array(VolumeReply) })),
    handle: ({ world }) => ok({ networkVolumes: world.networkVolumes.all().map(toVolumeV2) }),
  }),
  defineOperation({
    name: 'createNetworkVolume',
    method: 'POST',
    path: '/v2/network-volumes',
    summary: 'Makes a volume in one data center.',
    tag: 'network volumes',
    needs: 'write',
    body: Type.Object(
      { name: Text, size: Size, dataCenter: Text, type: Type.Optional(OneOf(volumeTypes)) },
      strict,
    ),
    replies: writeReplies(201, 'The new volume.', VolumeReply),
    handle: ({ world, body: { name, size, dataCenter, type } }) => {
      const spec = { name, sizeGb: size, dataCenterId: dataCenter, type }
      return created(toVolumeV2(createVolume(world, spec)))
    },
  }),
  defineOperation({
    name: 'getNetworkVolume',
    method: 'GET',
    path: '/v2/network-volumes/{id}',
    summary: 'One volume.',
    tag: 'network volumes',
    needs: 'read',
    params: one,
    replies: readReplies('The volume.', VolumeReply),
    handle: ({ world, params }) => ok(toVolumeV2(world.networkVolumes.require(params.id))),
  }),
  defineOperation({
    name: 'updateNetworkVolume',
    method: 'PATCH',
    path: '/v2/network-volumes/{id}',
    summary: 'Renames a volume or makes it larger.',
    tag: 'network volumes',
    needs: 'write',
    params: one,
    body: Type.Object(
      { name: Type.Optional(Text), size: Type.Optional(Size) },
      { ...strict, minProperties: 1 },
    ),
    replies: writeReplies(200, 'The volume as it is now.', VolumeReply),
    handle: ({ world, params, body: { name, size } }) =>
      ok(toVolumeV2(updateVolume(world, params.id, { name, sizeGb: size }))),
  }),
  defineOperation({
    name: 'deleteNetworkVolume',
    method: 'DELETE',
    path: '/v2/network-volumes/{id}',
    summary: 'Deletes a volume that nothing is attached to.',
    tag: 'network volumes',
    needs: 'write',
    params: one,
    replies: writeReplies(204, 'Gone.'),
    handle: ({ world, params }) => {
      deleteVolume(world, params.id)
      return noContent()
    },
  }),
]

const RegistryReply = Type.Object({ id: Type.String(), name: Type.String() })

export const registryOperations: readonly Operation[] = [
  defineOperation({
    name: 'listRegistries',
    method: 'GET',
    path: '/v2/registries',
    summary: 'Registry credentials of the account, without the secrets.',
    tag: 'registries',
    needs: 'read',
    replies: readReplies('Registries.', Type.Object({ registries: Type.Array(RegistryReply) })),
    handle: ({ world }) => ok({ registries: world.registries.all().map(toRegistryV2) }),
  }),
  defineOperation({
    name: 'createRegistry',
    method: 'POST',
    path: '/v2/registries',
    summary: 'Saves the credentials of a registry.',
    tag: 'registries',
    needs: 'write',
    body: Type.Object({ name: Text, username: Text, password: Text }, strict),
    replies: writeReplies(201, 'The new registry.', RegistryReply),
    handle: ({ world, body }) => created(toRegistryV2(createRegistry(world, body))),
  }),
  defineOperation({
    name: 'getRegistry',
    method: 'GET',
    path: '/v2/registries/{id}',
    summary: 'One registry.',
    tag: 'registries',
    needs: 'read',
    params: one,
    replies: readReplies('The registry.', RegistryReply),
    handle: ({ world, params }) => ok(toRegistryV2(world.registries.require(params.id))),
  }),
  defineOperation({
    name: 'deleteRegistry',
    method: 'DELETE',
    path: '/v2/registries/{id}',
    summary: 'Deletes credentials that no pod uses.',
    tag: 'registries',
    needs: 'write',
    params: one,
    replies: writeReplies(204, 'Gone.'),
    handle: ({ world, params }) => {
      deleteRegistry(world, params.id)
      return noContent()
    },
  }),
]

function toVolumeV2({ id, name, sizeGb, dataCenterId, type }: NetworkVolume) {
  return { id, name, size: sizeGb, dataCenter: dataCenterId, type }
}

function toRegistryV2({ id, name }: Registry) {
  return { id, name }
}
