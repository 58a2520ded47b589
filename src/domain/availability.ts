/** What a caller leaves to the cloud: which places will do, and what comes first by present stock. */
import { type Certificate, type DataCenter, isCertified } from '../model/catalog.ts'
import type { Compute, CpuCompute } from '../model/compute.ts'
import type { CloudTier } from '../model/container.ts'
import { noCapacity, ruleViolation } from '../model/errors.ts'
import type { World } from '../world/world.ts'

/** `custom` keeps the caller's order; `availability` puts what there is most of first. */
export const priorities = ['availability', 'custom'] as const
export type Priority = (typeof priorities)[number]

/** An empty or absent list asks for nothing. */
export interface PlaceWish {
  readonly dataCenterIds?: readonly string[] | undefined
  readonly countryCodes?: readonly string[] | undefined
  readonly globalNetworking?: boolean | undefined
  /** What a data center has to be certified for. */
  readonly compliance?: readonly Certificate[] | undefined
}

export interface StockWish {
  readonly compute: Compute
  readonly cloud: CloudTier
  /** Data center ids; empty for anywhere. */
  readonly locations: readonly string[]
}

/** How fast every machine is. Assumed: the same everywhere; the cloud measures each of its own. */
export const machineRates = { diskMBps: 4_000, downloadMbps: 10_000, uploadMbps: 10_000 }

/** Ids of the data centers that meet every wish, empty for any; `no_capacity` when none does. */
export function dataCentersFor(world: World, wish: PlaceWish): string[] {
  const { dataCenterIds = [], countryCodes = [], globalNetworking = false, compliance = [] } = wish
  const lists = [dataCenterIds, countryCodes, compliance]
  if (lists.every(({ length }) => length === 0) && !globalNetworking) return []
  const { dataCenters } = world.settings.catalog
  const listed =
    dataCenterIds.length === 0
      ? dataCenters
      : dataCenterIds.flatMap((wanted) => dataCenters.filter(({ id }) => id === wanted))
  const found = listed
    .filter(({ countryCode }) => countryCodes.length === 0 || countryCodes.includes(countryCode))
    .filter(({ globalNetwork }) => globalNetwork || !globalNetworking)
    .filter((place) => isCertified(place, compliance))
  if (found.length === 0) throw noCapacity()
  return found.map(({ id }) => id)
}

/** The same wish with its types and its data centers in the order in which they are tried. */
export function inStockOrder(
  world: World,
  wish: StockWish,
  order: { readonly types: Priority; readonly dataCenters: Priority },
): { compute: Compute; locations: string[] } {
  const compute = order.types === 'custom' ? wish.compute : typesByStock(world, wish)
  const locations = [...wish.locations]
  if (order.dataCenters === 'availability') {
    const free = new Map(
      world.stock.dataCenters.map((place) => [place.id, freeIn(world, place, wish)]),
    )
    locations.sort((left, right) => (free.get(right) ?? 0) - (free.get(left) ?? 0))
  }
  return { compute, locations }
}

/** One instance of each flavor that comes in that size. Spec: sizes are powers of two from 2. */
export function cpuInstances(
  world: World,
  flavorIds: readonly string[],
  vcpuCount: number,
): CpuCompute['instances'] {
  if (vcpuCount < 2 || !Number.isInteger(Math.log2(vcpuCount))) {
    throw ruleViolation(`vcpuCount must be a power of two from 2, not ${vcpuCount}`)
  }
  const { cpus } = world.settings.catalog
  const fitting = flavorIds.filter((flavorId) =>
    cpus.some(
      ({ id, vcpuMin, vcpuMax }) => id === flavorId && vcpuMin <= vcpuCount && vcpuCount <= vcpuMax,
    ),
  )
  if (fitting.length === 0) throw ruleViolation(`no CPU flavor comes with ${vcpuCount} vCPUs`)
  return fitting.map((flavorId) => ({ flavorId, vcpuCount }))
}

/** Refuses with `no_capacity` when no machine is as fast as that. */
export function requireMachineRates(
  wish: {
    readonly [Rate in keyof typeof machineRates]?: number | undefined
  },
): void {
  const { diskMBps = 0, downloadMbps = 0, uploadMbps = 0 } = wish
  const fastEnough =
    diskMBps <= machineRates.diskMBps &&
    downloadMbps <= machineRates.downloadMbps &&
    uploadMbps <= machineRates.uploadMbps
  if (!fastEnough) throw noCapacity()
}

function typesByStock(world: World, { compute, cloud, locations }: StockWish): Compute {
  const places = world.stock.dataCenters.filter(
    ({ id }) => locations.length === 0 || locations.includes(id),
  )
  const total = (free: (place: DataCenter) => number) =>
    places.reduce((sum, place) => sum + free(place), 0)
  if (compute.kind === 'GPU') {
    const free = (id: string) => total((place) => world.stock.freeGpus(place, id, cloud))
    return { ...compute, gpuTypeIds: mostFirst(compute.gpuTypeIds, free) }
  }
  const free = (id: string) => total((place) => world.stock.freeVcpus(place, id))
  return { ...compute, instances: mostFirst(compute.instances, ({ flavorId }) => free(flavorId)) }
}

/** What a data center has of all the types together. */
function freeIn(world: World, place: DataCenter, { compute, cloud }: StockWish): number {
  const free =
    compute.kind === 'GPU'
      ? compute.gpuTypeIds.map((id) => world.stock.freeGpus(place, id, cloud))
      : compute.instances.map(({ flavorId }) => world.stock.freeVcpus(place, flavorId))
  return free.reduce((sum, amount) => sum + amount, 0)
}

/** Equals keep their order. */
function mostFirst<Item>(items: readonly Item[], amount: (item: Item) => number): Item[] {
  const amounts = new Map(items.map((item) => [item, amount(item)]))
  return [...items].sort((left, right) => (amounts.get(right) ?? 0) - (amounts.get(left) ?? 0))
}
