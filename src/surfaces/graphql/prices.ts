/** What a GPU type costs and whether it can be had: the best offer for one size of pod. */
import { machineRates } from '../../domain/availability.ts'
import { podsThatFit } from '../../domain/offers.ts'
import { cents, lowestBidUsd } from '../../domain/spot-prices.ts'
import {
  type Certificate,
  compareCuda,
  type DataCenter,
  type GpuType,
  isCertified,
  priceIn,
  tierKey,
} from '../../model/catalog.ts'
import type { CloudTier } from '../../model/container.ts'
import type { World } from '../../world/world.ts'
import { parts, said, saidList, type Wire } from './inputs.ts'
import { outOfStock, stockLevel } from './stock-levels.ts'

export interface OfferInput {
  readonly gpuCount?: Wire<number>
  readonly secureCloud?: Wire<boolean>
  readonly dataCenterId?: Wire<string>
  readonly countryCode?: Wire<string>
  readonly minMemoryInGb?: Wire<number>
  readonly minVcpuCount?: Wire<number>
  readonly cudaVersion?: Wire<string>
  readonly allowedCudaVersions?: Wire<readonly Wire<string>[]>
  readonly minCudaVersion?: Wire<string>
  readonly globalNetwork?: Wire<boolean>
  readonly includeAiApi?: Wire<boolean>
  readonly minDownload?: Wire<number>
  readonly minUpload?: Wire<number>
  readonly compliance?: Wire<readonly Wire<Certificate>[]>
}

/** Observed: an object whatever the stock, and prices are for all GPUs of the pod together. */
export function toLowestPrice(world: World, gpu: GpuType, input: OfferInput) {
  const count = said(input.gpuCount) ?? 1
  const places = placesFor(world, input)
  const offers = tiersOf(input)
    .map((tier) => ({ ...toOffer(world, gpu, tier, places, count, input), tier }))
    .filter(({ pods }) => pods > 0)
    .sort((left, right) => left.usdPerGpu - right.usdPerGpu)
  const [best] = offers
  const pods = offers.reduce((sum, offer) => sum + offer.pods, 0)
  const maxCount = Math.max(...tiersOf(input).map((tier) => gpu.maxCount[tierKey[tier]]))
  return {
    gpuName: gpu.name,
    gpuTypeId: gpu.id,
    uninterruptablePrice: best === undefined ? null : cents(best.usdPerGpu * count),
    minimumBidPrice: best === undefined ? null : cents(lowestBidUsd(best.usdPerGpu) * count),
    minMemory: best === undefined ? null : gpu.ramGbPerGpu * count,
    minVcpu: best === undefined ? null : gpu.vcpuPerGpu * count,
    stockStatus: stockLevel(pods) ?? outOfStock(world),
    maxGpuCount: maxCount,
    maxUnreservedGpuCount: () => countsFree(world, gpu, places, input).at(-1) ?? 0,
    availableGpuCounts: () => countsFree(world, gpu, places, input),
    gpuTypeCudaVersions: () => toCudaVersions(world, gpu, places, input),
    countryCode: said(input.countryCode) ?? null,
    supportPublicIp: true,
    compliance: saidList(input.compliance) ?? [],
    ...useOf(world, gpu, places, tiersOf(input)),
    minDownload: machineRates.downloadMbps,
    minUpload: machineRates.uploadMbps,
  }
}

/** How many GPUs of the type there are, and how many of them are rented. */
function useOf(
  world: World,
  gpu: GpuType,
  places: readonly DataCenter[],
  tiers: readonly CloudTier[],
) {
  const sumOf = (count: (place: DataCenter, tier: CloudTier) => number): number =>
    places.flatMap((place) => tiers.map((tier) => count(place, tier))).reduce((a, b) => a + b, 0)
  const totalCount = () => sumOf((place, tier) => world.stock.totalGpus(place, gpu.id, tier))
  const rentedCount = () =>
    totalCount() - sumOf((place, tier) => world.stock.freeGpus(place, gpu.id, tier))
  return {
    totalCount,
    rentedCount,
    rentalPercentage: () => (totalCount() === 0 ? 0 : (100 * rentedCount()) / totalCount()),
  }
}

