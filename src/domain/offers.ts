/** How much of a type can be had at present: in one size, for some products, in some places. */
import {
  type CpuFlavor,
  compareCuda,
  type DataCenter,
  type GpuType,
  tierKey,
} from '../model/catalog.ts'
import { type CloudTier, cloudTiers } from '../model/container.ts'
import type { World } from '../world/world.ts'

export const stockLevels = ['NONE', 'LOW', 'MEDIUM', 'HIGH'] as const
export type StockLevel = (typeof stockLevels)[number]

/** Spec: a low level is very few. Assumed: how many of the size asked for make which level. */
const mediumFrom = 8
const highFrom = 32

export const products = ['POD', 'CLUSTER', 'SERVERLESS'] as const
export type Product = (typeof products)[number]

export interface GpuWish {
  /** Assumed: what one of them can have is available. */
  readonly products: readonly Product[]
  /** GPUs of each pod or worker. */
  readonly count: number
  readonly cloud: CloudTier
  /** Empty for any. */
  readonly countryCodes: readonly string[]
  readonly cuda: CudaWish
}

/** Nothing said asks for nothing; `least` may be a major version alone. */
export interface CudaWish {
  readonly versions?: readonly string[] | undefined
  readonly least?: string | undefined
}

export interface Offer {
  readonly level: StockLevel
  /** Data centers that have it at present, and how much of it. */
  readonly places: readonly { readonly place: DataCenter; readonly level: StockLevel }[]
}

export function levelOf(count: number): StockLevel {
  if (count >= highFrom) return 'HIGH'
  if (count >= mediumFrom) return 'MEDIUM'
  return count > 0 ? 'LOW' : 'NONE'
}

/** How many pods of that size there is room for. */
export function podsThatFit(
  world: World,
  gpu: GpuType,
  tiers: readonly CloudTier[],
  place: DataCenter,
  count: number,
): number {
  return tiers
    .filter((tier) => gpu.maxCount[tierKey[tier]] >= count)
    .map((tier) => Math.floor(world.stock.freeGpus(place, gpu.id, tier) / count))
    .reduce((sum, pods) => sum + pods, 0)
}

export function offerOfGpu(world: World, gpu: GpuType, wish: GpuWish): Offer {
  const places = placesOf(world, gpu, wish)
  const offers = wish.products.map((product) =>
    places.map((place) => unitsFor(world, gpu, place, product, wish)),
  )
  return toOffer(places, offers)
}

/** Spec: CPU compute is the same for pods and for workers, in sizes that are powers of two. */
export function offerOfCpu(world: World, flavor: CpuFlavor, vcpuCount = flavor.vcpuMin): Offer {
  const { vcpuMin, vcpuMax, id } = flavor
  const comesSo = vcpuMin <= vcpuCount && vcpuCount <= vcpuMax
  const places = comesSo ? world.stock.dataCenters : []
  const units = places.map((place) => Math.floor(world.stock.freeVcpus(place, id) / vcpuCount))
  return toOffer(places, [units])
}

/**
 * The versions that machines with this type have, oldest first, and whether one of those is free.
 * Spec: machines with AMD's GPUs have none.
 */
export function cudaOffers(
  world: World,
  gpu: GpuType,
  wish: GpuWish,
): { readonly version: string; readonly available: boolean }[] {
  const owners = placesOf(world, gpu, wish).filter(
    (place) =>
      place.gpus[gpu.id] !== undefined || podsThatFit(world, gpu, [wish.cloud], place, 1) > 0,
  )
  const versions = new Set(owners.flatMap((place) => versionsOf(gpu, place, wish.cuda)))
  return [...versions].sort(compareCuda).map((version) => {
    const { level } = offerOfGpu(world, gpu, { ...wish, cuda: { versions: [version] } })
    return { version, available: level !== 'NONE' }
  })
}

/** What a data center has of each type that is ever there, sold out or not, in either cloud. */
export function gpusAt(world: World, place: DataCenter) {
  return world.settings.catalog.gpus
    .map((gpu) => ({ gpu, level: levelOf(podsThatFit(world, gpu, cloudTiers, place, 1)) }))
    .filter(({ gpu, level }) => place.gpus[gpu.id] !== undefined || level !== 'NONE')
}

/** Likewise, of the smallest size of each CPU flavor. */
export function cpusAt(world: World, place: DataCenter) {
  return world.settings.catalog.cpus
    .map((flavor) => {
      const free = world.stock.freeVcpus(place, flavor.id)
      return { flavor, level: levelOf(Math.floor(free / flavor.vcpuMin)) }
    })
    .filter(({ flavor, level }) => place.cpus[flavor.id] !== undefined || level !== 'NONE')
}

function placesOf(world: World, gpu: GpuType, { countryCodes, cuda }: GpuWish): DataCenter[] {
  const asksForCuda = cuda.versions !== undefined || cuda.least !== undefined
  return world.stock.dataCenters
    .filter(({ countryCode }) => countryCodes.length === 0 || countryCodes.includes(countryCode))
    .filter((place) => !asksForCuda || versionsOf(gpu, place, cuda).length > 0)
}

function versionsOf(gpu: GpuType, { cudaVersions }: DataCenter, wish: CudaWish): string[] {
  if (gpu.vendor !== 'NVIDIA') return []
  const { versions, least } = wish
  return cudaVersions
    .filter((version) => versions === undefined || versions.includes(version))
    .filter((version) => least === undefined || compareCuda(version, least) >= 0)
}

/** How many pods, workers or clusters there is room for. */
function unitsFor(
  world: World,
  gpu: GpuType,
  place: DataCenter,
  product: Product,
  { count, cloud }: GpuWish,
): number {
  const pods = podsThatFit(world, gpu, [cloud], place, count)
  if (product === 'POD') return pods
  // Spec: a cluster has two pods or more, in one data center. Assumed: in the secure cloud.
  if (product === 'CLUSTER') return cloud === 'SECURE' ? Math.floor(pods / 2) : 0
  // Spec: workers run on the types of pools.
  const isPooled = world.settings.catalog.pools.some((pool) => pool.gpuTypeIds.includes(gpu.id))
  return isPooled ? pods : 0
}

/** `units`: for each product, how many each place has room for. */
function toOffer(places: readonly DataCenter[], units: readonly (readonly number[])[]): Offer {
  const most = units.map((counts) => counts.reduce((sum, count) => sum + count, 0))
  return {
    level: levelOf(Math.max(0, ...most)),
    places: places
      .map((place, index) => {
        const level = levelOf(Math.max(0, ...units.map((counts) => counts[index] ?? 0)))
        return { place, level }
      })
      .filter(({ level }) => level !== 'NONE'),
  }
}
