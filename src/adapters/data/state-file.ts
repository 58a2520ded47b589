/**
 * A state of any size in one file: a line that says what it is, and the state in parts. A text of
 * all of it may be longer than texts can be.
 */
import type { SyncAdapter } from 'lowdb'
import { LineWriter, readLines } from './lines.ts'
import { replaceFile } from './whole-file.ts'

export interface StateDocument<Head, State> {
  readonly head: Head
  readonly state: State
}

type Path = readonly string[]
/** What is at a path; items of a list come in several parts, one after the other. */
type Part = readonly [path: Path, value: unknown]
type Tree = Record<string, unknown>

const itemsInPart = 500

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

  write({ head, state }: StateDocument<Head, State>): void {
    replaceFile(this.file, (descriptor) => {
      const lines = new LineWriter(descriptor)
      lines.write(head)
      let parts = 0
      for (const part of partsOf(state as unknown as Tree)) {
        lines.write(part)
        parts += 1
      }
      lines.write({ parts })
      this.bytes = lines.bytes
    })
  }
}

/** Undefined where there is none, or it is damaged. */
export function readHead<Head>(file: string): Head | undefined {
  for (const { value } of readLines(file)) return value as Head | undefined
  return undefined
}

/** Two levels deep: that is where a world has what there are many of. */
function* partsOf(state: Tree, path: Path = []): Generator<Part> {
  for (const [name, value] of Object.entries(state)) {
    const here = [...path, name]
    if (Array.isArray(value)) {
      yield [here, []]
      for (let start = 0; start < value.length; start += itemsInPart) {
        yield [here, value.slice(start, start + itemsInPart)]
      }
    } else if (path.length === 0 && typeof value === 'object' && value !== null) {
      yield [here, {}]
      yield* partsOf(value as Tree, here)
    } else if (value !== undefined) yield [here, value]
  }
}

function addPart(state: Tree, [path, value]: Part): void {
  const [first = '', second] = path
  const owner = second === undefined ? state : (state[first] as Tree)
  const name = second ?? first
  const there = owner[name]
  if (Array.isArray(there) && Array.isArray(value)) for (const item of value) there.push(item)
  else owner[name] = value
}
