/** What was used and what it cost, hour by hour. */

export const chargeKinds = ['pod', 'worker', 'volume'] as const
export type ChargeKind = (typeof chargeKinds)[number]

/** What a charge is for. */
export const chargeParts = ['gpu', 'cpu', 'disk'] as const
export type ChargePart = (typeof chargeParts)[number]

/** One resource in one hour. */
export interface LedgerRow {
  /** `<resourceId>/<hour>` */
  readonly id: string
  readonly kind: ChargeKind
  /** The pod, the endpoint or the volume. */
  readonly resourceId: string
  /** Ms since 1970, on the hour. */
  readonly hourMs: number
  readonly gpuUsd: number
  readonly cpuUsd: number
  readonly diskUsd: number
  /** Time that was paid for: of workers that are always there, and of the others; of pods in the second. */
  readonly activeMs: number
  readonly flexMs: number
}
