/** Network volumes as REST v1 spells them. */
import * as Type from '@sinclair/typebox'
import { createVolume, deleteVolume, updateVolume } from '../../domain/volumes.ts'
import { ResourceName } from '../../model/pod.ts'
import { defineOperation, type Operation } from '../http/operation.ts'
import { noContent, ok } from '../http/reply.ts'
import { succeededBy } from '../http/successor.ts'
import { refusals, refusalsOfOne } from './errors.ts'
import { withPostForm } from './post-form.ts'
import { NetworkVolumeV1, toNetworkVolumeV1 } from './volume-replies.ts'

const tag = 'network volumes'
const path = '/v1/networkvolumes'
const onePath = '/v1/networkvolumes/{networkVolumeId}'
const params = Type.Object({ networkVolumeId: Type.String() })
const strict = { additionalProperties: false }
const shown = { 200: { description: 'The network volume.', schema: NetworkVolumeV1 } }
const volumeReply = { ...shown, ...refusalsOfOne }

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
    replies: { ...shown, ...refusals },
    successor: succeededBy(
      'POST /v2/network-volumes createNetworkVolume',
      'dataCenter, not dataCenterId',
    ),
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
    successor: succeededBy(
      'GET /v2/network-volumes listNetworkVolumes',
      'wrapped in {networkVolumes}',
    ),
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
    successor: succeededBy('GET /v2/network-volumes/{id} getNetworkVolume'),
    handle: ({ world, params: { networkVolumeId } }) =>
      ok(toNetworkVolumeV1(world.networkVolumes.require(networkVolumeId))),
  }),
  ...withPostForm(
    defineOperation({
      name: 'UpdateNetworkVolume',
      method: 'PATCH',
      path: onePath,
      summary: 'Rename a network volume, or make it larger',
      tag,
      needs: 'write',
      params,
      body: UpdateRequest,
      replies: volumeReply,
      successor: succeededBy('PATCH /v2/network-volumes/{id} updateNetworkVolume'),
      // Assumed: the present size is accepted too; the documents only say "greater".
      handle: ({ world, params: { networkVolumeId }, body }) =>
        ok(
          toNetworkVolumeV1(
            updateVolume(world, networkVolumeId, { name: body.name, sizeGb: body.size }),
          ),
        ),
    }),
  ),
  defineOperation({
    name: 'DeleteNetworkVolume',
    method: 'DELETE',
    path: onePath,
    summary: 'Delete a network volume',
    tag,
    needs: 'write',
    params,
    replies: { 204: { description: 'The network volume is gone.' }, ...refusalsOfOne },
    successor: succeededBy('DELETE /v2/network-volumes/{id} deleteNetworkVolume'),
    handle: ({ world, params: { networkVolumeId } }) => {
      deleteVolume(world, networkVolumeId)
      return noContent()
    },
  }),
]
