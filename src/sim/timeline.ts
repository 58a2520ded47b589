/**
 * One world's time: what happened, what time it is, and what will happen.
 *
 * What will happen is data, an event with a due time, so it can be listed, saved and replayed. What
 * happened is data too: each entry names the earlier entry that caused it. The timeline never calls
 * anyone; whoever drives it takes one due event at a time with `takeDue`.
 */
import { Heap, type Pending, type PendingId } from './heap.ts'
import { invariant } from './invariant.ts'
import { Past } from './past.ts'

export type TimerId = PendingId

/** Something that happened. Plain data, so a timeline can be written out and compared. */
export interface Entry {
  readonly seq: number
  readonly atMs: number
  /** Past tense: `pod.created`, `job.completed`. */
  readonly kind: string
  /** The resource it happened to. */
  readonly id: string
  /** The `seq` of the entry that led to this one, or null for what came from outside. */
  readonly cause: number | null
  readonly detail?: Readonly<Record<string, unknown>> | undefined
}

/** An event that is due some time, and the entry that scheduled it. */
export interface Scheduled<Event> {
  readonly atMs: number
  readonly event: Event
  readonly cause: number | null
}

/** All of a timeline as data. */
export interface SavedTimeline<Event> {
  readonly nowMs: number
  /** First to last. */
  readonly pending: readonly Pending<Event>[]
  readonly nextOrder: number
  /** As far back as it is kept. */
  readonly past: readonly Entry[]
  readonly entryCount: number
}

/** Told of whatever becomes pending, and of whatever no longer is. */
export interface PendingObserver<Event> {
  readonly scheduled: (pending: Pending<Event>) => void
  readonly gone: (id: TimerId) => void
}

/** `Kind`: the kinds of entries that may be written. */
export class Timeline<Event, Kind extends string = string> {
  #nowMs: number
  #cause: number | null = null
  /** Each with the `seq` of its cause as the tag; 0 for none. */
  #pending = new Heap<Event>()
  #past: Past
  #observer: PendingObserver<Event> | undefined

  /** `keep`: how many entries of the past stay readable. */
  constructor(startMs: number, keep: number) {
    this.#nowMs = startMs
    this.#past = new Past(keep)
  }

  get nowMs(): number {
    return this.#nowMs
  }

  /** When the next event is due, or `Infinity`. */
  get nextAtMs(): number {
    return this.#pending.firstAtMs
  }

  get pendingCount(): number {
    return this.#pending.size
  }

  /** What will happen, first to last. */
  get pending(): Scheduled<Event>[] {
    return this.#pending
      .toSorted()
      .map(({ atMs, item, tag }) => ({ atMs, event: item, cause: tag === 0 ? null : tag }))
  }

  /** What happened, first to last, as far back as it is kept. */
  get past(): Entry[] {
    return this.#past.toArray()
  }

  /** What happened after the entry with this `seq`, as far as it is kept. */
  since(seq: number): Entry[] {
    return this.#past.last(Math.max(0, this.#past.total - seq))
  }

  get entryCount(): number {
    return this.#past.total
  }

  /** The arrival number that the next event will have. */
  get nextOrder(): number {
    return this.#pending.nextOrder
  }

  /** One observer at most: the last that came. */
  observe(observer: PendingObserver<Event> | undefined): void {
    this.#observer = observer
  }

  /** Has what another one has, its present included. Timers keep their ids. */
  share(other: Timeline<Event>): void {
    this.#nowMs = other.#nowMs
    this.#pending = other.#pending.copy()
    this.#past = other.#past.copy()
  }

  save(): SavedTimeline<Event> {
    return {
      nowMs: this.#nowMs,
      pending: this.#pending.toSorted(),
      nextOrder: this.#pending.nextOrder,
      past: this.past,
      entryCount: this.entryCount,
    }
  }

  /** Only into a timeline in which nothing has happened yet. Timers keep their ids. */
  restore({ nowMs, pending, nextOrder, past, entryCount }: SavedTimeline<Event>): void {
    this.#nowMs = nowMs
    this.#pending.restore(pending, nextOrder)
    this.#past.restore(past, entryCount)
  }

  after(delayMs: number, event: Event): TimerId {
    invariant(delayMs >= 0, 'a delay is not negative')
    const atMs = this.#nowMs + delayMs
    const tag = this.#cause ?? 0
    const id = this.#pending.push(atMs, event, tag)
    this.#observer?.scheduled({ id, atMs, item: event, tag })
    return id
  }

  /**
   * Another time for a timer that is pending, and another id: as if it was cancelled and its event
   * scheduled anew. Undefined when it is no longer pending.
   */
  move(id: TimerId | null, delayMs: number): TimerId | undefined {
    if (id === null) return undefined
    invariant(delayMs >= 0, 'a delay is not negative')
    const moved = this.#pending.move(id, this.#nowMs + delayMs, this.#cause ?? 0)
    if (moved === undefined || this.#observer === undefined) return moved
    this.#observer.gone(id)
    const pending = this.#pending.find(moved)
    if (pending !== undefined) this.#observer.scheduled(pending)
    return moved
  }

  cancel(id: TimerId | null): void {
    if (id !== null && this.#pending.cancel(id)) this.#observer?.gone(id)
  }

  /** When a timer is due, or undefined when it is no longer pending. */
  dueAtMs(id: TimerId): number | undefined {
    return this.#pending.find(id)?.atMs
  }

  /**
   * Moves time to the next event due by `untilMs` and removes it from what is pending; with nothing
   * due, moves time to `untilMs`. Time never moves back.
   */
  takeDue(untilMs: number): Event | undefined {
    if (this.#pending.firstAtMs > untilMs) {
      this.#nowMs = Math.max(this.#nowMs, untilMs)
      return undefined
    }
    if (this.#pending.size === 0) return undefined
    const next = this.#pending.takeFirst()
    this.#nowMs = Math.max(this.#nowMs, next.atMs)
    this.#cause = next.tag === 0 ? null : next.tag
    this.#observer?.gone(next.id)
    return next.item
  }

  /** What follows was asked for from outside: its first entry has no cause. */
  beginRequest(): void {
    this.#cause = null
  }

  /** The entry that whatever comes next was caused by. */
  get cause(): number | null {
    return this.#cause
  }

  /** What comes next was caused by that entry. */
  follow(cause: number | null): void {
    this.#cause = cause
  }

  /** Writes down what just happened. Whatever is scheduled or written next was caused by it. */
  record(kind: Kind, id: string, detail?: Entry['detail']): void {
    this.#past.push({ atMs: this.#nowMs, kind, id, cause: this.#cause, detail })
    this.#cause = this.#past.total
  }
}
