/** CPU flavors as GraphQL spells them, with stock and price of their sizes. */
import { type CpuFlavor, processorOf } from '../../model/catalog.ts'
import type { World } from '../../world/world.ts'
import { said, type Wire } from './inputs.ts'
import { toInstance } from './instances.ts'
import { stockLevel } from './stock-levels.ts'

export interface SizeInput {
  readonly instanceId?: Wire<string>
  readonly dataCenterId?: Wire<string>
}

export function findCpuFlavor(world: World, id: string | null): CpuFlavor | undefined {
  return world.settings.catalog.cpus.find((flavor) => flavor.id === id)
}

/** Assumed: the maker of every processor on offer. */
export const toCpuType = (flavor: CpuFlavor) => ({ ...processorOf(flavor), manufacturer: 'AMD' })

export function toCpuFlavor(world: World, flavor: CpuFlavor) {
  return {
    id: flavor.id,
    groupId: flavor.id.slice(0, -1),
    groupName: flavor.group,
    displayName: flavor.name,
    minVcpu: flavor.vcpuMin,
    maxVcpu: flavor.vcpuMax,
    vcpuBurstable: false,
    ramMultiplier: flavor.ramGbPerVcpu,
    // Spec: 10 GB for each vCPU of the third generation, 15 of the fifth.
    diskLimitPerVcpu: flavor.id.startsWith('cpu5') ? 15 : 10,
    specifics: ({ input }: { input?: Wire<SizeInput> }) => toSpecifics(world, flavor, input ?? {}),
  }
}

/** Observed: the price is that of the smallest size unless another is named. */
function toSpecifics(world: World, flavor: CpuFlavor, input: SizeInput) {
  const instanceId = said(input.instanceId)
  const { catalog } = world.settings
  const vcpuCount =
    instanceId === undefined ? flavor.vcpuMin : toInstance(catalog, instanceId).vcpuCount
  const placeId = said(input.dataCenterId)
  const free = world.stock.dataCenters
    .filter(({ id }) => placeId === undefined || id === placeId)
    .map((place) => Math.floor(world.stock.freeVcpus(place, flavor.id) / vcpuCount))
    .reduce((sum, pods) => sum + pods, 0)
  const price = (usd: number) => Math.round(usd * vcpuCount * 10_000) / 10_000
  return {
    stockStatus: stockLevel(free) ?? null,
    securePrice: price(flavor.priceUsd.secure),
    slsPrice: price(flavor.priceUsd.serverless),
  }
}
