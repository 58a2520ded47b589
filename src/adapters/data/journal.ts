/**
 * A journal: what changed since a checkpoint, one line for each turn or for a few of them.
 *
 * A line is with the system before whoever caused it gets an answer, so the end of the process, kill
 * -9 included, takes nothing back that anybody was told. It is not brought to the disk itself before
 * the next checkpoint: a machine that loses power may lose the last seconds.
 */
import { closeSync, fsyncSync, openSync } from 'node:fs'
import { toDataError } from './data-error.ts'
import { LineWriter, readLines } from './lines.ts'
import { setEndAside } from './whole-file.ts'

export interface JournalHead {
  /** False for a journal whose checkpoint is another story than the journals before tell. */
  readonly follows: boolean
}

export class Journal<Change> {
  readonly #file: string
  readonly #descriptor: number
  readonly #lines: LineWriter
  #failure: Error | undefined

  /** Begins a new one. */
  constructor(file: string, head: JournalHead) {
    this.#file = file
    this.#descriptor = openSync(file, 'w', 0o600)
    this.#lines = new LineWriter(this.#descriptor)
    this.#lines.write(head)
  }

  get bytes(): number {
    return this.#lines.bytes
  }

  /** Throws a DataError, and from then on always: nothing may follow a line that is not whole. */
  append(change: Change): void {
    if (this.#failure !== undefined) throw this.#failure
    try {
      this.#lines.write(change)
    } catch (error) {
      const what = `${this.#file} cannot be written, and nothing is answered that is not in it`
      this.#failure = toDataError(what, error)
      throw this.#failure
    }
  }

  /** Whatever becomes of the machine, what was written stays. */
  sync(): void {
    fsyncSync(this.#descriptor)
  }

  close(): void {
    closeSync(this.#descriptor)
  }
}

/**
 * What a journal has after its head, as far as its lines are whole. The rest of a damaged one is put
 * aside and told of; a line that was torn at the end is one that nobody was told of.
 */
export function* readJournal<Change>(
  file: string,
  onDamage: (note: string) => void,
): Generator<Change, void> {
  let count = -1
  for (const { at, value, whole } of readLines(file)) {
    if (!whole) return
    if (value === undefined) {
      const changes = `${Math.max(0, count)} change${count === 1 ? '' : 's'}`
      onDamage(
        `${file} is damaged after ${changes}; from there on it is in ${setEndAside(file, at)}`,
      )
      return
    }
    if (count >= 0) yield value as Change
    count += 1
  }
}
