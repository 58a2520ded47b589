/** First in, first out, in constant time however long the queue gets. */
export class Fifo<Item> {
  #items: Item[] = []
  #head = 0

  get length(): number {
    return this.#items.length - this.#head
  }

  push(item: Item): void {
    this.#items.push(item)
  }

  peek(): Item | undefined {
    return this.#items[this.#head]
  }

  shift(): Item | undefined {
    if (this.#head === this.#items.length) return undefined
    const item = this.#items[this.#head]
    this.#head += 1
    if (this.#head > 1_024 && this.#head * 2 > this.#items.length) this.#compact()
    return item
  }

  copy(): Fifo<Item> {
    const copy = new Fifo<Item>()
    copy.#items = this.#items.slice(this.#head)
    return copy
  }

  clear(): void {
    this.#items = []
    this.#head = 0
  }

  *[Symbol.iterator](): Iterator<Item> {
    for (let index = this.#head; index < this.#items.length; index++) {
      yield this.#items[index] as Item
    }
  }

  #compact(): void {
    this.#items = this.#items.slice(this.#head)
    this.#head = 0
  }
}
