/**
 * A map of texts that can be copied in constant time: copies share what there was, and each keeps what
 * it changes for itself. Until it is copied it is a map and nothing more.
 *
 * Values are in the order in which they came, as in any map: one that is replaced stays in its place,
 * and one that is taken out and put back is at the end.
 */
export class SharedMap<Value> {
  /** Shared with copies: nobody changes it any more. */
  #base: ReadonlyMap<string, Value> | undefined
  #own = new Map<string, Value>()
  /** Of the base, those that were taken out. */
  #gone = new Set<string>()
  /** Of its own, those that stand in the place of one of the base. */
  #replaced = 0

  get size(): number {
    if (this.#base === undefined) return this.#own.size
    return this.#base.size - this.#gone.size + this.#own.size - this.#replaced
  }

  get(key: string): Value | undefined {
    const own = this.#own.get(key)
    if (own !== undefined || this.#base === undefined) return own
    return this.#gone.has(key) ? undefined : this.#base.get(key)
  }

  /** The value, unless it is shared: what may be edited in place, where values are. */
  owned(key: string): Value | undefined {
    return this.#own.get(key)
  }

  has(key: string): boolean {
    return this.#own.has(key) || this.#isInBase(key)
  }

  set(key: string, value: Value): void {
    if (this.#base !== undefined && !this.#own.has(key) && this.#isInBase(key)) this.#replaced += 1
    this.#own.set(key, value)
  }

  delete(key: string): void {
    const hadOwn = this.#own.delete(key)
    if (!this.#isInBase(key)) return
    this.#gone.add(key)
    if (hadOwn) this.#replaced -= 1
  }

  values(): IterableIterator<Value> {
    return this.#base === undefined ? this.#own.values() : this.#sharedValues(this.#base)
  }

  *entries(): IterableIterator<[string, Value]> {
    for (const [key, value] of this.#base ?? nothing) {
      if (!this.#gone.has(key)) yield [key, this.#own.get(key) ?? (value as Value)]
    }
    for (const [key, value] of this.#own) if (!this.#isInBase(key)) yield [key, value]
  }

  /** Constant time where nothing has changed since the last copy, or where this is the first. */
  copy(): SharedMap<Value> {
    if (this.#base === undefined) this.#base = this.#own
    else if (this.#own.size > 0 || this.#gone.size > 0) this.#base = new Map(this.entries())
    this.#own = new Map()
    this.#gone = new Set()
    this.#replaced = 0
    const copy = new SharedMap<Value>()
    copy.#base = this.#base
    return copy
  }

  *#sharedValues(base: ReadonlyMap<string, Value>): IterableIterator<Value> {
    for (const [key, value] of base) if (!this.#gone.has(key)) yield this.#own.get(key) ?? value
    for (const [key, value] of this.#own) if (!this.#isInBase(key)) yield value
  }

  #isInBase(key: string): boolean {
    return this.#base?.has(key) === true && !this.#gone.has(key)
  }
}

const nothing = new Map<string, never>()
