/**
 * A tree of data in parts, each small enough to be written, sent and read by itself: a text of all of
 * it may be longer than texts can be, and takes long in one go.
 */
import { type Columns, fromColumns, toColumns } from './columns.ts'

type Path = readonly string[]

/** What is at a path, or the next items of the list there: how many, and what they are. */
export type Part =
  | readonly [path: Path, value: unknown]
  | readonly [path: Path, count: number, items: Columns]

export type Tree = Record<string, unknown>

const mostItems = 200
/** As text, and as far as the first item of a part tells: each is as large as its inputs are. */
const mostLetters = 262_144

/** Two levels deep: that is where a world has what there are many of. */
export function* partsOf(tree: object, path: Path = []): Generator<Part> {
  for (const [name, value] of Object.entries(tree)) {
    const here = [...path, name]
    if (Array.isArray(value)) {
      yield [here, []]
      for (let start = 0; start < value.length; ) {
        const items = value.slice(start, start + countFrom(value[start]))
        yield [here, items.length, toColumns(items)]
        start += items.length
      }
    } else if (path.length === 0 && typeof value === 'object' && value !== null) {
      yield [here, {}]
      yield* partsOf(value, here)
    } else if (value !== undefined) yield [here, value]
  }
}

function countFrom(item: unknown): number {
  const letters = JSON.stringify(item)?.length ?? 1
  return Math.max(1, Math.min(mostItems, Math.floor(mostLetters / letters)))
}

/** The other way round: parts in the order in which they were made. */
export function addPart(tree: Tree, [[first = '', second], value, columns]: Part): void {
  const owner = second === undefined ? tree : (tree[first] as Tree)
  const name = second ?? first
  const there = owner[name]
  if (columns !== undefined) append(there, fromColumns(columns, value as number))
  // Format 1 had the items of a list as they are.
  else if (Array.isArray(there) && Array.isArray(value)) append(there, value)
  else owner[name] = value
}

function append(list: unknown, items: readonly unknown[]): void {
  for (const item of items) (list as unknown[]).push(item)
}
