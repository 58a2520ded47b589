/**
 * What happened last, as far back as it is kept, first to last.
 *
 * Tuned, because a virtual day writes millions of entries down and few are ever read: they are kept in
 * columns, and become objects when somebody asks for them.
 */
import type { Entry } from './timeline.ts'

export class Past {
  readonly #keep: number
  #atMs = new Float64Array(64)
  /** 0 for none. */
  #cause = new Float64Array(64)
  #kinds: string[] = []
  #ids: string[] = []
  #details: Entry['detail'][] = []
  #length = 0
  /** Where the next entry goes once there are as many as are kept: the place of the oldest. */
  #next = 0
  #total = 0
  /** A copy has the same columns: whoever writes first makes columns of its own. */
  #isShared = false

  constructor(keep: number) {
    this.#keep = keep
  }

  /** How many entries were ever written, those that are no longer kept included. */
  get total(): number {
    return this.#total
  }

  /** `seq` is given out here: the first entry of all has 1. */
  push({ atMs, kind, id, cause, detail }: Omit<Entry, 'seq'>): void {
    this.#total += 1
    if (this.#keep === 0) return
    if (this.#isShared) this.#makeOwn()
    const place = this.#place()
    this.#atMs[place] = atMs
    this.#cause[place] = cause ?? 0
    this.#kinds[place] = kind
    this.#ids[place] = id
    this.#details[place] = detail
  }

  /** The last so many, oldest first, without a look at the others. */
  last(count: number): Entry[] {
    const wanted = Math.min(count, this.#length)
    const oldest = this.#next + this.#length - wanted
    return Array.from({ length: wanted }, (_, index) =>
      this.#entry((oldest + index) % this.#length, this.#total - wanted + index + 1),
    )
  }

  toArray(): Entry[] {
    return this.last(this.#length)
  }

  /** Fills one that is empty with what another one held, `total` entries having been written there. */
  restore(entries: readonly Entry[], total: number): void {
    for (const entry of entries.slice(-this.#keep)) this.push(entry)
    this.#total = total
  }

  /** As fast for a long past as for a short one. */
  copy(): Past {
    this.#isShared = true
    const copy = new Past(this.#keep)
    copy.#isShared = true
    copy.#atMs = this.#atMs
    copy.#cause = this.#cause
    copy.#kinds = this.#kinds
    copy.#ids = this.#ids
    copy.#details = this.#details
    copy.#length = this.#length
    copy.#next = this.#next
    copy.#total = this.#total
    return copy
  }

  #makeOwn(): void {
    this.#atMs = this.#atMs.slice()
    this.#cause = this.#cause.slice()
    this.#kinds = this.#kinds.slice()
    this.#ids = this.#ids.slice()
    this.#details = this.#details.slice()
    this.#isShared = false
  }

  #place(): number {
    if (this.#length < this.#keep) {
      if (this.#length === this.#atMs.length) this.#grow()
      return this.#length++
    }
    const place = this.#next
    this.#next = (place + 1) % this.#keep
    return place
  }

  #grow(): void {
    const capacity = Math.min(this.#atMs.length * 2, this.#keep)
    const [atMs, cause] = [new Float64Array(capacity), new Float64Array(capacity)]
    atMs.set(this.#atMs)
    cause.set(this.#cause)
    this.#atMs = atMs
    this.#cause = cause
  }

  #entry(place: number, seq: number): Entry {
    const entry = {
      seq,
      atMs: this.#atMs[place] as number,
      kind: this.#kinds[place] as string,
      id: this.#ids[place] as string,
      cause: this.#cause[place] || null,
    }
    const detail = this.#details[place]
    return detail === undefined ? entry : { ...entry, detail }
  }
}
