/** Callers that wait for something to change, and how long they are ready to. */
import type { Reply, Waiting } from '../surfaces/http/reply.ts'

interface Wait {
  readonly id: number
  readonly waiting: Waiting
  readonly timer: number
  readonly settle: (answer: () => Reply) => void
}

export class Waits {
  readonly #byId = new Map<number, Wait>()
  /** Most have one who waits, and a set of one weighs more than all else about it. */
  readonly #byTopic = new Map<string, Wait | Set<Wait>>()
  #nextId = 1
  #outside = 0

  get size(): number {
    return this.#byId.size
  }

  /** Those that wait on the clock: for whoever works for the cloud, it need not move. */
  get onClock(): number {
    return this.#byId.size - this.#outside
  }

  /** When each of them is over: timers of the world's. */
  get timers(): readonly number[] {
    return [...this.#byId.values()].map(({ timer }) => timer)
  }

  nextId(): number {
    return this.#nextId++
  }

  add(wait: Wait): void {
    const { waitFor } = wait.waiting
    this.#byId.set(wait.id, wait)
    if (wait.waiting.outside) this.#outside += 1
    const others = this.#byTopic.get(waitFor)
    if (others === undefined) this.#byTopic.set(waitFor, wait)
    else if (others instanceof Set) others.add(wait)
    else this.#byTopic.set(waitFor, new Set([others, wait]))
  }

  /** Something changed: whoever waits for it and is satisfied has its answer. */
  changed(topic: string, ended: unknown): readonly number[] {
    const waits = this.#byTopic.get(topic)
    if (waits === undefined) return none
    const timers: number[] = []
    for (const wait of waits instanceof Set ? [...waits] : [waits]) {
      try {
        const reply = wait.waiting.answer(ended)
        if (reply === undefined) continue
        this.#end(wait, () => reply)
      } catch (error) {
        this.#end(wait, () => {
          throw error
        })
      }
      timers.push(wait.timer)
    }
    return timers
  }

  /** Time is up. */
  over(id: number): void {
    const wait = this.#byId.get(id)
    if (wait !== undefined) this.#end(wait, wait.waiting.otherwise)
  }

  /** The caller hung up: nobody is left to answer. Returns the timer that is no longer needed. */
  forget(id: number): number | undefined {
    const wait = this.#byId.get(id)
    if (wait !== undefined) this.#remove(wait)
    return wait?.timer
  }

  /** Everybody gets the answer that they would get if their time were up. */
  endAll(): void {
    for (const wait of [...this.#byId.values()]) this.#end(wait, wait.waiting.otherwise)
  }

  #end(wait: Wait, answer: () => Reply): void {
    this.#remove(wait)
    wait.settle(answer)
  }

  #remove(wait: Wait): void {
    this.#byId.delete(wait.id)
    const { waitFor, ended, outside } = wait.waiting
    if (outside) this.#outside -= 1
    ended?.()
    const others = this.#byTopic.get(waitFor)
    if (others instanceof Set) others.delete(wait)
    if (others === wait || (others instanceof Set && others.size === 0)) {
      this.#byTopic.delete(waitFor)
    }
  }
}

const none: readonly number[] = []
