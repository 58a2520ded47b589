/** Data centers as REST v2 spells them, and the filters that go over them. */
import type { Static } from '@sinclair/typebox'
import * as Type from '@sinclair/typebox'
import { cpusAt, gpusAt } from '../../domain/offers.ts'
import { certificates, type DataCenter, regions } from '../../model/catalog.ts'
import { notFound } from '../../model/errors.ts'
import { OneOf } from '../../model/schema.ts'
import { volumeTypes } from '../../model/storage.ts'
import type { World } from '../../world/world.ts'
import { CommaList } from '../http/comma-lists.ts'
import { defineOperation, type Operation } from '../http/operation.ts'
import { ok } from '../http/reply.ts'
import { DataCenterReply } from './catalog-schemas.ts'
import { readReplies } from './replies.ts'

const tag = 'catalog'
const IncludeQuery = Type.Object({
  include: Type.Optional(CommaList(OneOf(['GPU_AVAILABILITY', 'CPU_AVAILABILITY']))),
})
const ListQuery = Type.Object({
  ...IncludeQuery.properties,
  regions: Type.Optional(CommaList(OneOf(regions))),
  networkVolumeTypes: Type.Optional(CommaList(OneOf(volumeTypes))),
  compliance: Type.Optional(CommaList(OneOf(certificates))),
  globalNetwork: Type.Optional(Type.Boolean()),
})

export const dataCenterOperations: readonly Operation[] = [
  defineOperation({
    name: 'listDataCenters',
    method: 'GET',
    path: '/v2/catalog/datacenters',
    summary: 'Data centers, and what they have to offer.',
    tag,
    needs: 'read',
    query: ListQuery,
    replies: readReplies(
      'Data centers.',
      Type.Object({ dataCenters: Type.Array(DataCenterReply) }),
    ),
    handle: ({ world, query }) =>
      ok({
        dataCenters: world.stock.dataCenters
          .filter((place) => passes(place, query))
          .map((place) => toDataCenterV2(world, place, query)),
      }),
  }),
  defineOperation({
    name: 'getDataCenter',
    method: 'GET',
    path: '/v2/catalog/datacenters/{id}',
    summary: 'One data center.',
    tag,
    needs: 'read',
    params: Type.Object({ id: Type.String() }),
    query: IncludeQuery,
    replies: readReplies('The data center.', DataCenterReply),
    handle({ world, params, query }) {
      const place = world.stock.dataCenters.find(({ id }) => id === params.id)
      if (place === undefined) throw notFound('data center', params.id)
      return ok(toDataCenterV2(world, place, query))
    },
  }),
]

/** Spec: one of the regions, all of the volume types, all of the certificates. */
function passes(place: DataCenter, query: Static<typeof ListQuery>): boolean {
  const { regions: wanted, networkVolumeTypes = [], compliance = [], globalNetwork } = query
  return (
    (wanted === undefined || wanted.includes(place.region)) &&
    networkVolumeTypes.every((type) => place.volumeTypes.includes(type)) &&
    compliance.every((certificate) => place.compliance.includes(certificate)) &&
    (globalNetwork === undefined || place.globalNetwork === globalNetwork)
  )
}

/** Spec: a data center without any GPU, or any CPU flavor, has no such list. */
function toDataCenterV2(
  world: World,
  place: DataCenter,
  { include = [] }: Static<typeof IncludeQuery>,
) {
  const gpus = include.includes('GPU_AVAILABILITY') ? gpusAt(world, place) : []
  const cpus = include.includes('CPU_AVAILABILITY') ? cpusAt(world, place) : []
  const gpuAvailability = gpus.map(({ gpu: { id, name }, level }) => ({
    id,
    name,
    availability: level,
  }))
  const cpuAvailability = cpus.map(({ flavor: { id, name }, level }) => ({
    id,
    name,
    availability: level,
  }))
  return {
    id: place.id,
    name: place.name,
    region: place.region,
    globalNetwork: place.globalNetwork,
    networkVolumeTypes: place.volumeTypes,
    compliance: place.compliance,
    ...(gpuAvailability.length === 0 ? {} : { gpuAvailability }),
    ...(cpuAvailability.length === 0 ? {} : { cpuAvailability }),
  }
}
