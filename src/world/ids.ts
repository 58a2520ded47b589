/** Ids in the forms that the cloud gives them, drawn from the world's seed. */
import { customRandom } from 'nanoid'
import { flat } from '../sim/flat.ts'
import type { RandomStream } from '../sim/random.ts'

const lowercase = '0123456789abcdefghijklmnopqrstuvwxyz'

/** Observed: pods, endpoints, workers have 14 characters, machines 12, templates and volumes 10. */
const lengths = {
  pod: 14,
  endpoint: 14,
  worker: 14,
  machine: 12,
  template: 10,
  volume: 10,
  registry: 25,
  release: 14,
  delivery: 14,
  batch: 10,
  request: 14,
  host: 4,
  // Assumed: as long as a pod's; no document shows a real one.
  secret: 14,
  cluster: 14,
  delegation: 14,
  build: 14,
  // Assumed: their lengths.
  flash: 14,
  model: 14,
  upload: 20,
  signature: 40,
} as const
export type IdKind = keyof typeof lengths

export class Ids {
  readonly #random: RandomStream
  readonly #draws = new Map<number, () => string>()
  readonly #jobForms = {
    u1: { async: new JobIdForm('', 'u1'), sync: new JobIdForm('sync-', 'u1') },
    u2: { async: new JobIdForm('', 'u2'), sync: new JobIdForm('sync-', 'u2') },
  }

  constructor(random: RandomStream) {
    this.#random = random
  }

  next(kind: IdKind): string {
    return flat(this.#draw(lengths[kind]))
  }

  /** Observed: a UUID, `sync-` before it for `/runsync`, and a region tag after it. */
  job(sync: boolean, region: 'u1' | 'u2' = 'u1'): string {
    return this.#jobForms[region][sync ? 'sync' : 'async'].fill(this.#random)
  }

  /** A `traceparent` header. Observed: version 00, and not sampled. */
  trace(): string {
    const hex = Array.from({ length: 6 }, () => this.#random.uint32().toString(16).padStart(8, '0'))
    return flat(`00-${hex.slice(0, 4).join('')}-${hex.slice(4).join('')}-00`)
  }

  /** A version 4 UUID. */
  uuid(): string {
    return flat(this.job(false).slice(0, 36))
  }

  /** An API key, in the form that real ones have. */
  apiKey(): string {
    return flat(`rpa_${this.#draw(40).toUpperCase()}`)
  }

  #draw(length: number): string {
    const known = this.#draws.get(length)
    if (known !== undefined) return known()
    const draw = customRandom(lowercase, length, (count) => this.#random.bytes(count))
    this.#draws.set(length, draw)
    return draw()
  }
}

const hexCodes = Array.from('0123456789abcdef', (digit) => digit.charCodeAt(0))

/**
 * A job id with blanks for the digits of a version 4 UUID. Filling character codes makes a string in
 * one piece, and jobs are what a world has most of: see `flat`.
 */
class JobIdForm {
  readonly #codes: number[]
  readonly #digits: number[]

  constructor(prefix: string, region: string) {
    const form = `${prefix}xxxxxxxx-xxxx-4xxx-Nxxx-xxxxxxxxxxxx-${region}`
    this.#codes = Array.from(form, (character) => character.charCodeAt(0))
    this.#digits = [...form.matchAll(/[xN](?=[-xN\d])/g)].map(({ index }) => index)
  }

  fill(random: RandomStream): string {
    let bits = 0
    for (let index = 0; index < this.#digits.length; index++) {
      if (index % 8 === 0) bits = random.uint32()
      const isVariant = index === variantDigit
      const digit = isVariant ? 8 | (bits & 3) : bits & 15
      this.#codes[this.#digits[index] as number] = hexCodes[digit] as number
      bits >>>= 4
    }
    return String.fromCharCode.apply(null, this.#codes)
  }
}

/** The fifteenth digit that is drawn tells the variant. */
const variantDigit = 15
