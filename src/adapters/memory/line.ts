/**
 * A connection without a network: two ends in this process, of which each reads what the other writes.
 *
 * Both ends do what Node's HTTP client and server ask of a socket, so the protocol between them is the
 * real one, with its streams, upgrades, timeouts and broken lines.
 */
import { Duplex } from 'node:stream'

export class LineEnd extends Duplex {
  #other: LineEnd | undefined
  /** Tells the other end that there is room again. */
  #taken: (() => void) | undefined
  #idleMs = 0
  #idleTimer: NodeJS.Timeout | undefined
  #hasEnded = false
  readonly connecting = false

  static pair(): readonly [LineEnd, LineEnd] {
    const [left, right] = [new LineEnd(), new LineEnd()]
    left.#other = right
    right.#other = left
    return [left, right]
  }

  override _read(): void {
    const taken = this.#taken
    this.#taken = undefined
    taken?.()
  }

  override _write(part: Buffer, _encoding: BufferEncoding, done: () => void): void {
    this.#stirred()
    const other = this.#other
    if (other === undefined || other.destroyed || part.length === 0) process.nextTick(done)
    else other.#receive(part, done)
  }

  override _final(done: () => void): void {
    const other = this.#other
    if (other !== undefined) other.#end()
    done()
  }

  override _destroy(error: Error | null, done: (error: Error | null) => void): void {
    clearTimeout(this.#idleTimer)
    this._read()
    const other = this.#other
    // As on a wire: what was sent before arrives, and then the end.
    if (other !== undefined) process.nextTick(() => other.#end())
    done(error)
  }

  /** Ends once everything is written. */
  destroySoon(): void {
    if (this.writableFinished) this.destroy()
    else this.once('finish', () => this.destroy()).end()
  }

  /** The other end reads an error in place of an end. */
  resetAndDestroy(): this {
    const other = this.#other
    const reset = Object.assign(new Error('read ECONNRESET'), { code: 'ECONNRESET' })
    process.nextTick(() => other?.destroy(reset))
    return this.destroy()
  }

  /** Emits `timeout` when nothing went either way for so long, in real ms; 0 for never. */
  setTimeout(ms: number, listener?: () => void): this {
    this.#idleMs = ms
    if (listener !== undefined) this.once('timeout', listener)
    this.#stirred()
    return this
  }

  setNoDelay(): this {
    return this
  }

  setKeepAlive(): this {
    return this
  }

  ref(): this {
    return this
  }

  unref(): this {
    return this
  }

  #receive(part: Buffer, done: () => void): void {
    this.#stirred()
    if (this.push(part)) process.nextTick(done)
    else this.#taken = done
  }

  #end(): void {
    if (this.destroyed || this.#hasEnded) return
    this.#hasEnded = true
    this.push(null)
  }

  #stirred(): void {
    clearTimeout(this.#idleTimer)
    if (this.#idleMs === 0 || this.destroyed) return
    this.#idleTimer = setTimeout(() => this.emit('timeout'), this.#idleMs).unref()
  }
}
