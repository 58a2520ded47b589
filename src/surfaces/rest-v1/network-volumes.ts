/** Network volumes as REST v1 spells them. */
import * as Type from '@sinclair/typebox'
import { createVolume, deleteVolume, updateVolume } from '../../domain/volumes.ts'
import { ResourceName } from '../../model/pod.ts'
import { defineOperation, type Operation } from '../http/operation.ts'
import { noContent, ok } from '../http/reply.ts'
import { refusals, refusalsOfOne } from './errors.ts'
import { NetworkVolumeV1, toNetworkVolumeV1 } from './volume-replies.ts'

const tag = 'network volumes'
const path = '/v1/networkvolumes'
const onePath = '/v1/networkvolumes/{networkVolumeId}'
const params = Type.Object({ networkVolumeId: Type.String() })
const strict = { additionalProperties: false }
const volumeReply = {
  200: { description: 'The network volume.', schema: NetworkVolumeV1 },
  ...refusalsOfOne,
}

/** In GB. Spec: 0 to 4000. Assumed: a volume of nothing is refused. */
const Size = Type.Integer({ minimum: 1, maximum: 4_000 })

const CreateRequest = Type.Object(
  { name: ResourceName, size: Size, dataCenterId: Type.String({ minLength: 1 }) },
  strict,
)
const UpdateRequest = Type.Object(
  { name: Type.Optional(ResourceName), size: Type.Optional(Size) },
  strict,
)

export const networkVolumeOperations: readonly Operation[] = [
  defineOperation({
    name: 'CreateNetworkVolume',
    method: 'POST',
    path,
    summary: 'Create a network volume',
    tag,
    needs: 'write',
    body: CreateRequest,
    replies: volumeReply,
    handle: ({ world, body: { name, size, dataCenterId } }) =>
      ok(toNetworkVolumeV1(createVolume(world, { name, sizeGb: size, dataCenterId }))),
  }),
  defineOperation({
    name: 'ListNetworkVolumes',
    method: 'GET',
    path,
    summary: 'List network volumes',
    tag,
    needs: 'read',
    replies: {
      200: { description: 'The network volumes.', schema: Type.Array(NetworkVolumeV1) },
      ...refusals,
    },
    handle: ({ world }) => ok(world.networkVolumes.all().map(toNetworkVolumeV1)),
  }),
  defineOperation({
    name: 'GetNetworkVolume',
    method: 'GET',
    path: onePath,
    summary: 'Find a network volume by its id',
    tag,
    needs: 'read',
    params,
    replies: volumeReply,
    handle: ({ world, params: { networkVolumeId } }) =>
      ok(toNetworkVolumeV1(world.networkVolumes.require(networkVolumeId))),
  }),
  defineUpdate('UpdateNetworkVolume', 'PATCH', onePath),
  defineUpdate('UpdateNetworkVolumeByPost', 'POST', `${onePath}/update`),
  defineOperation({
    name: 'DeleteNetworkVolume',
    method: 'DELETE',
    path: onePath,
    summary: 'Delete a network volume',
    tag,
    needs: 'write',
    params,
    replies: { 204: { description: 'The network volume is gone.' }, ...refusalsOfOne },
    handle: ({ world, params: { networkVolumeId } }) => {
      deleteVolume(world, networkVolumeId)
      return noContent()
    },
  }),
]

function defineUpdate(name: string, method: 'PATCH' | 'POST', updatePath: string): Operation {
  return defineOperation({
    name,
    method,
    path: updatePath,
    summary: 'Rename a network volume, or make it larger',
    tag,
    needs: 'write',
    params,
    body: UpdateRequest,
    replies: volumeReply,
    // Assumed: the present size is accepted too; the documents only say "greater".
    handle: ({ world, params: { networkVolumeId }, body }) =>
      ok(
        toNetworkVolumeV1(
          updateVolume(world, networkVolumeId, { name: body.name, sizeGb: body.size }),
        ),
      ),
  })
}