export function tiersOf({ secureCloud }: OfferInput): CloudTier[] {
  if (secureCloud === true) return ['SECURE']
  return secureCloud === false ? ['COMMUNITY'] : ['SECURE', 'COMMUNITY']
}

/** True when a machine of the data center has a CUDA version that is asked for. */
export function hasCuda({ cudaVersions }: DataCenter, input: OfferInput): boolean {
  const allowed = saidList(input.allowedCudaVersions) ?? said(parts(input.cudaVersion))
  const lowest = said(input.minCudaVersion)
  return cudaVersions
    .filter((version) => allowed === undefined || allowed.includes(version))
    .some((version) => lowest === undefined || compareCuda(version, lowest) >= 0)
}

export function isLargeEnough(gpu: GpuType, count: number, input: OfferInput): boolean {
  const { minMemoryInGb, minVcpuCount } = input
  return (
    gpu.ramGbPerGpu * count >= (minMemoryInGb ?? 0) && gpu.vcpuPerGpu * count >= (minVcpuCount ?? 0)
  )
}

function toOffer(
  world: World,
  gpu: GpuType,
  tier: CloudTier,
  places: readonly DataCenter[],
  count: number,
  input: OfferInput,
): { readonly pods: number; readonly usdPerGpu: number } {
  const priceTier = input.includeAiApi === true ? 'serverless' : tierKey[tier]
  const stocked = places.filter((place) => podsThatFit(world, gpu, [tier], place, count) > 0)
  const price = Math.min(...stocked.map((place) => priceIn(place, gpu, priceTier)))
  const fits = price > 0 && isLargeEnough(gpu, count, input)
  const pods = fits
    ? stocked.reduce((sum, place) => sum + podsThatFit(world, gpu, [tier], place, count), 0)
    : 0
  return { pods, usdPerGpu: price }
}

/** Data centers that meet every wish; none when no machine is as fast as is asked for. */
function placesFor(world: World, input: OfferInput): DataCenter[] {
  if ((input.minDownload ?? 0) > machineRates.downloadMbps) return []
  if ((input.minUpload ?? 0) > machineRates.uploadMbps) return []
  const ids = parts(input.dataCenterId)
  const country = said(input.countryCode)
  return world.stock.dataCenters.filter(
    (place) =>
      (ids.length === 0 || ids.includes(place.id)) &&
      (country === undefined || place.countryCode === country) &&
      (input.globalNetwork !== true || place.globalNetwork) &&
      isCertified(place, saidList(input.compliance) ?? []) &&
      hasCuda(place, input),
  )
}

/** Sizes of pod that there is room for at present. */
function countsFree(
  world: World,
  gpu: GpuType,
  places: readonly DataCenter[],
  input: OfferInput,
): number[] {
  const tiers = tiersOf(input)
  const maxCount = Math.max(...tiers.map((tier) => gpu.maxCount[tierKey[tier]]))
  return Array.from({ length: maxCount }, (_, index) => index + 1).filter((count) =>
    places.some((place) => podsThatFit(world, gpu, tiers, place, count) > 0),
  )
}

/** Every version that some data center has, and whether a machine with it is free. */
function toCudaVersions(
  world: World,
  gpu: GpuType,
  places: readonly DataCenter[],
  input: OfferInput,
) {
  const versions = new Set(world.stock.dataCenters.flatMap(({ cudaVersions }) => cudaVersions))
  return [...versions].sort(compareCuda).map((cudaVersion) => {
    const isFree = places
      .filter((place) => place.cudaVersions.includes(cudaVersion))
      .some(
        (place) => podsThatFit(world, gpu, tiersOf(input), place, said(input.gpuCount) ?? 1) > 0,
      )
    return { cudaVersion, availability: isFree ? 'AVAILABLE' : 'UNAVAILABLE' }
  })
}
