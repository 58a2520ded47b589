/** How often a caller may use the request address of one endpoint. */

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

/** The present window of one operation of one endpoint, and the calls that are under way. */
export interface RateWindow {
  /** `<endpointId>/<operation>` */
  readonly id: string
  readonly startMs: number
  readonly calls: number
  readonly underWay: number
}
