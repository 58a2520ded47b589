/** What spot GPUs cost: the bid, which has a lowest value. */
import { type Catalog, tierKey } from '../model/catalog.ts'
import { type CloudTier, cloudTiers } from '../model/container.ts'
import { ruleViolation } from '../model/errors.ts'
import type { PodSpec } from '../model/pod.ts'

export interface SpotWish {
  /** USD per hour for each GPU; the lowest when absent. */
  readonly bidPerGpuUsd?: number | undefined
}

/** Assumed: of every price. Observed: a bid of 0.2 for a type of 0.49, in a document's example. */
const spotShare = 0.4

/** In USD per hour for one GPU. */
export const lowestBidUsd = (fixedPriceUsd: number): number => cents(fixedPriceUsd * spotShare)

/** What is paid: the bid, or the lowest one. Undefined for a bid below that. */
export function spotPriceUsd(
  fixedPriceUsd: number,
  { bidPerGpuUsd }: SpotWish,
): number | undefined {
  const lowest = lowestBidUsd(fixedPriceUsd)
  if (bidPerGpuUsd === undefined) return lowest
  return bidPerGpuUsd < lowest ? undefined : bidPerGpuUsd
}

/** Refuses a bid that is too low for each type in each cloud asked for. Assumed: the words. */
export function requireBid(catalog: Catalog, { compute, clouds, bidPerGpuUsd }: BidOn): void {
  if (bidPerGpuUsd === undefined || compute.kind !== 'GPU') return
  const bids = compute.gpuTypeIds.flatMap((id) => lowestBids(catalog, id, clouds))
  const lowest = Math.min(...bids)
  if (bids.length === 0 || bidPerGpuUsd >= lowest) return
  throw ruleViolation(`a bid of ${bidPerGpuUsd} is below the lowest, ${lowest} for each GPU`)
}

type BidOn = Pick<PodSpec, 'compute' | 'clouds' | 'bidPerGpuUsd'>

/** One for each cloud that offers the type. */
export function lowestBids(
  { gpus }: Catalog,
  gpuTypeId: string,
  clouds: readonly CloudTier[] = cloudTiers,
): number[] {
  const gpu = gpus.find(({ id }) => id === gpuTypeId)
  const prices = clouds.map((cloud) => gpu?.priceUsd[tierKey[cloud]] ?? 0)
  return prices.filter((price) => price > 0).map(lowestBidUsd)
}

/** Prices add up in hundredths of a cent, so that sums have no stray digits. */
export function cents(usd: number): number {
  return Math.round(usd * 10_000) / 10_000
}
