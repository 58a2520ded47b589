/**
 * A journal: one line for each change, in the order they were made, each with a checksum.
 *
 * A line is on its way to the disk before whoever caused it gets an answer, so a process that is
 * killed has lost nothing that it had told anybody. What a kill tears is the last line, and nobody
 * was told of that one.
 */
import { closeSync, openSync, readFileSync, truncateSync, writeFileSync, writeSync } from 'node:fs'
import { crc32 } from 'node:zlib'

export interface ReadJournal<Change> {
  readonly changes: readonly Change[]
  /** Where what could not be read was put; absent where there was nothing of that kind. */
  readonly setAside?: string
}

export class Journal<Change> {
  readonly file: string
  readonly #descriptor: number
  #bytes = 0

  /** Begins a new journal; one of that name is overwritten. */
  constructor(file: string) {
    this.file = file
    this.#descriptor = openSync(file, 'w', 0o600)
  }

  /** How much was written. */
  get bytes(): number {
    return this.#bytes
  }

  append(change: Change): void {
    const text = JSON.stringify(change)
    this.#bytes += writeSync(this.#descriptor, `${checksumOf(text)} ${text}\n`)
  }

  close(): void {
    closeSync(this.#descriptor)
  }
}

/**
 * Reads as far as lines are whole. What follows a damaged line is moved to a file beside the journal,
 * and the journal ends before it.
 */
export function readJournal<Change>(file: string): ReadJournal<Change> {
  const bytes = readFileSync(file)
  const changes: Change[] = []
  let at = 0
  for (;;) {
    const end = bytes.indexOf(newline, at)
    if (end === -1) break
    const change = readLine<Change>(bytes.toString('utf8', at, end))
    if (change === undefined) return { changes, setAside: setAside(file, bytes, at) }
    changes.push(change)
    at = end + 1
  }
  if (at < bytes.length) truncateSync(file, at)
  return { changes }
}

const newline = 10
const checksumLength = 8

function readLine<Change>(line: string): Change | undefined {
  const text = line.slice(checksumLength + 1)
  if (line.slice(0, checksumLength) !== checksumOf(text)) return undefined
  return JSON.parse(text) as Change
}

function setAside(file: string, bytes: Buffer, at: number): string {
  const aside = `${file}.damaged`
  writeFileSync(aside, bytes.subarray(at), { mode: 0o600 })
  truncateSync(file, at)
  return aside
}

function checksumOf(text: string): string {
  return crc32(text).toString(16).padStart(checksumLength, '0')
}
