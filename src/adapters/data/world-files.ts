/**
 * One world in a directory: a checkpoint, which is the whole of it, and a journal of what changed
 * since. Both carry the number of their generation; a new checkpoint begins a new journal, and the
 * generation before stays until the new one is there in full.
 */
import { createHash } from 'node:crypto'
import { mkdirSync, readdirSync, renameSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { LowSync } from 'lowdb'
import { DataFileSync } from 'lowdb/node'
import { Journal, readJournal } from './journal.ts'
import { DataError } from './lock.ts'

/** What a checkpoint file holds besides the state itself. */
interface Checkpoint<State> {
  readonly format: number
  /** Of the program that wrote it. */
  readonly version: string
  /** SHA-256 of the state's JSON, in hexadecimal digits. */
  readonly checksum: string
  readonly state: State
}

export interface SavedWorld<State, Change> {
  readonly state: State
  readonly changes: readonly Change[]
  /** For a person: what was damaged, and where it was put. */
  readonly notes: readonly string[]
}

export interface Writer {
  /** The highest format that this program reads, and the one that it writes. */
  readonly format: number
  readonly version: string
}

/** A checkpoint is not made for less than this. */
const leastJournalBytes = 16 * 1_048_576

export class WorldFiles<State, Change> {
  readonly #directory: string
  readonly #writer: Writer
  #generation = 0
  #checkpointBytes = 0
  #journal: Journal<Change> | undefined

  constructor(directory: string, writer: Writer) {
    mkdirSync(directory, { recursive: true, mode: 0o700 })
    this.#directory = directory
    this.#writer = writer
  }

  /** The world as it was last; undefined where none was ever kept. Throws a `DataError`. */
  read(): SavedWorld<State, Change> | undefined {
    const notes: string[] = []
    for (const generation of this.#generations()) {
      const state = this.#readCheckpoint(generation, notes)
      if (state === undefined) continue
      this.#generation = Math.max(this.#generation, generation)
      return { state, changes: this.#readJournals(generation, notes), notes }
    }
    if (notes.length > 0) {
      throw new DataError(
        `nothing in ${this.#directory} can be read. ${notes.join(' ')} Name another directory to begin anew.`,
      )
    }
    return undefined
  }

  /** Begins a new generation with this state. */
  begin(state: State): void {
    const previous = this.#generation
    this.#generation = (this.#generations()[0] ?? 0) + 1
    this.#writeCheckpoint(state)
    this.#journal?.close()
    this.#journal = new Journal(this.#journalFile(this.#generation))
    for (const old of this.#generations()) {
      if (old !== this.#generation && old !== previous) this.#removeGeneration(old)
    }
  }

  append(change: Change): void {
    this.#journal?.append(change)
  }

  /** The journal has become longer than it pays to read it again. */
  get isDue(): boolean {
    const { bytes } = this.#journal ?? { bytes: 0 }
    return bytes > Math.max(leastJournalBytes, 2 * this.#checkpointBytes)
  }

  close(): void {
    this.#journal?.close()
    this.#journal = undefined
  }

  /** Newest first. */
  #generations(): number[] {
    const numbers = readdirSync(this.#directory).flatMap((name) => {
      const number = /^checkpoint-(\d+)\.json$/.exec(name)?.[1]
      return number === undefined ? [] : [Number(number)]
    })
    return numbers.sort((left, right) => right - left)
  }

  /** Undefined, and a note, for one that is damaged; it is put aside, never removed. */
  #readCheckpoint(generation: number, notes: string[]): State | undefined {
    const file = this.#checkpointFile(generation)
    const checkpoint = readQuietly<Checkpoint<State>>(file)
    const { format, version } = this.#writer
    if (checkpoint !== undefined && checkpoint.format > format) {
      throw new DataError(
        `${file} has format ${checkpoint.format}, written by version ${checkpoint.version}; this is version ${version}, which reads up to format ${format}. Use that version, or name another directory.`,
      )
    }
    if (checkpoint !== undefined && checksumOf(checkpoint.state) === checkpoint.checksum) {
      return checkpoint.state
    }
    renameSync(file, `${file}.damaged`)
    notes.push(`${file} was damaged, and is now ${file}.damaged.`)
    return undefined
  }

  /** A damaged checkpoint of a later generation began with what the journals up to it say. */
  #readJournals(from: number, notes: string[]): Change[] {
    const changes: Change[] = []
    for (let generation = from; ; generation++) {
      const file = this.#journalFile(generation)
      if (!exists(file)) return changes
      const { changes: read, setAside } = readJournal<Change>(file)
      for (const change of read) changes.push(change)
      if (setAside === undefined) continue
      notes.push(`${file} was damaged after ${read.length} changes; the rest is now ${setAside}.`)
      return changes
    }
  }

  #writeCheckpoint(state: State): void {
    const { format, version } = this.#writer
    const text = JSON.stringify(state)
    const checksum = createHash('sha256').update(text).digest('hex')
    const head = JSON.stringify({ format, version, checksum }).slice(0, -1)
    const file = this.#checkpointFile(this.#generation)
    // A checkpoint of a large world is written once and not put together a second time.
    const stringify = () => `${head},"state":${text}}`
    const database = new LowSync(
      new DataFileSync<State>(file, { parse: JSON.parse, stringify }),
      state,
    )
    database.write()
    this.#checkpointBytes = statSync(file).size
  }

  #removeGeneration(generation: number): void {
    rmSync(this.#checkpointFile(generation), { force: true })
    rmSync(this.#journalFile(generation), { force: true })
  }

  #checkpointFile(generation: number): string {
    return join(this.#directory, `checkpoint-${generation}.json`)
  }

  #journalFile(generation: number): string {
    return join(this.#directory, `journal-${generation}.ndjson`)
  }
}

function readQuietly<Value>(file: string): Value | undefined {
  try {
    const parse = JSON.parse as (text: string) => Value
    return new DataFileSync<Value>(file, { parse, stringify: JSON.stringify }).read() ?? undefined
  } catch {
    return undefined
  }
}

function checksumOf(state: unknown): string {
  return createHash('sha256').update(JSON.stringify(state)).digest('hex')
}

function exists(file: string): boolean {
  return statSync(file, { throwIfNoEntry: false }) !== undefined
}
