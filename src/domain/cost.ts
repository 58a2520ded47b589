/** What each resource has cost so far, as far back as charges are kept. */
import type { ChargeKind, ChargePart } from '../model/ledger.ts'
import type { World } from '../world/world.ts'
import { type Charge, chargesOf, hourMs } from './billing.ts'

/** One resource, everything that it was charged for together. */
export interface ResourceCost {
  readonly kind: ChargeKind
  readonly resourceId: string
  readonly totalUsd: number
  /** What it was for; what is absent is nothing. */
  readonly usd: Readonly<Partial<Record<ChargePart, number>>>
  /** Compute that was paid for, of all its units together. */
  readonly paidMs: number
}

/** Up to this moment, in the order in which they first cost something. */
export function costOf(world: World): ResourceCost[] {
  const costs = new Map<string, ResourceCost>()
  for (const charge of chargesOf(world)) {
    const { kind, resourceId } = charge.tariff
    const key = `${kind}/${resourceId}`
    const before = costs.get(key) ?? { kind, resourceId, totalUsd: 0, usd: {}, paidMs: 0 }
    costs.set(key, add(before, charge))
  }
  return [...costs.values()]
}

function add(before: ResourceCost, { tariff, fromMs, toMs, onceUsd }: Charge): ResourceCost {
  const factor = onceUsd === undefined ? (toMs - fromMs) / hourMs : 1
  const usd: Partial<Record<ChargePart, number>> = { ...before.usd }
  let total = before.totalUsd
  for (const [name, amount] of Object.entries(onceUsd ?? tariff.usdPerHour)) {
    const part = name as ChargePart
    usd[part] = (usd[part] ?? 0) + amount * factor
    total += amount * factor
  }
  const { gpu, cpu } = tariff.usdPerHour
  const isCompute = gpu !== undefined || cpu !== undefined
  return {
    ...before,
    usd,
    totalUsd: total,
    paidMs: before.paidMs + (isCompute ? toMs - fromMs : 0),
  }
}
