/** The last lines that each pod and worker wrote. */
import type { LogLine } from '../model/effects.ts'
import { Ring } from '../sim/ring.ts'

/** Each owner's lines, oldest first, and how many it ever wrote. */
export type SavedLogs = readonly (readonly [
  ownerId: string,
  lines: readonly LogLine[],
  total: number,
])[]

export class Logs {
  readonly #keep: number
  readonly #byOwner = new Map<string, Ring<LogLine>>()

  constructor(keep: number) {
    this.#keep = keep
  }

  append(ownerId: string, atMs: number, source: LogLine['source'], text: string): LogLine {
    const log = this.#byOwner.get(ownerId) ?? new Ring<LogLine>(this.#keep)
    this.#byOwner.set(ownerId, log)
    const line = { seq: log.total + 1, atMs, source, text }
    log.push(line)
    return line
  }

  save(): SavedLogs {
    return [...this.#byOwner].map(([ownerId, log]) => [ownerId, log.toArray(), log.total])
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
  }
}
