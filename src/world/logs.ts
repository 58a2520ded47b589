/** The last lines that each pod and worker wrote. */
import type { LogLine } from '../model/effects.ts'
import { Ring } from '../sim/ring.ts'

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

  /** Oldest first. */
  of(ownerId: string): LogLine[] {
    return this.#byOwner.get(ownerId)?.toArray() ?? []
  }

  forget(ownerId: string): void {
    this.#byOwner.delete(ownerId)
  }
}
