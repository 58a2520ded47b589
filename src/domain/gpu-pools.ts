/** Between the pools of GPU types that some surfaces speak of and the list of types that we keep. */
import type { Catalog } from '../model/catalog.ts'
import { ruleViolation } from '../model/errors.ts'

export interface PoolChoice {
  /** In order of preference. */
  readonly pools: readonly string[]
  /** Types that are not wanted of them. Observed: clients also name types of other pools. */
  readonly excludedTypeIds: readonly string[]
}

/** The types of the pools, in order. Refuses unknown pools, and exclusions that leave nothing. */
export function typesOfPools(catalog: Catalog, { pools, excludedTypeIds }: PoolChoice): string[] {
  const types: string[] = []
  for (const poolId of pools) {
    const pool = catalog.pools.find(({ id }) => id === poolId)
    if (pool === undefined) {
      const known = catalog.pools.map(({ id }) => id).join(', ')
      throw ruleViolation(`unknown GPU pool '${poolId}'; there are: ${known}`)
    }
    types.push(...pool.gpuTypeIds)
  }
  const left = types.filter((id) => !excludedTypeIds.includes(id))
  if (left.length === 0) throw ruleViolation('every GPU type of the pools is excluded')
  return [...new Set(left)]
}

/** The pools that the types are in, and what of those pools is not among them. */
export function poolsOfTypes(catalog: Catalog, gpuTypeIds: readonly string[]): PoolChoice {
  const pools: string[] = []
  const excludedTypeIds: string[] = []
  for (const typeId of gpuTypeIds) {
    const pool = catalog.pools.find((candidate) => candidate.gpuTypeIds.includes(typeId))
    if (pool === undefined || pools.includes(pool.id)) continue
    pools.push(pool.id)
    excludedTypeIds.push(...pool.gpuTypeIds.filter((id) => !gpuTypeIds.includes(id)))
  }
  return { pools, excludedTypeIds }
}
