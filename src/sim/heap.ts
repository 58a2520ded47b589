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
}

const slotBits = 22
const slotLimit = 2 ** slotBits
const branching = 4

export class Heap<Item> {
  #atMs = new Float64Array(64)
  #order = new Float64Array(64)
  #position = new Int32Array(64)
  #heap = new Int32Array(64)
  #items: (Item | undefined)[] = []
  readonly #free: number[] = []
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

  push(atMs: number, item: Item): PendingId {
    const slot = this.#free.pop() ?? this.#newSlot()
    const order = this.#nextOrder++
    this.#atMs[slot] = atMs
    this.#order[slot] = order
    this.#items[slot] = item
    this.#siftUp(this.#size++, slot)
    return order * slotLimit + slot
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
    return { id, atMs: this.#atMs[slot] ?? 0, item: this.#items[slot] as Item }
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
    this.#position = copyInto(new Int32Array(capacity), this.#position)
    this.#heap = copyInto(new Int32Array(capacity), this.#heap)
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
    let index = start
    while (index > 0) {
      const parentIndex = (index - 1) >> 2
      const parent = heap[parentIndex] as number
      if (!this.#isBefore(slot, parent)) break
      heap[index] = parent
      this.#position[parent] = index
      index = parentIndex
    }
    heap[index] = slot
    this.#position[slot] = index
  }

  #siftDown(start: number, slot: number): void {
    const heap = this.#heap
    const size = this.#size
    let index = start
    for (;;) {
      const firstChild = index * branching + 1
      if (firstChild >= size) break
      let bestIndex = firstChild
      const end = Math.min(firstChild + branching, size)
      for (let child = firstChild + 1; child < end; child++) {
        if (this.#isBefore(heap[child] as number, heap[bestIndex] as number)) bestIndex = child
      }
      const best = heap[bestIndex] as number
      if (!this.#isBefore(best, slot)) break
      heap[index] = best
      this.#position[best] = index
      index = bestIndex
    }
    heap[index] = slot
    this.#position[slot] = index
  }
}

function copyInto<Numbers extends Float64Array | Int32Array>(to: Numbers, from: Numbers): Numbers {
  to.set(from)
  return to
}
