/** How many workers an account may have, over all its endpoints. */
import { ruleViolation } from '../model/errors.ts'
import type { World } from '../world/world.ts'
import { balanceOf } from './billing.ts'

// Spec: by the balance in USD.
const steps = [
  { fromUsd: 900, workers: 60 },
  { fromUsd: 700, workers: 50 },
  { fromUsd: 500, workers: 40 },
  { fromUsd: 300, workers: 30 },
  { fromUsd: 200, workers: 20 },
  { fromUsd: 100, workers: 10 },
] as const
const leastWorkers = 5

export function workersQuota(world: World): number {
  const balanceUsd = balanceOf(world)
  return (
    world.account.workersQuota ??
    steps.find(({ fromUsd }) => balanceUsd >= fromUsd)?.workers ??
    leastWorkers
  )
}

/** Refuses a maximum that would take the endpoints together over the quota. */
export function requireQuota(world: World, endpointId: string | null, workersMax: number): void {
  let others = 0
  for (const { id, spec } of world.endpoints.values()) {
    if (id !== endpointId) others += spec.workersMax
  }
  const before = endpointId === null ? 0 : world.endpoints.require(endpointId).spec.workersMax
  const quota = workersQuota(world)
  // A quota that shrank with the balance takes nothing away from what there is.
  if (workersMax <= before || others + workersMax <= quota) return
  const left = Math.max(0, quota - others)
  // Observed: these words.
  throw ruleViolation(
    `Max workers across all endpoints must not exceed your workers quota (${quota}). Please add funds to raise it, or lower the max worker count for this endpoint to at most ${left}.`,
  )
}
