/**
 * What changes in a world, turn by turn, as data: applied to a copy of the world as it was, it makes a
 * copy of the world as it is. A journal is a list of these.
 *
 * Changes of one collection are in the order in which they were made: lists and queues follow it. Of
 * several changes of one resource in a row, only the last is there.
 */
import type { LogLine } from '../model/effects.ts'
import type { CloudEvent } from '../model/events.ts'
import type { LiveAccount } from '../model/ledger.ts'
import type { Pending } from '../sim/heap.ts'
import type { StreamState } from '../sim/random.ts'
import type { Entry, SavedTimeline, TimerId } from '../sim/timeline.ts'
import type { Collection, Resource } from './collection.ts'
import { type Patch, patched, patchOf } from './patch.ts'
import type { World } from './world.ts'

/** One turn's worth, or that of several. What is absent has not changed. */
export interface WorldChange {
  readonly nowMs: number
  readonly nextOrder: number
  readonly items?: Readonly<Record<string, readonly ItemChange[]>>
  readonly scheduled?: readonly Pending<CloudEvent>[]
  readonly gone?: readonly TimerId[]
  readonly entries?: readonly Entry[]
  readonly random?: Readonly<Record<string, StreamState>>
  /** New lines; null for a log that is over. */
  readonly lines?: readonly (readonly [ownerId: string, line: LogLine | null])[]
  readonly account?: LiveAccount
  readonly stock?: World['stock']['changes']
  readonly images?: readonly string[]
}

/** A resource that is new, what is new about one, or the id of one that was removed. */
export type ItemChange = Resource | Patch | string

/** The last put of a resource, and what it was before the first of several in a row. */
interface Put {
  readonly before: Resource | undefined
  readonly after: Resource
}

/** Listens to one world; what it has heard is handed over and forgotten by `take`. */
export class Recorder {
  readonly #world: World
  readonly #items = new Map<string, (Put | string)[]>()
  readonly #scheduled = new Map<TimerId, Pending<CloudEvent>>()
  #gone: TimerId[] = []
  #lines: (readonly [string, LogLine | null])[] = []
  #counters = new Map<string, number>()
  #entryCount: number
  #account: LiveAccount
  #stockRevision: number
  #imageCount: number
  #nowMs: number

