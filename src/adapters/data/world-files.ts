/**
 * One world in a directory: a checkpoint, which is the whole of it, and a journal of what changed
 * since. Both carry the number of their generation. A new checkpoint begins a new journal, and the
 * generation before stays, for the case that the new checkpoint cannot be read.
 */
import { existsSync, mkdirSync, readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { LowSync } from 'lowdb'
import { DataError, toDataError } from './data-error.ts'
import { Journal, type JournalHead, readJournal } from './journal.ts'
import { readHead, StateFile } from './state-file.ts'
import { Draft, setAside } from './whole-file.ts'

export interface CheckpointHead {
  readonly format: number
  /** Of the program that wrote it. */
  readonly version: string
  /** The key that opens the world; null for the default one. */
  readonly key: string | null
}

export interface SavedWorld<State, Change> {
  readonly state: State
  /** Read as they are asked for; what is damaged among them is told of then. */
  readonly changes: Iterable<Change>
}

export interface WorldFilesOptions {
  readonly head: CheckpointHead
  /** Told of what was damaged, and of where it was put. */
  readonly onDamage: (note: string) => void
}

/** A journal that is shorter is not worth a checkpoint. */
const leastJournalBytes = 32 * 1_048_576
/** Written once more for every so many bytes of changes: what a large world costs is spread. */
const journalToCheckpoint = 3

export class WorldFiles<State extends object, Change> {
  readonly #directory: string
  readonly #options: WorldFilesOptions
  /** Of the last checkpoint that is whole. */
  #generation = 0
  #checkpointBytes = 0
  /** Of a checkpoint that is being written. */
  #draft: Draft | undefined
  #journal: Journal<Change> | undefined

  constructor(directory: string, options: WorldFilesOptions) {
    mkdirSync(directory, { recursive: true, mode: 0o700 })
    this.#directory = directory
    this.#options = options
  }

  /**
   * The world as it was last; undefined where none was ever kept. Throws a DataError where there was
   * one and nothing of it can be read, or where a newer program wrote it.
   */
  read(): SavedWorld<State, Change> | undefined {
    const generations = this.#checkpoints()
    for (const generation of generations) {
      const state = this.#readCheckpoint(generation)
      if (state === undefined) continue
      this.#generation = generation
      return { state, changes: this.#readJournals(generation) }
    }
    const damaged = readdirSync(this.#directory).filter((name) => name.includes('.damaged'))
    if (damaged.length === 0) return undefined
    throw new DataError(
      `nothing in ${this.#directory} can be read: there is ${damaged.join(', ')}. Remove the directory to begin again, or name another --data`,
    )
  }

  /** Begins a new generation. `follows`: its state is where the journal before it ends. */
  begin(state: State, follows: boolean): void {
    this.#draft?.abandon()
    this.#draft = undefined
    this.#journal?.sync()
    const generation = this.#newGeneration()
    const file = new StateFile<CheckpointHead, State>(this.#checkpoint(generation))
    new LowSync(file, { head: this.#options.head, state }).write()
    this.#beginJournal(generation, follows)
    this.#finish(generation, file.bytes)
  }

  /**
   * A new generation for the state where the journal ends, which is written while the world goes on. What
   * changes from now on is in the next journal; until the checkpoint is whole, it is read after the last.
   * Throws a DataError.
   */
  async renew(state: State): Promise<void> {
    this.#journal?.sync()
    const generation = this.#newGeneration()
    this.#beginJournal(generation, true)
    const file = new StateFile<CheckpointHead, State>(this.#checkpoint(generation))
    const draft = new Draft(file.file)
    this.#draft = draft
    try {
      if (!(await file.writeTo(draft, { head: this.#options.head, state }))) return
      this.#draft = undefined
      this.#finish(generation, file.bytes)
    } catch (error) {
      draft.abandon()
      throw toDataError(`${file.file} cannot be written`, error)
    }
  }

  #newGeneration(): number {
    return Math.max(0, ...this.#numbers(/./)) + 1
  }

  #beginJournal(generation: number, follows: boolean): void {
    this.#journal?.close()
    this.#journal = new Journal(this.#journalFile(generation), { follows })
  }

  /** What leads from the checkpoint before to this one stays, and what is older goes. */
  #finish(generation: number, bytes: number): void {
    const previous = this.#generation
    this.#generation = generation
    this.#checkpointBytes = bytes
    for (const old of this.#numbers(/\.ndjson(\.draft)?$/)) if (old < previous) this.#remove(old)
  }

  append(change: Change): void {
    this.#journal?.append(change)
  }

  /** The journal has become longer than it pays to read it again. */
  get isDue(): boolean {
    if (this.#draft !== undefined) return false
    const { bytes } = this.#journal ?? { bytes: 0 }
    return bytes > Math.max(leastJournalBytes, journalToCheckpoint * this.#checkpointBytes)
  }

  close(): void {
    this.#draft?.abandon()
    this.#draft = undefined
    this.#journal?.close()
    this.#journal = undefined
  }

  /** Of all files with such names. */
  #numbers(names: RegExp): number[] {
    return readdirSync(this.#directory).flatMap((name) => {
      const number = /^(?:checkpoint|journal)-(\d+)\.ndjson/.exec(name)?.[1]
      return number === undefined || !names.test(name) ? [] : [Number(number)]
    })
  }

  /** Newest first. */
  #checkpoints(): number[] {
    const numbers = this.#numbers(/^checkpoint-\d+\.ndjson$/)
    return numbers.sort((left, right) => right - left)
  }

  #readCheckpoint(generation: number): State | undefined {
    const path = this.#checkpoint(generation)
    requireReadable(path, this.#options.head)
    const document = new StateFile<CheckpointHead, State>(path).read()
    if (document !== null) return document.state
    this.#options.onDamage(`${path} is damaged, and is now ${setAside(path)}`)
    return undefined
  }

  /** Where a later checkpoint is damaged, the journals up to it say what was in it. */
  *#readJournals(from: number): Generator<Change, void> {
    let damaged = false
    const onDamage = (note: string) => {
      damaged = true
      this.#options.onDamage(note)
    }
    for (let generation = from; !damaged; generation++) {
      const file = this.#journalFile(generation)
      if (!existsSync(file)) return
      if (generation > from && readHead<JournalHead>(file)?.follows !== true) {
        onDamage(`${file} began with a checkpoint that is damaged; it is now ${setAside(file)}`)
      } else yield* readJournal<Change>(file, onDamage)
    }
  }

  #remove(generation: number): void {
    rmSync(this.#checkpoint(generation), { force: true })
    rmSync(`${this.#checkpoint(generation)}.draft`, { force: true })
    rmSync(this.#journalFile(generation), { force: true })
  }

  #checkpoint(generation: number): string {
    return join(this.#directory, `checkpoint-${generation}.ndjson`)
  }

  #journalFile(generation: number): string {
    return join(this.#directory, `journal-${generation}.ndjson`)
  }
}

/** The key of the world that a directory has; undefined for none. Throws as `read` does. */
export function readWorldKey(directory: string): string | null | undefined {
  let isThere = false
  for (const name of readdirSync(directory)) {
    if (!/^checkpoint-\d+\.ndjson$/.test(name)) continue
    isThere = true
    const head = readHead<CheckpointHead>(join(directory, name))
    if (head !== undefined) return head.key
  }
  if (!isThere) return undefined
  throw new DataError(
    `nothing in ${directory} says whose it is; remove it to do without, or name another --data`,
  )
}

/** Throws a DataError for what a newer program wrote. A damaged one says nothing of its format. */
function requireReadable(file: string, { format, version }: CheckpointHead): void {
  const head = readHead<CheckpointHead>(file)
  if (head === undefined || head.format <= format) return
  throw new DataError(
    `${file} has format ${head.format}, written by version ${head.version}; this is version ${version}, which reads up to format ${format}. Use that version, or name another --data`,
  )
}
