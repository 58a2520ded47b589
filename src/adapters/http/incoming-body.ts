/** A request's body, handed over part by part; while nobody reads, its sender is made to wait. */
import type { IncomingMessage } from 'node:http'
import type { Upload } from '../../surfaces/http/operation.ts'
import { PayloadTooLarge } from './read-text.ts'

/** Bytes that are kept for a reader who is not there yet. */
const earlyLimit = 65_536

type Reader = (part: Uint8Array | null) => void
const drop: Reader = () => {}

export class IncomingBody implements Upload {
  readonly #request: IncomingMessage
  readonly #early: (Uint8Array | null)[] = []
  readonly #ended: Promise<void>
  #size = 0
  #reader: Reader | undefined
  /**
   * Rejects with `PayloadTooLarge` as soon as the limit is passed; the rest is read and dropped.
   * Where an answer is made of the body already, it is too late to refuse, and the line is cut.
   */
  readonly failed: Promise<never>

  constructor(request: IncomingMessage, limit: number) {
    this.#request = request
    this.#ended = new Promise((resolve) => request.once('end', resolve).once('close', resolve))
    this.failed = new Promise((_, reject) => {
      const refuse = () => {
        if (this.#reader === undefined) this.read(drop)
        else if (this.#reader !== drop) request.destroy()
        reject(new PayloadTooLarge(limit))
      }
      if (Number(request.headers['content-length'] ?? 0) > limit) refuse()
      request.on('data', (part: Buffer) => {
        this.#size += part.length
        if (this.#size <= limit) this.#take(part)
        else refuse()
      })
    })
    // Whoever races against it is told; that nobody does is no bug.
    this.failed.catch(() => {})
    request.once('end', () => this.#take(null))
  }

  read(reader: Reader): void {
    this.#reader = reader
    for (const part of this.#early.splice(0)) reader(part)
    this.#request.resume()
  }

  /** Reads what nobody wants, to its end. Rejects as `failed` does. */
  async drain(): Promise<void> {
    if (this.#reader === undefined) this.read(drop)
    await Promise.race([this.#ended, this.failed])
  }

  #take(part: Uint8Array | null): void {
    if (this.#reader !== undefined) {
      this.#reader(part)
      return
    }
    this.#early.push(part)
    if (this.#size > earlyLimit) this.#request.pause()
  }
}
