/** Pieces of the calendar that bills are cut into, in UTC. */

export const bucketSizes = ['hour', 'day', 'week', 'month', 'year'] as const
export type BucketSize = (typeof bucketSizes)[number]

const hourMs = 3_600_000
const dayMs = 24 * hourMs
const weekMs = 7 * dayMs
/** The first Monday after 1970 began. Assumed: a week begins on a Monday. */
const firstMondayMs = 4 * dayMs

/** The beginning of the bucket that an instant is in, `by` buckets later; negative for earlier. */
export function bucketStart(ms: number, size: BucketSize, by = 0): number {
  switch (size) {
    case 'hour':
      return (Math.floor(ms / hourMs) + by) * hourMs
    case 'day':
      return (Math.floor(ms / dayMs) + by) * dayMs
    case 'week':
      return (Math.floor((ms - firstMondayMs) / weekMs) + by) * weekMs + firstMondayMs
    case 'month':
      return monthStart(ms, (month) => month + by)
    case 'year':
      return monthStart(ms, () => 12 * by)
  }
}

function monthStart(ms: number, toMonth: (month: number) => number): number {
  const date = new Date(ms)
  // Not `Date.UTC` in one call: it takes years below 100 for years of the 20th century.
  const start = new Date(0)
  return start.setUTCFullYear(date.getUTCFullYear(), toMonth(date.getUTCMonth()), 1)
}
