/**
 * What was found at the last paths that were called. Callers poll, and submit to the same few endpoints,
 * so most paths come again, and to look one up is less than the walk that finds it.
 */
import type { Match } from './router.ts'

/** Paths of one method that are kept, and letters of the longest that is worth it. */
const most = 512
const longest = 256

export class KnownPaths {
  readonly #byMethod = new Map<string, Map<string, Match>>()

  find(method: string, path: string): Match | undefined {
    return this.#byMethod.get(method)?.get(path)
  }

  /** What is refused is not kept: it may be any path, and there is no end of those that nobody has. */
  add(method: string, path: string, match: Match): void {
    if (match.refusal !== undefined || path.length > longest) return
    const known = this.#byMethod.get(method) ?? new Map<string, Match>()
    if (known.size >= most) known.clear()
    this.#byMethod.set(method, known.set(path, match))
  }
}
