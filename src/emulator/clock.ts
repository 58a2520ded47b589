/**
 * How virtual time follows, or does not follow, the time outside.
 *
 * `real` keeps up with the wall clock, times a speed. `manual` stands still until it is told. `auto`
 * jumps from event to event while something is under way and nobody outside is being waited for.
 */
import { conflict } from '../model/errors.ts'
import type { ClockMode } from '../surfaces/control/controls.ts'
import { elapsedMs } from './elapsed.ts'
import type { Session } from './session.ts'

export interface ClockOptions {
  readonly mode: ClockMode
  /** Virtual seconds in a real one, in mode `real`. */
  readonly speed: number
  /** Requests that were taken in and neither answered nor put to wait. */
  readonly inFlight: () => number
}

/** More than a world handles in one go means that it will not come to rest. */
const eventLimit = 50_000_000
const longestTimerMs = 2 ** 31 - 1
/** Events between two looks at the sockets. */
const breath = 2_000

export class Clock {
  #mode: ClockMode
  #speed: number
  #paused = false
  readonly #sessions: () => Iterable<Session>
  readonly #inFlight: () => number
  /** Where each world's time was, and when: virtual ms, real ms. */
  readonly #anchors = new WeakMap<Session, { virtualMs: number; realMs: number }>()
  #timer: NodeJS.Timeout | undefined
  #timerAtMs = Number.POSITIVE_INFINITY
  #skipping = new WeakSet<Session>()
  #closed = false

  constructor({ mode, speed, inFlight }: ClockOptions, sessions: () => Iterable<Session>) {
    this.#mode = mode
    this.#speed = speed
    this.#inFlight = inFlight
    this.#sessions = sessions
  }

  get mode(): ClockMode {
    return this.#mode
  }

  get speed(): number {
    return this.#speed
  }

  get paused(): boolean {
    return this.#paused
  }

  /** Before a request is looked at: what was due by now happens first. */
  catchUp(session: Session): void {
    if (this.#flows()) this.#runTo(session, this.#presentOf(session))
  }

  /** After a turn: sees to it that what is due next happens on time. */
  afterTurn(session: Session): void {
    if (this.#closed) return
    if (this.#mode === 'auto') this.#skipSoon(session)
    else if (this.#flows()) this.#arm(session)
  }

  /**
   * Lets virtual time pass, waiting at each point for whoever outside has to answer first. Stops
   * between two events as soon as `isDone` holds. Resolves to the number of events.
   */
  async advance(session: Session, byMs: number, isDone = never): Promise<number> {
    if (byMs < 0) throw conflict('time does not go back; reset to begin again')
    this.catchUp(session)
    const untilMs = session.world.nowMs + byMs
    let events = 0
    while (!isDone()) {
      while (session.held !== undefined) await session.held
      if (!session.step(untilMs)) break
      events += 1
      if (events >= eventLimit) {
        throw conflict(`time stopped after ${events} events: the world does not come to rest`)
      }
      if (events % breath === 0) await nextTick()
    }
    session.write()
    this.#anchor(session)
    this.afterTurn(session)
    return events
  }

  change(changes: { mode?: ClockMode; speed?: number; paused?: boolean }): void {
    for (const session of this.#sessions()) {
      this.catchUp(session)
      this.#anchor(session)
    }
    this.#mode = changes.mode ?? this.#mode
    this.#speed = changes.speed ?? this.#speed
    this.#paused = changes.paused ?? this.#paused
    this.#disarm()
    for (const session of this.#sessions()) {
      session.world.pace = this.#pace
      this.afterTurn(session)
    }
  }

  /** A world's time starts to flow from where it is. */
  begin(session: Session): void {
    session.world.pace = this.#pace
    this.#anchor(session)
    this.afterTurn(session)
  }

  close(): void {
    this.#closed = true
    this.#disarm()
  }

  /** Virtual time in a ms outside, wherever it follows the time outside at all. */
  get #pace(): number {
    return this.#mode === 'real' ? this.#speed : 1
  }

  #flows(): boolean {
    return this.#mode === 'real' && !this.#paused
  }

  #anchor(session: Session): void {
    this.#anchors.set(session, { virtualMs: session.world.nowMs, realMs: elapsedMs() })
  }

  #presentOf(session: Session): number {
    const anchor = this.#anchors.get(session)
    if (anchor === undefined) return session.world.nowMs
    return Math.floor(anchor.virtualMs + (elapsedMs() - anchor.realMs) * this.#speed)
  }

  #runTo(session: Session, untilMs: number): void {
    for (let events = 0; session.step(untilMs); events++) {
      if (events < breath) continue
      // Too much at once: the rest happens after the sockets had their turn.
      setImmediate(() => this.#tick())
      return
    }
  }

  /** One timer for the first event of all worlds. */
  #arm(session: Session): void {
    const dueAtMs = this.#realTimeOf(session)
    if (dueAtMs >= this.#timerAtMs) return
    this.#disarm()
    this.#timerAtMs = dueAtMs
    const delayMs = Math.min(Math.max(0, Math.ceil(dueAtMs - elapsedMs())), longestTimerMs)
    this.#timer = setTimeout(() => this.#tick(), delayMs)
  }

  #realTimeOf(session: Session): number {
    const anchor = this.#anchors.get(session)
    if (anchor === undefined) return Number.POSITIVE_INFINITY
    return anchor.realMs + (session.world.timeline.nextAtMs - anchor.virtualMs) / this.#speed
  }

  #tick(): void {
    this.#disarm()
    if (this.#closed || !this.#flows()) return
    for (const session of this.#sessions()) {
      this.catchUp(session)
      this.#arm(session)
    }
  }

  #disarm(): void {
    clearTimeout(this.#timer)
    this.#timer = undefined
    this.#timerAtMs = Number.POSITIVE_INFINITY
  }

  #skipSoon(session: Session): void {
    if (this.#skipping.has(session) || !this.#maySkip(session)) return
    this.#skipping.add(session)
    setImmediate(() => {
      void this.#skip(session).finally(() => this.#skipping.delete(session))
    })
  }

  async #skip(session: Session): Promise<void> {
    for (let events = 1; this.#maySkip(session); events++) {
      session.step(session.world.timeline.nextAtMs)
      if (events % breath === 0) await nextTick()
    }
  }

  #maySkip(session: Session): boolean {
    if (this.#closed || this.#paused || this.#mode !== 'auto') return false
    if (this.#inFlight() > 0 || session.holds.length > 0) return false
    const { world } = session
    if (!Number.isFinite(world.timeline.nextAtMs)) return false
    return world.work.underWay || session.waits.onClock > 0 || session.watchers.size > 0
  }
}

const never = () => false
const nextTick = () => new Promise<void>((resolve) => setImmediate(resolve))
