/** Something about the data directory that only a person can mend. Its message says how. */
export class DataError extends Error {
  override readonly name = 'DataError'
}

/** A failure of the system, in one sentence with what it happened to. */
export function toDataError(what: string, cause: unknown): DataError {
  if (cause instanceof DataError) return cause
  const reason = cause instanceof Error ? cause.message : String(cause)
  return new DataError(`${what}: ${reason}`, { cause })
}
