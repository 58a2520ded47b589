/** GPU types as GraphQL spells them: prices by cloud, and the best offer on request. */
import { lowestBidUsd } from '../../domain/spot-prices.ts'
import type { GpuType } from '../../model/catalog.ts'
import type { World } from '../../world/world.ts'
import { toDataCenter } from './data-centers.ts'
import { said, saidList, type Wire } from './inputs.ts'
import { type OfferInput, toLowestPrice } from './prices.ts'

export interface GpuTypeFilter {
  readonly id?: Wire<string>
  readonly ids?: Wire<readonly Wire<string>[]>
  readonly cluster?: Wire<boolean>
}

/** Observed: a type that stands for machines without GPUs; clients leave it out by its id. */
const unknownType: GpuType = {
  id: 'unknown',
  name: 'unknown',
  vendor: 'NVIDIA',
  memoryGb: 0,
  priceUsd: { secure: 0, community: 0, serverless: 0 },
  maxCount: { secure: 0, community: 0 },
  vcpuPerGpu: 0,
  ramGbPerGpu: 0,
}

export function findGpuType(world: World, id: string): GpuType | undefined {
  return world.settings.catalog.gpus.find((gpu) => gpu.id === id)
}

export function listGpuTypes(world: World, filter: GpuTypeFilter) {
  const id = said(filter.id)
  const ids = saidList(filter.ids)
  return [unknownType, ...world.settings.catalog.gpus]
    .filter((gpu) => filter.cluster !== true || gpu.maxCount.secure > 0)
    .filter((gpu) => id === undefined || gpu.id === id)
    .filter((gpu) => ids === undefined || ids.includes(gpu.id))
    .map((gpu) => toGpuType(world, gpu))
}

export function toGpuType(world: World, gpu: GpuType) {
  const { secure, community } = gpu.maxCount
  const securePrice = priceOrNull(gpu.priceUsd.secure)
  const communityPrice = priceOrNull(gpu.priceUsd.community)
  return {
    id: gpu.id,
    displayName: gpu.name,
    manufacturer: gpu.vendor === 'NVIDIA' ? 'Nvidia' : 'AMD',
    memoryInGb: gpu.memoryGb,
    secureCloud: secure > 0,
    communityCloud: community > 0,
    securePrice,
    communityPrice,
    secureSpotPrice: securePrice === null ? null : lowestBidUsd(securePrice),
    communitySpotPrice: communityPrice === null ? null : lowestBidUsd(communityPrice),
    maxGpuCount: Math.max(secure, community),
    maxGpuCountSecureCloud: secure,
    maxGpuCountCommunityCloud: community,
    minPodGpuCount: 1,
    // Assumed: clusters exist in the secure cloud only, at its price. Other prices and cores are not
    // in the catalog.
    clusterPrice: securePrice,
    nodeGroupDatacenters: () =>
      world.stock.dataCenters
        .filter((place) => (place.gpus[gpu.id]?.secure ?? 0) > 0)
        .map((place) => toDataCenter(world, place)),
    nodeGroupGpuSizes: Array.from({ length: secure }, (_, index) => index + 1),
    lowestPrice: ({ input }: { input?: Wire<OfferInput> }) =>
      toLowestPrice(world, gpu, input ?? {}),
  }
}

const priceOrNull = (usd: number): number | null => (usd > 0 ? usd : null)
