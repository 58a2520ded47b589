/**
 * Pending items ordered by (time, order of arrival), with cancellation by id and no scan.
 *
 * Tuned, because a virtual day passes millions of items through here: the heap is one array of
 * numbers, so sifting touches no objects, and what is compared lies together. An id carries its slot
 * below its arrival number, so the smaller id came first, and a slot that is reused has another id.
 */
import { invariant } from './invariant.ts'

/** Names one pending item for ever: ids are never reused. */
export type PendingId = number

export interface Pending<Item> {
  readonly id: PendingId
  readonly atMs: number
  readonly item: Item
  /** A number that the item was pushed with, kept outside of it to keep it small. */
  readonly tag: number
}

const slotLimit = 2 ** 22
const branching = 4
/** Of a slot that is free. */
const nowhere = -1

export class Heap<Item> {
  /** In the order of the heap, two numbers each: the due time and the id. */
  #keys = new Float64Array(128)
  /** By slot, where in the heap its item is. */
  #position = new Int32Array(64)
  #tag = new Float64Array(64)
  #items: (Item | undefined)[] = []
  #free: number[] = []
  #size = 0
  #nextOrder = 1

  get size(): number {
    return this.#size
  }

  /** The next arrival number. Part of a snapshot, so that a restored heap keeps its order. */
  get nextOrder(): number {
    return this.#nextOrder
  }

  /** The time of the first item, or `Infinity` when nothing is pending. */
  get firstAtMs(): number {
    return this.#size === 0 ? Number.POSITIVE_INFINITY : (this.#keys[0] as number)
  }

  push(atMs: number, item: Item, tag = 0): PendingId {
    const slot = this.#free.pop() ?? this.#newSlot()
    const id = this.#nextOrder++ * slotLimit + slot
    this.#insert(slot, { id, atMs, item, tag })
    return id
  }

  /**
   * Fills an empty heap with what another one held. Every item keeps its id, so whoever stored an id
   * can go on using it. Slots that are free are used again from the lowest on.
   */
  restore(pending: readonly Pending<Item>[], nextOrder: number): void {
    invariant(this.#items.length === 0, 'a heap is restored once, before anything is in it')
    const slotCount = pending.reduce((most, { id }) => Math.max(most, slotOf(id) + 1), 0)
    this.#items = Array.from({ length: slotCount }, () => undefined)
    if (slotCount > this.#position.length) this.#grow(slotCount * 2)
    this.#position.fill(nowhere)
    for (const each of pending) this.#insert(slotOf(each.id), each)
    for (let slot = slotCount - 1; slot >= 0; slot--) {
      if (this.#position[slot] === nowhere) this.#free.push(slot)
    }
    this.#nextOrder = nextOrder
  }

  /** Every item keeps its id. As fast as memory is copied. */
  copy(): Heap<Item> {
    const copy = new Heap<Item>()
    copy.#keys = this.#keys.slice()
    copy.#position = this.#position.slice()
    copy.#tag = this.#tag.slice()
    copy.#items = this.#items.slice()
    copy.#free = this.#free.slice()
    copy.#size = this.#size
    copy.#nextOrder = this.#nextOrder
    return copy
  }

  /** Removes and returns the first item. */
  pop(): Pending<Item> | undefined {
    return this.#size === 0 ? undefined : this.takeFirst()
  }

  /** As `pop`, where something is known to be pending: then V8 need not make an object of it. */
  takeFirst(): Pending<Item> {
    const first = this.#entry(0)
    this.#removeAt(0)
    this.#release(slotOf(first.id))
    return first
  }

  /** Another time for an item, as if it came only now: it has another id. Undefined if it is gone. */
  move(id: PendingId, atMs: number, tag = 0): PendingId | undefined {
    const index = this.#indexOf(id)
    if (index === nowhere) return undefined
    const slot = slotOf(id)
    const moved = this.#nextOrder++ * slotLimit + slot
    this.#tag[slot] = tag
    this.#put(index, atMs, moved)
    return moved
  }

  /** True when the item was still pending. */
  cancel(id: PendingId): boolean {
    const index = this.#indexOf(id)
    if (index === nowhere) return false
    this.#removeAt(index)
    this.#release(slotOf(id))
    return true
  }

  find(id: PendingId): Pending<Item> | undefined {
    const index = this.#indexOf(id)
    return index === nowhere ? undefined : this.#entry(index)
  }

  /** Everything pending, first to last. Sorts a copy: for people and snapshots, not for loops. */
  toSorted(): Pending<Item>[] {
    const entries = Array.from({ length: this.#size }, (_, index) => this.#entry(index))
    return entries.sort((left, right) => left.atMs - right.atMs || left.id - right.id)
  }

  #entry(index: number): Pending<Item> {
    const atMs = this.#keys[index * 2] as number
    const id = this.#keys[index * 2 + 1] as number
    const slot = slotOf(id)
    return { id, atMs, item: this.#items[slot] as Item, tag: this.#tag[slot] as number }
  }

  /** Where in the heap it is, or nowhere. */
  #indexOf(id: PendingId): number {
    const index = this.#position[slotOf(id)] ?? nowhere
    return index !== nowhere && this.#keys[index * 2 + 1] === id ? index : nowhere
  }

  #newSlot(): number {
    const slot = this.#items.length
    invariant(slot < slotLimit, `at most ${slotLimit} items are pending`)
    this.#items.push(undefined)
    if (slot >= this.#position.length) this.#grow(slot * 2)
    return slot
  }

  #grow(slots: number): void {
    this.#keys = copyInto(new Float64Array(slots * 2), this.#keys)
    this.#position = copyInto(new Int32Array(slots), this.#position)
    this.#tag = copyInto(new Float64Array(slots), this.#tag)
  }

  #insert(slot: number, { id, atMs, item, tag }: Pending<Item>): void {
    this.#items[slot] = item
    this.#tag[slot] = tag
    this.#siftUp(this.#size++, atMs, id)
  }

  #release(slot: number): void {
    this.#items[slot] = undefined
    this.#position[slot] = nowhere
    this.#free.push(slot)
  }

  /** The last one takes the place. */
  #removeAt(index: number): void {
    const last = --this.#size
    if (index === last) return
    this.#put(index, this.#keys[last * 2] as number, this.#keys[last * 2 + 1] as number)
  }

