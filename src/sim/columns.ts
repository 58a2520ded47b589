/**
 * A list of values as columns: what they have in common is there once, and the rest field by field.
 * Of resources of one kind that is a tenth of the text, and what was common is one value when it is
 * read: so it is for data that nobody edits.
 */

/** What all have; what each has; or, of objects with the same fields and lists of one length, of what. */
export type Columns =
  | { readonly all: unknown }
  | { readonly each: readonly unknown[] }
  | { readonly fields: Readonly<Record<string, Columns>> }
  | { readonly items: readonly Columns[] }

export function toColumns(values: readonly unknown[]): Columns {
  const columns = findColumns(values)
  return columns === undefined || isNothing(columns) ? { each: values } : columns
}

/** The values again, so many of them. */
export function fromColumns(columns: Columns, count: number): readonly unknown[] {
  const read = readColumns(columns, count)
  return 'each' in read ? read.each : Array.from({ length: count }, () => read.all)
}

/** Undefined for what a column cannot say: a text of JSON has no undefined. */
function findColumns(values: readonly unknown[]): Columns | undefined {
  const [first] = values
  if (Array.isArray(first)) return toItems(values, first.length) ?? { each: values }
  if (typeof first === 'object' && first !== null) return toFields(values) ?? { each: values }
  if (values.every((value) => value === first)) return { all: first }
  return values.includes(undefined) ? undefined : { each: values }
}

/** Undefined unless all are lists of this length. */
function toItems(values: readonly unknown[], length: number): Columns | undefined {
  if (!values.every((value) => Array.isArray(value) && value.length === length)) return undefined
  const items = Array.from({ length }, (_, index) =>
    findColumns(values.map((value) => (value as unknown[])[index])),
  )
  return items.every((column) => column !== undefined && !isNothing(column))
    ? { items: items as Columns[] }
    : undefined
}

/** Undefined unless all are objects with the fields of the first, in their order. */
function toFields(values: readonly unknown[]): Columns | undefined {
  const names = Object.keys(values[0] as object)
  if (names.includes('__proto__')) return undefined
  const columns: unknown[][] = names.map(() => [])
  for (const value of values) {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined
    if (!isSame(Object.keys(value), names)) return undefined
    const own = Object.values(value)
    for (let index = 0; index < names.length; index++) columns[index]?.push(own[index])
  }
  const fields: Record<string, Columns> = {}
  for (const [index, name] of names.entries()) {
    const column = findColumns(columns[index] ?? [])
    if (column === undefined) return undefined
    if (!isNothing(column)) fields[name] = column
  }
  return { fields }
}

/** None of them has such a field, as far as a text of JSON can tell. */
const isNothing = (column: Columns) => 'all' in column && column.all === undefined

function isSame(names: readonly string[], others: readonly string[]): boolean {
  if (names.length !== others.length) return false
  for (let index = 0; index < names.length; index++) {
    if (names[index] !== others[index]) return false
  }
  return true
}

type Read = { readonly all: unknown } | { readonly each: readonly unknown[] }
type Fields = Record<string, unknown>

function readColumns(columns: Columns, count: number): Read {
  if ('each' in columns || 'all' in columns) return columns
  const isList = 'items' in columns
  const all: Fields = {}
  const varying: [name: string, values: readonly unknown[]][] = []
  for (const [name, column] of Object.entries(isList ? columns.items : columns.fields)) {
    const read = readColumns(column, count)
    // Null holds the place, so that fields are in their order.
    all[name] = 'all' in read ? read.all : null
    if ('each' in read) varying.push([name, read.each])
  }
  const list = isList ? Object.values(all) : undefined
  if (varying.length === 0) return { all: list ?? all }
  const each: Fields[] = []
  for (let index = 0; index < count; index++) {
    each.push((list === undefined ? { ...all } : [...list]) as Fields)
  }
  for (const [name, values] of varying) {
    for (let index = 0; index < count; index++) (each[index] as Fields)[name] = values[index]
  }
  return { each }
}
