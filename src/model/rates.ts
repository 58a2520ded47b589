/** How often a caller may use the request address of one endpoint, and REST v2 as a whole. */

// Spec: counted in windows of ten seconds, for each endpoint and operation.
export const rateWindowMs = 10_000

export interface RateLimit {
  /** Calls in a window. */
  readonly calls: number
  /** Calls at the same time; null for no limit. */
  readonly atOnce: number | null
}

// Spec: base limits; they grow with the workers that run.
export const rateLimits = {
  run: { calls: 1_000, atOnce: 200 },
  runsync: { calls: 2_000, atOnce: 400 },
  status: { calls: 2_000, atOnce: 400 },
  stream: { calls: 2_000, atOnce: 400 },
  openai: { calls: 2_000, atOnce: 400 },
  cancel: { calls: 100, atOnce: 20 },
  'purge-queue': { calls: 2, atOnce: null },
} as const satisfies Record<string, RateLimit>
export type RatedOperation = keyof typeof rateLimits

/** Observed in older documents: 50 calls in a window for each worker that runs. */
export const callsPerWorker = 50

// Spec: the windows of REST v2 and their quotas; observed ones vary from account to account.
export const apiWindows = [
  { name: 'minute', lengthMs: 60_000, calls: 60 },
  { name: 'hour', lengthMs: 3_600_000, calls: 3_000 },
  { name: 'day', lengthMs: 86_400_000, calls: 50_000 },
] as const

/** The present window of one operation of one endpoint, and the calls that are under way. */
export interface RateWindow {
  /** `<endpointId>/<operation>`, or `v2/<window>`. */
  readonly id: string
  readonly startMs: number
  readonly calls: number
  readonly underWay: number
}
