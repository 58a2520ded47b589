/**
 * All resources of one kind, by id.
 *
 * Resources are replaced, never edited, so whoever holds one holds what was true when it was read.
 * Only `domain` may call `put` and `remove`.
 */
import { notFound } from '../model/errors.ts'
import { SharedMap } from '../sim/shared-map.ts'
import { Arrivals, type SavedArrivals } from './arrivals.ts'

export interface Resource {
  readonly id: string
}

/** Told of every change, before and after: how an index keeps up with its collection. */
export type Watcher<Item> = (before: Item | undefined, after: Item | undefined) => void

export interface PageWish {
  /** The arrival after which the page ends; absent for the newest. */
  readonly before?: number | undefined
  readonly limit: number
  /** What the listed items belong to, where the collection is grouped. */
  readonly group?: string
}

export interface CollectionPage<Item> {
  /** Newest first. */
  readonly items: readonly Item[]
  /** The arrival at which the next page begins; null when there is none. */
  readonly next: number | null
}

export class Collection<Item extends Resource> {
  /** What one of these is called in a refusal: `pod`. */
  readonly noun: string
  #items = new SharedMap<Item>()
  /** Found by their ids, and in no list. */
  #unlisted = new SharedMap<Item>()
  readonly #watch: Watcher<Item> | undefined
  #observer: Watcher<Item> | undefined
  readonly #isListed: ((item: Item) => boolean) | undefined
  readonly #groupOf: ((item: Item) => string) | undefined
  #arrivals: Arrivals | undefined

  /**
   * `isListed`: absent for all. `groupOf`: which list an item is in, now and for ever, of those that
   * are read page by page; absent where none is.
   */
  constructor(
    noun: string,
    watch?: Watcher<Item>,
    isListed?: (item: Item) => boolean,
    groupOf?: (item: Item) => string,
  ) {
    this.noun = noun
    this.#watch = watch
    this.#isListed = isListed
    this.#groupOf = groupOf
    this.#arrivals = groupOf && new Arrivals()
  }

  get size(): number {
    return this.#items.size
  }

  find(id: string): Item | undefined {
    return this.#items.get(id) ?? (this.#isListed && this.#unlisted.get(id))
  }

  /** The item, or a `not_found` refusal. */
  require(id: string): Item {
    const item = this.find(id)
    if (item === undefined) throw notFound(this.noun, id)
    return item
  }

  /** As `require`, for those that are in lists only. */
  requireListed(id: string): Item {
    const item = this.#items.get(id)
    if (item === undefined) throw notFound(this.noun, id)
    return item
  }

  /** In the order they were created. */
  values(): IterableIterator<Item> {
    return this.#items.values()
  }

  all(): Item[] {
    return [...this.#items.values()]
  }

  /** All there are, in a list or not. */
  everything(): Item[] {
    return [...this.#items.values(), ...this.#unlisted.values()]
  }

  where(test: (item: Item) => boolean): Item[] {
    const found: Item[] = []
    for (const item of this.#items.values()) if (test(item)) found.push(item)
    return found
  }

  /** Tells one observer, the last that came, of every change, just before it is made. */
  observe(observer: Watcher<Item> | undefined): void {
    this.#observer = observer
  }

  /** One page of those in lists; undefined when nothing ever came with the number `before`. */
  page({ before, limit, group = '' }: PageWish): CollectionPage<Item> | undefined {
    const arrivals = this.#arrivals
    if (arrivals === undefined) throw new Error(`no ${this.noun} is read page by page`)
    if (before !== undefined && !arrivals.has(before)) return undefined
    const found = arrivals.before(before ?? Number.POSITIVE_INFINITY, limit + 1, group)
    const items = found.slice(0, limit).map(({ id }) => this.require(id))
    return { items, next: found.length > limit ? (found[limit - 1]?.number ?? null) : null }
  }

  /** Undefined where nothing is read page by page. */
  saveArrivals(): SavedArrivals | undefined {
    return this.#arrivals?.save()
  }

  /** For a collection that has everything again: places that were given out keep their meaning. */
  restoreArrivals({ last, numbers }: SavedArrivals): void {
    if (this.#groupOf === undefined) return
    this.#arrivals = new Arrivals(last)
    for (const [id, number] of numbers) {
      this.#arrivals.add(id, this.#groupOf(this.require(id)), number)
    }
  }

  /** Has what another one has, which its watcher is not told of. In place of anything it had. */
  share(other: Collection<Item>): void {
    this.#items = other.#items.copy()
    this.#unlisted = other.#unlisted.copy()
    this.#arrivals = other.#arrivals?.copy()
  }

  put(item: Item): Item {
    this.#observer?.(this.find(item.id), item)
    const items = this.#isListed?.(item) === false ? this.#unlisted : this.#items
    if (this.#watch === undefined && this.#groupOf === undefined) {
      items.set(item.id, item)
      return item
    }
    const before = items.get(item.id)
    if (before === undefined && this.#groupOf !== undefined && items === this.#items) {
      this.#arrivals?.add(item.id, this.#groupOf(item))
    }
    items.set(item.id, item)
    this.#watch?.(before, item)
    return item
  }

  remove(id: string): void {
    const before = this.find(id)
    if (before === undefined) return
    this.#observer?.(before, undefined)
    this.#items.delete(id)
    if (this.#isListed !== undefined) this.#unlisted.delete(id)
    if (this.#groupOf !== undefined) this.#arrivals?.remove(id, this.#groupOf(before))
    this.#watch?.(before, undefined)
  }
}
