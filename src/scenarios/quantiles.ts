/** Quantiles of times, by the nearest rank. */
import type { QuantileName } from '../model/expectation.ts'

/** Of at least one value. */
export function quantiles(values: readonly number[]): Record<QuantileName, number> {
  const sorted = Float64Array.from(values).sort()
  const at = (share: number) => sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)] ?? 0
  return {
    p50: at(0.5),
    p70: at(0.7),
    p90: at(0.9),
    p95: at(0.95),
    p98: at(0.98),
    p99: at(0.99),
    max: at(1),
    mean: sorted.reduce((sum, value) => sum + value, 0) / sorted.length,
  }
}
