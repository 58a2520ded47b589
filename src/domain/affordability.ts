/** What an account may rent: by what is left in it, and by how much it may spend in an hour. */
import { CloudError, insufficientBalance } from '../model/errors.ts'
import type { World } from '../world/world.ts'
import { balanceOf } from './billing.ts'

/**
 * Refuses with `insufficient_balance`. Spec: an hour of what is rented must be in the account, and
 * everything together may cost no more than the account's limit. Assumed: how the second is said, and
 * that it is asked where something is rented; workers start and volumes are made beyond it.
 */
export function requireAffordable(world: World, costPerHourUsd: number): void {
  if (balanceOf(world) < costPerHourUsd) throw insufficientBalance()
  const { spending, spendLimitUsd } = world.account
  if (spending.usdPerHour + costPerHourUsd <= spendLimitUsd) return
  throw new CloudError(
    'insufficient_balance',
    `Your account may not spend more than ${spendLimitUsd} USD per hour. Please raise your spend limit.`,
  )
}