  /** In the place of what is there. */
  #put(index: number, atMs: number, id: PendingId): void {
    const keys = this.#keys
    if (isBefore(atMs, id, keys[index * 2] as number, keys[index * 2 + 1] as number)) {
      this.#siftUp(index, atMs, id)
    } else this.#siftDown(index, atMs, id)
  }

  #siftUp(start: number, atMs: number, id: PendingId): void {
    const keys = this.#keys
    let index = start
    while (index > 0) {
      const parent = (index - 1) >> 2
      const parentAtMs = keys[parent * 2] as number
      const parentId = keys[parent * 2 + 1] as number
      if (isBefore(parentAtMs, parentId, atMs, id)) break
      this.#place(index, parentAtMs, parentId)
      index = parent
    }
    this.#place(index, atMs, id)
  }

  #siftDown(start: number, atMs: number, id: PendingId): void {
    const keys = this.#keys
    let index = start
    for (;;) {
      const best = this.#firstChildOf(index)
      if (best === nowhere) break
      const bestAtMs = keys[best * 2] as number
      const bestId = keys[best * 2 + 1] as number
      if (isBefore(atMs, id, bestAtMs, bestId)) break
      this.#place(index, bestAtMs, bestId)
      index = best
    }
    this.#place(index, atMs, id)
  }

  /** Which of its children is due first. */
  #firstChildOf(index: number): number {
    const keys = this.#keys
    let best = index * branching + 1
    if (best >= this.#size) return nowhere
    const end = Math.min(best + branching, this.#size)
    for (let child = best + 1; child < end; child++) {
      const atMs = keys[child * 2] as number
      const bestAtMs = keys[best * 2] as number
      if (atMs > bestAtMs) continue
      if (atMs < bestAtMs || (keys[child * 2 + 1] as number) < (keys[best * 2 + 1] as number))
        best = child
    }
    return best
  }

  #place(index: number, atMs: number, id: PendingId): void {
    this.#keys[index * 2] = atMs
    this.#keys[index * 2 + 1] = id
    this.#position[slotOf(id)] = index
  }
}

/** The lowest bits of an id. */
function slotOf(id: PendingId): number {
  return id & (slotLimit - 1)
}

function isBefore(leftAtMs: number, leftId: number, rightAtMs: number, rightId: number): boolean {
  return leftAtMs === rightAtMs ? leftId < rightId : leftAtMs < rightAtMs
}

function copyInto<Numbers extends Float64Array | Int32Array>(to: Numbers, from: Numbers): Numbers {
  to.set(from)
  return to
}