  constructor(world: World, collections: readonly [string, Collection<Resource>][]) {
    this.#world = world
    this.#entryCount = world.timeline.entryCount
    this.#account = world.account
    this.#stockRevision = world.stock.revision
    this.#imageCount = world.pulledImages.size
    this.#nowMs = world.nowMs
    this.#changedStreams()
    for (const [name, collection] of collections) {
      collection.observe((before, after) => this.#note(name, before, after))
    }
    world.timeline.observe({
      scheduled: (pending) => this.#scheduled.set(pending.id, pending),
      // What came and went within the turn leaves no trace.
      gone: (id) => {
        if (!this.#scheduled.delete(id)) this.#gone.push(id)
      },
    })
    world.logs.observe((ownerId, line) => this.#lines.push([ownerId, line]))
  }

  /** What has changed since the last call; undefined for nothing at all. */
  take(): WorldChange | undefined {
    const { timeline, account, stock, pulledImages, nowMs } = this.#world
    const items = this.#takeItems()
    const random = this.#changedStreams()
    const change: { -readonly [Part in keyof WorldChange]: WorldChange[Part] } = {
      nowMs,
      nextOrder: timeline.nextOrder,
    }
    if (items !== undefined) change.items = items
    if (this.#scheduled.size > 0) change.scheduled = [...this.#scheduled.values()]
    if (this.#gone.length > 0) change.gone = this.#gone
    if (timeline.entryCount > this.#entryCount) change.entries = timeline.since(this.#entryCount)
    if (random !== undefined) change.random = random
    if (this.#lines.length > 0) change.lines = this.#lines
    if (account !== this.#account) change.account = account
    if (stock.revision !== this.#stockRevision) change.stock = stock.changes
    if (pulledImages.size !== this.#imageCount) {
      change.images = [...pulledImages].slice(this.#imageCount)
    }
    const isNothing = Object.keys(change).length === 2 && nowMs === this.#nowMs
    this.#forget()
    return isNothing ? undefined : change
  }

  #forget(): void {
    const { timeline, account, stock, pulledImages, nowMs } = this.#world
    this.#scheduled.clear()
    this.#gone = []
    this.#lines = []
    this.#entryCount = timeline.entryCount
    this.#account = account
    this.#stockRevision = stock.revision
    this.#imageCount = pulledImages.size
    this.#nowMs = nowMs
  }

  #note(name: string, before: Resource | undefined, after: Resource | undefined): void {
    const known = this.#items.get(name)
    const changed = known ?? []
    if (known === undefined) this.#items.set(name, changed)
    const last = changed.at(-1)
    if (after === undefined) changed.push(before?.id ?? '')
    else if (typeof last === 'object' && last.after.id === after.id) {
      changed[changed.length - 1] = { before: last.before, after }
    } else changed.push({ before, after })
  }

  #takeItems(): Record<string, ItemChange[]> | undefined {
    if (this.#items.size === 0) return undefined
    const items: Record<string, ItemChange[]> = {}
    for (const [name, changed] of this.#items) items[name] = changed.map(toItemChange)
    this.#items.clear()
    return items
  }

  #changedStreams(): Record<string, StreamState> | undefined {
    let changed: Record<string, StreamState> | undefined
    for (const [purpose, stream] of this.#world.random.streams) {
      if (this.#counters.get(purpose) === stream.counter) continue
      this.#counters.set(purpose, stream.counter)
      changed ??= {}
      changed[purpose] = stream.state
    }
    return changed
  }
}

function toItemChange(change: Put | string): ItemChange {
  if (typeof change === 'string') return change
  const { before, after } = change
  return before === undefined ? after : patchOf(before, after)
}

/** Applies changes to a world whose timeline is still to be filled; returns what to fill it with. */
export function replay(
  world: World,
  saved: SavedTimeline<CloudEvent>,
  changes: Iterable<WorldChange>,
): SavedTimeline<CloudEvent> {
  const pending = new Map(saved.pending.map((each) => [each.id, each]))
  const past = [...saved.past]
  let { nowMs, nextOrder, entryCount } = saved
  for (const change of changes) {
    nowMs = change.nowMs
    nextOrder = change.nextOrder
    for (const id of change.gone ?? []) pending.delete(id)
    for (const each of change.scheduled ?? []) pending.set(each.id, each)
    for (const entry of change.entries ?? []) past.push(entry)
    entryCount = past.at(-1)?.seq ?? entryCount
    applyParts(world, change)
  }
  const keep = world.settings.keep.entries
  return { nowMs, nextOrder, entryCount, pending: [...pending.values()], past: past.slice(-keep) }
}

function isPatch(item: Resource | Patch): item is Patch {
  return Array.isArray(item)
}

function applyParts(world: World, change: WorldChange): void {
  for (const [name, items] of Object.entries(change.items ?? {})) {
    const collection = (world as unknown as Record<string, Collection<Resource>>)[name]
    for (const item of items) {
      if (typeof item === 'string') collection?.remove(item)
      else collection?.put(isPatch(item) ? patched(collection.require(item[0]), item) : item)
    }
  }
  for (const [purpose, state] of Object.entries(change.random ?? {})) {
    world.random.restore(purpose, state)
  }
  for (const [ownerId, line] of change.lines ?? []) {
    if (line === null) world.logs.forget(ownerId)
    else world.logs.add(ownerId, line)
  }
  if (change.account !== undefined) world.account = change.account
  if (change.stock !== undefined) world.stock.restore(change.stock)
  for (const image of change.images ?? []) world.pulledImages.add(image)
}
