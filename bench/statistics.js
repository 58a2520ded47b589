/** The few numbers that samples are boiled down to. */

/** @param {readonly number[]} samples */
export const median = (samples) => quantile(samples, 0.5)

/**
 * @param {readonly number[]} samples
 * @param {number} share
 */
export function quantile(samples, share) {
  const sorted = [...samples].sort((left, right) => left - right)
  const place = share * (sorted.length - 1)
  const below = sorted[Math.floor(place)] ?? Number.NaN
  const above = sorted[Math.ceil(place)] ?? Number.NaN
  return below + (above - below) * (place - Math.floor(place))
}

/**
 * Each sample over the one that was taken beside it, so that what disturbed both drops out.
 *
 * @param {readonly number[]} samples
 * @param {readonly number[]} references
 */
export function pairedRatios(samples, references) {
  return samples.map((sample, index) => sample / (references[index] ?? Number.NaN))
}

/**
 * The middle half of the samples, for people to judge a median by.
 *
 * @param {readonly number[]} samples
 * @param {number} [digits]
 */
export function spread(samples, digits = 2) {
  return `${quantile(samples, 0.25).toFixed(digits)}-${quantile(samples, 0.75).toFixed(digits)}`
}
