/** The last so many items, oldest first. Memory stays where `capacity` puts it. */
export class Ring<Item> {
  readonly capacity: number
  #items: Item[] = []
  #next = 0
  #total = 0

  constructor(capacity: number) {
    this.capacity = capacity
  }

  /** How many items were ever pushed, those that fell off included. */
  get total(): number {
    return this.#total
  }

  get length(): number {
    return this.#items.length
  }

  push(item: Item): void {
    this.#total += 1
    if (this.#items.length < this.capacity) {
      // There are many short rings: room for one more, where `push` makes room for seventeen.
      if (this.#items.length < short) this.#items = this.#items.concat([item])
      else this.#items.push(item)
      return
    }
    if (this.capacity === 0) return
    this.#items[this.#next] = item
    this.#next = (this.#next + 1) % this.capacity
  }

  /** The last so many, oldest first, without a look at the others. */
  last(count: number): Item[] {
    const length = this.#items.length
    const wanted = Math.min(count, length)
    const last: Item[] = []
    for (let index = length - wanted; index < length; index++) {
      last.push(this.#items[(this.#next + index) % length] as Item)
    }
    return last
  }

  /** Fills an empty ring with what another one held, `total` items having been pushed there. */
  restore(items: readonly Item[], total: number): void {
    this.#items = items.slice(-this.capacity)
    this.#next = 0
    this.#total = total
  }

  copy(): Ring<Item> {
    const copy = new Ring<Item>(this.capacity)
    copy.#items = this.#items.slice()
    copy.#next = this.#next
    copy.#total = this.#total
    return copy
  }

  toArray(): Item[] {
    return [...this.#items.slice(this.#next), ...this.#items.slice(0, this.#next)]
  }
}

/** As many items as are kept without room for more. */
const short = 8
