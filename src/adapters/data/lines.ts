/**
 * Lines of JSON, each behind its checksum: what is damaged is known as such, and what is before it
 * can be read. A line ends with a newline; one without was torn by the end of its process.
 */
import { closeSync, openSync, readSync, writeSync } from 'node:fs'
import { crc32 } from 'node:zlib'

/** CRC-32 in hexadecimal digits, and a space. */
const headLength = 9
const newline = 10
const chunkBytes = 1_048_576

/** Each line is on its way to the disk when `write` returns: the end of the process takes none back. */
export class LineWriter {
  readonly #descriptor: number
  readonly #buffer = Buffer.allocUnsafe(65_536)
  #bytes = 0

  constructor(descriptor: number) {
    this.#descriptor = descriptor
  }

  /** How much was written. */
  get bytes(): number {
    return this.#bytes
  }

  write(value: unknown): void {
    const text = JSON.stringify(value)
    const buffer = this.#roomFor(text)
    const end = headLength + buffer.write(text, headLength)
    buffer.write(checksumOf(buffer.subarray(headLength, end)), 0, 'latin1')
    buffer[end] = newline
    this.#writeAll(buffer, end + 1)
  }

  #roomFor(text: string): Buffer {
    // No character takes more than three bytes.
    const most = text.length * 3 + headLength + 1
    if (most <= this.#buffer.length) return this.#buffer
    return Buffer.allocUnsafe(Buffer.byteLength(text) + headLength + 1)
  }

  #writeAll(buffer: Buffer, length: number): void {
    for (let written = 0; written < length; ) {
      written += writeSync(this.#descriptor, buffer, written, length - written)
    }
    this.#bytes += length
  }
}

export interface Line {
  /** Where it begins, in bytes. */
  readonly at: number
  /** Undefined for one that is damaged. */
  readonly value: unknown
  /** False for one that was torn. */
  readonly whole: boolean
}

/** Reads piece by piece: a file may be larger than a text can be. */
export function* readLines(file: string): Generator<Line> {
  const descriptor = openSync(file, 'r')
  try {
    let at = 0
    let begun: Buffer[] = []
    for (;;) {
      const chunk = readChunk(descriptor)
      if (chunk.length === 0) break
      let start = 0
      for (;;) {
        const end = chunk.indexOf(newline, start)
        if (end === -1) break
        const line = Buffer.concat([...begun, chunk.subarray(start, end)])
        begun = []
        start = end + 1
        yield { at, value: parseLine(line), whole: true }
        at += line.length + 1
      }
      if (start < chunk.length) begun.push(chunk.subarray(start))
    }
    if (begun.length > 0) yield { at, value: undefined, whole: false }
  } finally {
    closeSync(descriptor)
  }
}

function readChunk(descriptor: number): Buffer {
  const chunk = Buffer.allocUnsafe(chunkBytes)
  return chunk.subarray(0, readSync(descriptor, chunk, 0, chunkBytes, null))
}

function parseLine(line: Buffer): unknown {
  const text = line.subarray(headLength)
  if (line.toString('latin1', 0, headLength) !== checksumOf(text)) return undefined
  return JSON.parse(text.toString('utf8'))
}

function checksumOf(bytes: Buffer): string {
  return `${crc32(bytes)
    .toString(16)
    .padStart(headLength - 1, '0')} `
}
