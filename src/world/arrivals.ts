/**
 * The ids of a collection in the order in which they came: what pages are cut from.
 *
 * Kept in chunks, so that finding a place, adding an id and taking one away cost the same in a long
 * list as in a short one. An arrival has a number for ever, also when its id is gone: a reader who
 * stopped there can go on.
 */

import { SharedMap } from '../sim/shared-map.ts'

export interface Arrival {
  readonly number: number
  readonly id: string
}

export interface SavedArrivals {
  /** The last number that was given. */
  readonly last: number
  /** In order. */
  readonly numbers: readonly (readonly [id: string, number: number])[]
}

type Chunk = Arrival[]

const chunkLength = 512

export class Arrivals {
  /** By the group that an id is listed in. */
  readonly #lists = new Map<string, Chunk[]>()
  /** Chunks that no copy shares. */
  readonly #own = new Set<Chunk>()
  #numbers = new SharedMap<number>()
  #last: number

  /** `last`: the number before that of the next to come. */
  constructor(last = 0) {
    this.#last = last
  }

  save(): SavedArrivals {
    return { last: this.#last, numbers: [...this.#numbers.entries()] }
  }

  /** Chunks are shared until one of both sides changes them. */
  copy(): Arrivals {
    const copy = new Arrivals(this.#last)
    copy.#numbers = this.#numbers.copy()
    this.#own.clear()
    for (const [group, chunks] of this.#lists) copy.#lists.set(group, [...chunks])
    return copy
  }

  /** `number`: the one it had before it was saved. */
  add(id: string, group: string, number = this.#last + 1): void {
    this.#last = Math.max(this.#last, number)
    this.#numbers.set(id, number)
    const chunks = this.#lists.get(group) ?? []
    if (chunks.length === 0) this.#lists.set(group, chunks)
    const open = chunks.at(-1)
    const arrival = { number, id }
    if (open === undefined || open.length === chunkLength) {
      const chunk = [arrival]
      this.#own.add(chunk)
      chunks.push(chunk)
    } else this.#toChange(chunks, chunks.length - 1).push(arrival)
  }

  remove(id: string, group: string): void {
    const number = this.#numbers.get(id)
    const chunks = this.#lists.get(group)
    if (number === undefined || chunks === undefined) return
    this.#numbers.delete(id)
    const index = countBefore(chunks, number + 1, firstOf) - 1
    const chunk = this.#toChange(chunks, index)
    chunk.splice(countBefore(chunk, number, numberOf), 1)
    if (chunk.length === 0) {
      chunks.splice(index, 1)
      this.#own.delete(chunk)
    }
    if (chunks.length === 0) this.#lists.delete(group)
  }

  #toChange(chunks: Chunk[], index: number): Chunk {
    const chunk = chunks[index] as Chunk
    if (this.#own.has(chunk)) return chunk
    const own = [...chunk]
    this.#own.add(own)
    chunks[index] = own
    return own
  }

  /** At most so many that came before an arrival, the last of them first. */
  before(number: number, limit: number, group: string): Arrival[] {
    const found: Arrival[] = []
    const chunks = this.#lists.get(group) ?? []
    for (let index = countBefore(chunks, number, firstOf) - 1; index >= 0; index--) {
      const chunk = chunks[index] ?? []
      for (let place = countBefore(chunk, number, numberOf) - 1; place >= 0; place--) {
        if (found.length === limit) return found
        found.push(chunk[place] as Arrival)
      }
    }
    return found
  }

  /** True for a number that was given to somebody. */
  has(number: number): boolean {
    return Number.isSafeInteger(number) && number > 0 && number <= this.#last
  }
}

const numberOf = ({ number }: Arrival): number => number
const firstOf = ([first]: Chunk): number => first?.number ?? 0

/** How many of the items, which are in order, have a number below that. */
function countBefore<Item>(
  items: readonly Item[],
  number: number,
  of: (item: Item) => number,
): number {
  let low = 0
  let high = items.length
  while (low < high) {
    const middle = (low + high) >>> 1
    if (of(items[middle] as Item) < number) low = middle + 1
    else high = middle
  }
  return low
}
