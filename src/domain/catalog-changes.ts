/** The catalog changes: for what is placed from now on, and for whoever looks at it. */
import { type PriceTier, priceTiers } from '../model/catalog.ts'
import { notFound, ruleViolation } from '../model/errors.ts'
import type { World } from '../world/world.ts'

export interface PriceChange {
  /** A GPU type, or a CPU flavor. */
  readonly typeId: string
  /** Everywhere when absent, but where a data center has a price of its own. */
  readonly dataCenterId?: string
  /** All that the type has when absent. */
  readonly tier?: PriceTier
  /** For an hour of one GPU or vCPU. */
  readonly priceUsd: number
}

/** What runs goes on at the price that it was placed at. */
export function changePrice(world: World, change: PriceChange): void {
  const tiers = requirePrice(world, change)
  const { typeId, dataCenterId = null, priceUsd } = change
  world.timeline.record('price.changed', typeId, { dataCenterId, tiers, priceUsd })
  for (const tier of tiers) {
    const id = `price/${dataCenterId ?? '*'}/${typeId}/${tier}`
    world.catalogChanges.put({ id, kind: 'price', dataCenterId, typeId, tier, priceUsd })
  }
}

/** The tiers that it is about; refuses a place or a type that the catalog does not have. */
export function requirePrice(world: World, change: PriceChange): readonly PriceTier[] {
  const { typeId, dataCenterId, tier } = change
  const { gpus, cpus } = world.settings.catalog
  if (dataCenterId !== undefined) requireDataCenter(world, dataCenterId)
  if (gpus.some(({ id }) => id === typeId)) return tier === undefined ? priceTiers : [tier]
  if (!cpus.some(({ id }) => id === typeId)) {
    throw ruleViolation(`the catalog has no GPU type and no CPU flavor '${typeId}'`)
  }
  if (tier === 'community') throw ruleViolation('CPUs are in the secure cloud only')
  return tier === undefined ? ['secure', 'serverless'] : [tier]
}

/** What machines of a data center have from now on; what runs there stays as it is. */
export function changeCuda(
  world: World,
  dataCenterId: string,
  cudaVersions: readonly string[],
): void {
  requireDataCenter(world, dataCenterId)
  world.timeline.record('cuda.changed', dataCenterId, { cudaVersions })
  world.catalogChanges.put({
    id: `cuda/${dataCenterId}`,
    kind: 'cuda',
    dataCenterId,
    cudaVersions: [...new Set(cudaVersions)],
  })
}

function requireDataCenter(world: World, dataCenterId: string): void {
  const { dataCenters } = world.settings.catalog
  if (!dataCenters.some(({ id }) => id === dataCenterId)) {
    throw notFound('data center', dataCenterId)
  }
}
