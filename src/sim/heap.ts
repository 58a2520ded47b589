/**
 * Pending items ordered by (time, order of arrival), with cancellation by id and no scan.
 *
 * Tuned, because a virtual day passes millions of items through here: the heap holds slot numbers,
 * and a slot's time, order and heap position live in typed arrays, so sifting touches no objects.
 * An id carries its slot and its arrival number; a slot that was reused no longer matches the id.
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

const slotBits = 22
const slotLimit = 2 ** slotBits
const branching = 4

export class Heap<Item> {
  #atMs = new Float64Array(64)
  #order = new Float64Array(64)
  #tag = new Float64Array(64)
  #position = new Int32Array(64)
  #heap = new Int32Array(64)
  /** Due times in the order of the heap: most comparisons need nothing else, and these lie together. */
  #heapAtMs = new Float64Array(64)
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
    return this.#size === 0 ? Number.POSITIVE_INFINITY : (this.#atMs[this.#heap[0] ?? 0] ?? 0)
  }

  push(atMs: number, item: Item, tag = 0): PendingId {
    const slot = this.#free.pop() ?? this.#newSlot()
    const order = this.#nextOrder++
    this.#atMs[slot] = atMs
    this.#order[slot] = order
    this.#tag[slot] = tag
    this.#items[slot] = item
    this.#siftUp(this.#size++, slot)
    return order * slotLimit + slot
  }

  /**
   * Fills an empty heap with what another one held. Every item keeps its id, so whoever stored an id
   * can go on using it. Slots that are free are used again from the lowest on.
   */
  restore(pending: readonly Pending<Item>[], nextOrder: number): void {
    invariant(this.#items.length === 0, 'a heap is restored once, before anything is in it')
    const slots = pending.map(({ id }) => id % slotLimit)
    const slotCount = slots.reduce((most, slot) => Math.max(most, slot + 1), 0)
    this.#items = Array.from({ length: slotCount }, () => undefined)
    if (slotCount > this.#atMs.length) this.#grow(slotCount * 2)
    for (const [index, { id, atMs, item, tag }] of pending.entries()) {
      const slot = slots[index] as number
      this.#atMs[slot] = atMs
      this.#order[slot] = Math.floor(id / slotLimit)
      this.#tag[slot] = tag
      this.#items[slot] = item
      this.#siftUp(this.#size++, slot)
    }
    const held = new Set(slots)
    for (let slot = slotCount - 1; slot >= 0; slot--) if (!held.has(slot)) this.#free.push(slot)
    this.#nextOrder = nextOrder
  }

  /** Every item keeps its id. As fast as memory is copied. */
  copy(): Heap<Item> {
    const copy = new Heap<Item>()
    copy.#atMs = this.#atMs.slice()
    copy.#order = this.#order.slice()
    copy.#tag = this.#tag.slice()
    copy.#position = this.#position.slice()
    copy.#heap = this.#heap.slice()
    copy.#heapAtMs = this.#heapAtMs.slice()
    copy.#items = this.#items.slice()
    copy.#free = this.#free.slice()
    copy.#size = this.#size
    copy.#nextOrder = this.#nextOrder
    return copy
  }

  /** Removes and returns the first item. */
  pop(): Pending<Item> | undefined {
    if (this.#size === 0) return undefined
    const slot = this.#heap[0] ?? 0
    const entry = this.#entry(slot)
    this.#removeAt(0)
    this.#release(slot)
    return entry
  }

  /** True when the item was still pending. */
  cancel(id: PendingId): boolean {
    const slot = id % slotLimit
    if (!this.#holds(id, slot)) return false
    this.#removeAt(this.#position[slot] ?? 0)
    this.#release(slot)
    return true
  }

  find(id: PendingId): Pending<Item> | undefined {
    const slot = id % slotLimit
    return this.#holds(id, slot) ? this.#entry(slot) : undefined
  }

  /** Everything pending, first to last. Sorts a copy: for people and snapshots, not for loops. */
  toSorted(): Pending<Item>[] {
    const slots = Array.from(this.#heap.subarray(0, this.#size))
    slots.sort((left, right) => (this.#isBefore(left, right) ? -1 : 1))
    return slots.map((slot) => this.#entry(slot))
  }

  #entry(slot: number): Pending<Item> {
    const id = (this.#order[slot] ?? 0) * slotLimit + slot
    const tag = this.#tag[slot] ?? 0
    return { id, atMs: this.#atMs[slot] ?? 0, item: this.#items[slot] as Item, tag }
  }

  #holds(id: PendingId, slot: number): boolean {
    return this.#items[slot] !== undefined && this.#order[slot] === Math.floor(id / slotLimit)
  }

  #newSlot(): number {
    const slot = this.#items.length
    invariant(slot < slotLimit, `at most ${slotLimit} items are pending`)
    this.#items.push(undefined)
    if (slot >= this.#atMs.length) this.#grow(slot * 2)
    return slot
  }

  #grow(capacity: number): void {
    this.#atMs = copyInto(new Float64Array(capacity), this.#atMs)
    this.#order = copyInto(new Float64Array(capacity), this.#order)
    this.#tag = copyInto(new Float64Array(capacity), this.#tag)
    this.#position = copyInto(new Int32Array(capacity), this.#position)
    this.#heap = copyInto(new Int32Array(capacity), this.#heap)
    this.#heapAtMs = copyInto(new Float64Array(capacity), this.#heapAtMs)
  }

  #release(slot: number): void {
    this.#items[slot] = undefined
    this.#free.push(slot)
  }

  #removeAt(index: number): void {
    const last = this.#heap[--this.#size] ?? 0
    if (index === this.#size) return
    const removed = this.#heap[index] ?? 0
    if (this.#isBefore(last, removed)) this.#siftUp(index, last)
    else this.#siftDown(index, last)
  }

  #isBefore(left: number, right: number): boolean {
    const leftAt = this.#atMs[left] as number
    const rightAt = this.#atMs[right] as number
    if (leftAt !== rightAt) return leftAt < rightAt
    return (this.#order[left] as number) < (this.#order[right] as number)
  }

  #siftUp(start: number, slot: number): void {
    const heap = this.#heap
    const times = this.#heapAtMs
    const atMs = this.#atMs[slot] as number
    let index = start
    while (index > 0) {
      const parentIndex = (index - 1) >> 2
      const parentAtMs = times[parentIndex] as number
      const parent = heap[parentIndex] as number
      if (parentAtMs < atMs || (parentAtMs === atMs && this.#isBefore(parent, slot))) break
      this.#place(index, parent, parentAtMs)
      index = parentIndex
    }
    this.#place(index, slot, atMs)
  }

  #siftDown(start: number, slot: number): void {
    const times = this.#heapAtMs
    const size = this.#size
    const atMs = this.#atMs[slot] as number
    let index = start
    for (;;) {
      const firstChild = index * branching + 1
      if (firstChild >= size) break
      const bestIndex = this.#firstOf(firstChild, Math.min(firstChild + branching, size))
      const best = this.#heap[bestIndex] as number
      const bestAtMs = times[bestIndex] as number
      if (atMs < bestAtMs || (atMs === bestAtMs && this.#isBefore(slot, best))) break
      this.#place(index, best, bestAtMs)
      index = bestIndex
    }
    this.#place(index, slot, atMs)
  }

  /** The position of the first item among those from `start` up to, and not with, `end`. */
  #firstOf(start: number, end: number): number {
    const heap = this.#heap
    const times = this.#heapAtMs
    let best = start
    let bestAtMs = times[start] as number
    for (let index = start + 1; index < end; index++) {
      const atMs = times[index] as number
      if (atMs > bestAtMs) continue
      if (atMs === bestAtMs && !this.#isBefore(heap[index] as number, heap[best] as number))
        continue
      best = index
      bestAtMs = atMs
    }
    return best
  }

  #place(index: number, slot: number, atMs: number): void {
    this.#heap[index] = slot
    this.#heapAtMs[index] = atMs
    this.#position[slot] = index
  }
}

function copyInto<Numbers extends Float64Array | Int32Array>(to: Numbers, from: Numbers): Numbers {
  to.set(from)
  return to
}
