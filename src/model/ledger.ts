/** Money: what runs up charges at present, and what has been charged so far. */
import type { TimerId } from '../sim/timeline.ts'
import type { Account } from './account.ts'

export const chargeKinds = ['pod', 'serverless', 'volume', 'cluster', 'public-endpoint'] as const
export type ChargeKind = (typeof chargeKinds)[number]

/** What a charge is for. Spec: the parts that bills of REST v2 tell apart. */
export const chargeParts = [
  'gpu',
  'cpu',
  'disk',
  'networking',
  'standard',
  'highPerformance',
  'requests',
] as const
export type ChargePart = (typeof chargeParts)[number]

/** USD: by the hour in a tariff, in all in a bill. What is absent is nothing. */
export type Amounts = { readonly [Part in ChargePart]?: number }

/** What is charged for, at which rates, and what bills are grouped and filtered by. */
export interface Tariff {
  readonly kind: ChargeKind
  /** Whose bill it is on: a pod, an endpoint, a volume, a cluster. */
  readonly resourceId: string
  readonly usdPerHour: Amounts
  /** Disk that is paid for. */
  readonly diskGb: number
  /** Paid for as a worker that is always there. */
  readonly active: boolean
  /** Null for what has no GPU. */
  readonly gpuTypeId: string | null
  /** These three are null for what is not made from a container. */
  readonly dataCenterId: string | null
  readonly image: string | null
  readonly templateId: string | null
}

/** One thing that costs money for as long as it is as it is: a pod, a worker, a volume. */
export interface Meter {
  readonly id: string
  readonly tariff: Tariff
  readonly sinceMs: number
}

/** What a meter came to while it ran, or what was charged once: then it took no time. */
export interface LedgerEntry {
  /** Its place in the ledger, from 1. */
  readonly id: string
  readonly meterId: string
  readonly tariff: Tariff
  readonly fromMs: number
  readonly toMs: number
  readonly onceUsd?: Amounts
}

/** The account of a world: its balance goes down, and `balanceOf` knows what is left of it. */
export interface LiveAccount extends Account {
  readonly spending: Spending
}

/** How fast the balance goes down. */
export interface Spending {
  /** Of all meters together. */
  readonly usdPerHour: number
  /** Up to when it has been taken off the balance. */
  readonly sinceMs: number
  /** Entries of the ledger that were ever written. */
  readonly written: number
  /** What those came to that the ledger no longer has. */
  readonly forgottenUsd: number
  /** The next look at whether anything is left; null while nothing is spent. */
  readonly timer: TimerId | null
}
