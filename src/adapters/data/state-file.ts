/** A state of any size in one file: a line that says what it is, and the state in parts. */
import type { SyncAdapter } from 'lowdb'
import { addPart, type Part, partsOf, type Tree } from '../../sim/parts.ts'
import { LineWriter, readLines } from './lines.ts'
import { type Draft, replaceFile } from './whole-file.ts'

export interface StateDocument<Head, State> {
  readonly head: Head
  readonly state: State
}

/** For lowdb, which keeps a checkpoint as one document. */
export class StateFile<Head extends object, State extends object>
  implements SyncAdapter<StateDocument<Head, State>>
{
  readonly file: string
  /** Of what was written last. */
  bytes = 0

  constructor(file: string) {
    this.file = file
  }

  /** Null for one that is damaged, or ends early. */
  read(): StateDocument<Head, State> | null {
    let head: Head | undefined
    let count = 0
    const state: Tree = {}
    for (const { value } of readLines(this.file)) {
      if (value === undefined) return null
      if (head === undefined) head = value as Head
      else if (Array.isArray(value)) {
        addPart(state, value as unknown as Part)
        count += 1
      } else if ((value as { parts?: number }).parts === count) {
        return { head, state: state as State }
      } else return null
    }
    return null
  }

  write(document: StateDocument<Head, State>): void {
    replaceFile(this.file, (descriptor) => {
      for (const _ of this.#writeTo(descriptor, document));
    })
  }

  /**
   * Likewise, a part in each turn of the loop; the state is one that nobody edits. Resolves to false when
   * the draft was abandoned in between.
   */
  async writeTo(draft: Draft, document: StateDocument<Head, State>): Promise<boolean> {
    for (const _ of this.#writeTo(draft.descriptor, document)) {
      await new Promise((resolve) => setImmediate(resolve))
      if (!draft.isOpen) return false
    }
    draft.commit()
    return true
  }

  /** Comes back after each part. */
  *#writeTo(descriptor: number, { head, state }: StateDocument<Head, State>): Generator<void> {
    const lines = new LineWriter(descriptor)
    lines.write(head)
    let parts = 0
    for (const part of partsOf(state)) {
      lines.write(part)
      parts += 1
      yield
    }
    lines.write({ parts })
    this.bytes = lines.bytes
  }
}

/** Undefined where there is none, or it is damaged. */
export function readHead<Head>(file: string): Head | undefined {
  for (const { value } of readLines(file)) return value as Head | undefined
  return undefined
}
