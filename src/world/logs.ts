/** The last lines that each pod and worker wrote. */
import type { LogLine } from '../model/effects.ts'
import { Ring } from '../sim/ring.ts'
import { SharedMap } from '../sim/shared-map.ts'

/** Each owner's lines, oldest first, and how many it ever wrote. */
export type SavedLogs = readonly (readonly [
  ownerId: string,
  lines: readonly LogLine[],
  total: number,
])[]

export class Logs {
  readonly #keep: number
  #byOwner = new SharedMap<Ring<LogLine>>()
  #observer: ((ownerId: string, line: LogLine | null) => void) | undefined

  constructor(keep: number) {
    this.#keep = keep
  }

  append(ownerId: string, atMs: number, source: LogLine['source'], text: string): LogLine {
    const log = this.#toChange(ownerId)
    const line = { seq: log.total + 1, atMs, source, text }
    log.push(line)
    this.#observer?.(ownerId, line)
    return line
  }

  /** A line that was written before, in another copy of this world. */
  add(ownerId: string, line: LogLine): void {
    this.#toChange(ownerId).push(line)
    this.#observer?.(ownerId, line)
  }

  /** Tells one observer of every line and, with null, of every log that is over. */
  observe(observer: ((ownerId: string, line: LogLine | null) => void) | undefined): void {
    this.#observer = observer
  }

  save(): SavedLogs {
    return [...this.#byOwner.entries()].map(([ownerId, log]) => [ownerId, log.toArray(), log.total])
  }

  /** Has what another one has. */
  share(other: Logs): void {
    this.#byOwner = other.#byOwner.copy()
  }

  restore(saved: SavedLogs): void {
    for (const [ownerId, lines, total] of saved) {
      const log = new Ring<LogLine>(this.#keep)
      log.restore(lines, total)
      this.#byOwner.set(ownerId, log)
    }
  }

  /** Oldest first. */
  of(ownerId: string): LogLine[] {
    return this.#byOwner.get(ownerId)?.toArray() ?? []
  }

  forget(ownerId: string): void {
    this.#byOwner.delete(ownerId)
    this.#observer?.(ownerId, null)
  }

  #toChange(ownerId: string): Ring<LogLine> {
    const own = this.#byOwner.owned(ownerId)
    if (own !== undefined) return own
    const log = this.#byOwner.get(ownerId)?.copy() ?? new Ring<LogLine>(this.#keep)
    this.#byOwner.set(ownerId, log)
    return log
  }
}
