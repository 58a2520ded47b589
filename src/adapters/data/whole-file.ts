/** Files that are there in full or not at all, for their owner's eyes only. */
import {
  closeSync,
  fsyncSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { basename, dirname, join } from 'node:path'
import type { SyncAdapter } from 'lowdb'

/** Written beside the file, brought to the disk, and renamed: a reader finds the old one or the new. */
export class Draft {
  readonly #file: string
  readonly #path: string
  readonly descriptor: number
  #isOpen = true

  constructor(file: string) {
    this.#file = file
    this.#path = `${file}.draft`
    this.descriptor = openSync(this.#path, 'w', 0o600)
  }

  get isOpen(): boolean {
    return this.#isOpen
  }

  commit(): void {
    fsyncSync(this.descriptor)
    this.#close()
    renameSync(this.#path, this.#file)
    syncDirectory(dirname(this.#file))
  }

  /** As if it had never been begun. Nothing happens to one that was committed. */
  abandon(): void {
    if (!this.#isOpen) return
    this.#close()
    rmSync(this.#path, { force: true })
  }

  #close(): void {
    this.#isOpen = false
    closeSync(this.descriptor)
  }
}

export function replaceFile(file: string, write: (descriptor: number) => void): void {
  const draft = new Draft(file)
  try {
    write(draft.descriptor)
    draft.commit()
  } catch (error) {
    draft.abandon()
    throw error
  }
}

/** A rename is on the disk when its directory is. Not every system has a way to say so. */
function syncDirectory(directory: string): void {
  try {
    const descriptor = openSync(directory, 'r')
    fsyncSync(descriptor)
    closeSync(descriptor)
  } catch {
    // The rename has happened for every process that asks; only a loss of power could undo it.
  }
}

/** Out of the way, under a name that nothing else has; returns that name. */
export function setAside(file: string): string {
  const aside = freeName(file)
  renameSync(file, aside)
  return aside
}

/** Keeps the end of a file, from so many bytes on, in a file of its own; returns its name. */
export function setEndAside(file: string, at: number): string {
  const aside = freeName(file)
  const end = readFileSync(file).subarray(at)
  replaceFile(aside, (descriptor) => writeFileSync(descriptor, end))
  return aside
}

function freeName(file: string): string {
  const names = new Set(readdirSync(dirname(file)))
  for (let number = 1; ; number++) {
    const name = `${basename(file)}.damaged${number === 1 ? '' : `-${number}`}`
    if (!names.has(name)) return join(dirname(file), name)
  }
}

/** One JSON document, for lowdb. */
export class JsonFile<Data> implements SyncAdapter<Data> {
  readonly #file: string

  constructor(file: string) {
    this.#file = file
  }

  /** Null where there is none. Throws a SyntaxError for what is no JSON. */
  read(): Data | null {
    let text: string
    try {
      text = readFileSync(this.#file, 'utf8')
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null
      throw error
    }
    return JSON.parse(text) as Data
  }

  write(data: Data): void {
    const text = `${JSON.stringify(data, undefined, 2)}\n`
    replaceFile(this.#file, (descriptor) => writeFileSync(descriptor, text))
  }
}
