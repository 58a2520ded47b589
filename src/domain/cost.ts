/** What each resource has cost so far. */
import type { ChargeKind } from '../model/ledger.ts'
import type { World } from '../world/world.ts'

/** One resource, all its hours together. */
export interface ResourceCost {
  readonly kind: ChargeKind
  readonly resourceId: string
  readonly computeUsd: number
  readonly diskUsd: number
  /** Time that was paid for. */
  readonly paidMs: number
}

/** In the order in which they first cost something. */
export function costOf(world: World): ResourceCost[] {
  const costs = new Map<string, ResourceCost>()
  for (const row of world.ledger.values()) {
    const { kind, resourceId } = row
    const key = `${kind}/${resourceId}`
    const before = costs.get(key) ?? { kind, resourceId, computeUsd: 0, diskUsd: 0, paidMs: 0 }
    costs.set(key, {
      ...before,
      computeUsd: before.computeUsd + row.gpuUsd + row.cpuUsd,
      diskUsd: before.diskUsd + row.diskUsd,
      paidMs: before.paidMs + row.activeMs + row.flexMs,
    })
  }
  return [...costs.values()]
}

export function totalUsd(costs: readonly ResourceCost[]): number {
  return costs.reduce((sum, { computeUsd, diskUsd }) => sum + computeUsd + diskUsd, 0)
}
