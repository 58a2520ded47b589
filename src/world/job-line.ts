/**
 * Ids of jobs in line, first come, first served.
 *
 * Most jobs leave from the front. One that leaves from the middle, because it was cancelled or has
 * expired, stays where it is until its turn comes, and is skipped then; it may be in line once more
 * further back by that time.
 */
import { Fifo } from '../sim/fifo.ts'

export class JobLine {
  #ids = new Fifo<string>()
  /** How many times an id is in line and has left already. */
  #left = new Map<string, number>()

  push(id: string): void {
    this.#ids.push(id)
  }

  leave(id: string): void {
    if (this.first === id) this.#ids.shift()
    else this.#left.set(id, (this.#left.get(id) ?? 0) + 1)
  }

  get first(): string | undefined {
    for (;;) {
      const id = this.#ids.peek()
      if (id === undefined || this.#left.size === 0) return id
      const times = this.#left.get(id)
      if (times === undefined) return id
      this.#ids.shift()
      if (times === 1) this.#left.delete(id)
      else this.#left.set(id, times - 1)
    }
  }

  /** Those that wait, first to last. */
  toArray(): string[] {
    const left = new Map(this.#left)
    return [...this.#ids].filter((id) => {
      const times = left.get(id) ?? 0
      if (times > 0) left.set(id, times - 1)
      return times === 0
    })
  }

  copy(): JobLine {
    const copy = new JobLine()
    copy.#ids = this.#ids.copy()
    copy.#left = new Map(this.#left)
    return copy
  }

  restore(ids: readonly string[]): void {
    this.#ids.clear()
    this.#left.clear()
    for (const id of ids) this.#ids.push(id)
  }
}
