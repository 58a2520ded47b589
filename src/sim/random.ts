/**
 * Chance, in named streams that a seed decides.
 *
 * Each purpose draws from a stream of its own, so a new draw in one place never changes the outcome
 * in another. The generator is sfc32: four 32-bit words of state, which are the whole snapshot.
 */
import { invariant } from './invariant.ts'

/** How long something takes, in milliseconds: always the same, or drawn from a distribution. */
export type Duration =
  | number
  | { readonly uniform: readonly [min: number, max: number] }
  | { readonly lognormal: { readonly p50: number; readonly p95: number } }

export type StreamState = readonly [number, number, number, number]

export class RandomStream {
  #a: number
  #b: number
  #c: number
  #counter: number

  constructor([a, b, c, counter]: StreamState) {
    this.#a = a
    this.#b = b
    this.#c = c
    this.#counter = counter
  }

  /** Moves with every draw. */
  get counter(): number {
    return this.#counter
  }

  get state(): StreamState {
    return [this.#a, this.#b, this.#c, this.#counter]
  }

  restore([a, b, c, counter]: StreamState): void {
    this.#a = a
    this.#b = b
    this.#c = c
    this.#counter = counter
  }

  /** A whole number from 0 to 2^32 - 1. */
  uint32(): number {
    const sum = (this.#a + this.#b + this.#counter) | 0
    this.#counter = (this.#counter + 1) | 0
    this.#a = this.#b ^ (this.#b >>> 9)
    this.#b = (this.#c + (this.#c << 3)) | 0
    this.#c = ((this.#c << 21) | (this.#c >>> 11)) + sum
    this.#c |= 0
    return sum >>> 0
  }

  /** A number from 0 up to, and never reaching, 1. */
  fraction(): number {
    return this.uint32() / 2 ** 32
  }

  /** A whole number from 0 up to, and never reaching, `limit`. */
  below(limit: number): number {
    invariant(limit > 0, 'a limit is above 0')
    return Math.floor(this.fraction() * limit)
  }

  /** The shape that nanoid's `customRandom` asks for. */
  bytes(count: number): Uint8Array {
    const bytes = new Uint8Array(count)
    for (let index = 0; index < count; index++) bytes[index] = this.uint32() & 0xff
    return bytes
  }

  /** Whole milliseconds. A fixed duration draws nothing. */
  duration(duration: Duration): number {
    if (typeof duration === 'number') return duration
    if ('uniform' in duration) {
      const [min, max] = duration.uniform
      return Math.round(min + (max - min) * this.fraction())
    }
    const { p50, p95 } = duration.lognormal
    const sigma = Math.log(p95 / p50) / 1.6449
    return Math.max(0, Math.round(p50 * Math.exp(sigma * this.#normal())))
  }

  /** Box and Muller's transform of two uniform draws. */
  #normal(): number {
    const radius = Math.sqrt(-2 * Math.log(1 - this.fraction()))
    return radius * Math.cos(2 * Math.PI * this.fraction())
  }
}

export class Random {
  readonly seed: string
  readonly #streams = new Map<string, RandomStream>()

  constructor(seed: string, states: Readonly<Record<string, StreamState>> = {}) {
    this.seed = seed
    for (const [purpose, state] of Object.entries(states)) {
      this.#streams.set(purpose, new RandomStream(state))
    }
  }

  stream(purpose: string): RandomStream {
    const known = this.#streams.get(purpose)
    if (known !== undefined) return known
    const stream = new RandomStream(seedState(`${this.seed}/${purpose}`))
    for (let round = 0; round < 12; round++) stream.uint32()
    this.#streams.set(purpose, stream)
    return stream
  }

  /** Every stream that was drawn from, by its purpose. */
  get streams(): ReadonlyMap<string, RandomStream> {
    return this.#streams
  }

  /** Puts a stream where another copy of it has got to. */
  restore(purpose: string, state: StreamState): void {
    this.stream(purpose).restore(state)
  }

  get states(): Record<string, StreamState> {
    return Object.fromEntries([...this.#streams].map(([purpose, { state }]) => [purpose, state]))
  }
}

/** Four words from a text: FNV-1a, once for each word with another start. */
function seedState(text: string): StreamState {
  return [hash(text, 1), hash(text, 2), hash(text, 3), 1]
}

function hash(text: string, salt: number): number {
  let value = (0x811c9dc5 ^ Math.imul(salt, 0x9e3779b1)) | 0
  for (let index = 0; index < text.length; index++) {
    value = Math.imul(value ^ text.charCodeAt(index), 0x01000193)
  }
  return value | 0
}
