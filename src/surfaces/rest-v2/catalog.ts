/** The catalog as REST v2 spells it: GPU types, CPU flavors and data centers. */
import * as Type from '@sinclair/typebox'
import { cudaOffers, type GpuWish, offerOfCpu, offerOfGpu } from '../../domain/offers.ts'
import type { CpuFlavor, GpuType } from '../../model/catalog.ts'
import { notFound } from '../../model/errors.ts'
import type { World } from '../../world/world.ts'
import { defineOperation, type Operation } from '../http/operation.ts'
import { ok } from '../http/reply.ts'
import {
  CpuQuery,
  type CpuWish,
  cpuWishOf,
  GpuQuery,
  gpuWishOf,
  toOfferV2,
} from './catalog-availability.ts'
import { CpuTypeReply, GpuTypeReply } from './catalog-schemas.ts'
import { readReplies } from './replies.ts'

const tag = 'catalog'
const one = Type.Object({ id: Type.String() })

export const typeOperations: readonly Operation[] = [
  defineOperation({
    name: 'listGpuTypes',
    method: 'GET',
    path: '/v2/catalog/gpus',
    summary: 'GPU types with their prices and, when asked for, what there is of them.',
    tag,
    needs: 'read',
    query: GpuQuery,
    replies: readReplies('GPU types.', Type.Object({ gpus: Type.Array(GpuTypeReply) })),
    handle({ world, query }) {
      const wish = gpuWishOf(query)
      const gpus = world.settings.catalog.gpus.map((gpu) => toGpuTypeV2(world, gpu, wish))
      // Spec: of types that no data center of these countries has, nothing is said at all.
      const isShown = ({ dataCenters }: { readonly dataCenters?: unknown }) =>
        query.countryCodes === undefined || dataCenters !== undefined
      return ok({ gpus: gpus.filter(isShown) })
    },
  }),
  defineOperation({
    name: 'getGpuType',
    method: 'GET',
    path: '/v2/catalog/gpus/{id}',
    summary: 'One GPU type.',
    tag,
    needs: 'read',
    params: one,
    query: GpuQuery,
    replies: readReplies('The GPU type.', GpuTypeReply),
    handle({ world, params, query }) {
      const gpu = world.settings.catalog.gpus.find(({ id }) => id === params.id)
      if (gpu === undefined) throw notFound('GPU type', params.id)
      return ok(toGpuTypeV2(world, gpu, gpuWishOf(query)))
    },
  }),
  defineOperation({
    name: 'listCpuTypes',
    method: 'GET',
    path: '/v2/catalog/cpus',
    summary: 'CPU flavors with their prices and, when asked for, what there is of them.',
    tag,
    needs: 'read',
    query: CpuQuery,
    replies: readReplies('CPU flavors.', Type.Object({ cpus: Type.Array(CpuTypeReply) })),
    handle({ world, query }) {
      const wish = cpuWishOf(query)
      const { cpus } = world.settings.catalog
      return ok({ cpus: cpus.map((flavor) => toCpuTypeV2(world, flavor, wish)) })
    },
  }),
  defineOperation({
    name: 'getCpuType',
    method: 'GET',
    path: '/v2/catalog/cpus/{id}',
    summary: 'One CPU flavor.',
    tag,
    needs: 'read',
    params: one,
    query: CpuQuery,
    replies: readReplies('The CPU flavor.', CpuTypeReply),
    handle({ world, params, query }) {
      const flavor = world.settings.catalog.cpus.find(({ id }) => id === params.id)
      if (flavor === undefined) throw notFound('CPU type', params.id)
      return ok(toCpuTypeV2(world, flavor, cpuWishOf(query)))
    },
  }),
]

function toGpuTypeV2(world: World, gpu: GpuType, wish: GpuWish | undefined) {
  const { id, name, vendor, memoryGb, priceUsd, maxCount } = gpu
  const pool = world.settings.catalog.pools.find(({ gpuTypeIds }) => gpuTypeIds.includes(id))
  const { secure, community, serverless } = priceUsd
  const cudaVersions = wish === undefined ? [] : cudaOffers(world, gpu, wish)
  return {
    id,
    name,
    pool: pool?.id ?? null,
    manufacturer: vendor,
    memory: memoryGb,
    secure: maxCount.secure > 0,
    community: maxCount.community > 0,
    price: { secure, community, ...(pool === undefined ? {} : { serverless }) },
    maxCount,
    ...(wish === undefined ? {} : toOfferV2(offerOfGpu(world, gpu, wish))),
    ...(cudaVersions.length === 0 ? {} : { cudaVersions }),
  }
}

function toCpuTypeV2(world: World, flavor: CpuFlavor, wish: CpuWish | undefined) {
  const { id, name, group, vcpuMin, vcpuMax, ramGbPerVcpu, priceUsd } = flavor
  return {
    id,
    name,
    group,
    vcpu: { min: vcpuMin, max: vcpuMax },
    ramGbPerVcpu,
    price: { securePerVcpu: priceUsd.secure, serverlessPerVcpu: priceUsd.serverless },
    ...(wish === undefined ? {} : toOfferV2(offerOfCpu(world, flavor, wish.vcpuCount))),
  }
}
