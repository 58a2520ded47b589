/**
 * What was found at the last paths that were called. Callers poll, and submit to the same few endpoints,
 * so most paths come again; to look one up is a tenth of the walk that finds it.
 */
import type { Match } from './router.ts'

/** Paths of one method that are kept. */
const most = 512

export class KnownPaths {
  readonly #byMethod = new Map<string, Map<string, Match>>()

  find(method: string, path: string): Match | undefined {
    return this.#byMethod.get(method)?.get(path)
  }

  /** What is refused is not kept: it may be anything, methods and paths that nobody has. */
  add(method: string, path: string, match: Match): void {
    if (match.refusal !== undefined) return
    const known = this.#byMethod.get(method) ?? new Map<string, Match>()
    if (known.size >= most) known.clear()
    this.#byMethod.set(method, known.set(path, match))
  }
}
