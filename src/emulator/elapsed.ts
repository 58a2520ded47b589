/**
 * Milliseconds since some moment before this process, on a clock that nobody sets. Measured: to load
 * `performance` takes longer than to make this, on the way of every start.
 */
export function elapsedMs(): number {
  const [seconds, nanoseconds] = process.hrtime()
  return seconds * 1_000 + nanoseconds / 1e6
}
