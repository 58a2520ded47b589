/** Readers of logs, each told of every line until the log ends or the reader goes. */
import type { LogLine } from '../model/effects.ts'
import type { LogListener } from '../surfaces/http/operation.ts'

export class LogReaders {
  readonly #byLog = new Map<string, Set<LogListener>>()

  has(logId: string): boolean {
    return this.#byLog.has(logId)
  }

  /** Returns what stops it. */
  add(logId: string, listener: LogListener): () => void {
    const readers = this.#byLog.get(logId) ?? new Set()
    this.#byLog.set(logId, readers.add(listener))
    return () => {
      readers.delete(listener)
      if (readers.size === 0 && this.#byLog.get(logId) === readers) this.#byLog.delete(logId)
    }
  }

  tell(logId: string, line: LogLine): void {
    for (const listener of this.#byLog.get(logId) ?? []) listener(line)
  }

  end(logId: string): void {
    const readers = this.#byLog.get(logId)
    this.#byLog.delete(logId)
    for (const listener of readers ?? []) listener(null)
  }

  endAll(): void {
    for (const logId of [...this.#byLog.keys()]) this.end(logId)
  }
}
