/** Whether what was found is what was expected, and where it is not. */
import type { Amount, HappenedPattern } from '../model/expectation.ts'
import type { Entry } from '../sim/timeline.ts'

export interface Mismatch {
  /** Where: `body.workers.idle`, `counts.job.completed`. */
  readonly where: string
  readonly expected: string
  readonly found: string
}

/** Objects may have more than is expected; arrays and everything else have to be the same. */
export function matchValue(expected: unknown, found: unknown, where: string): Mismatch[] {
  if (Array.isArray(expected)) return matchArray(expected, found, where)
  if (typeof expected !== 'object' || expected === null) {
    return expected === found ? [] : [mismatch(where, show(expected), found)]
  }
  const entries = Object.entries(expected)
  if (entries.some(([key]) => key.startsWith('$'))) {
    return entries.flatMap(([operator, limit]) => matchOperator(operator, limit, found, where))
  }
  if (typeof found !== 'object' || found === null || Array.isArray(found)) {
    return [mismatch(where, show(expected), found)]
  }
  return entries.flatMap(([key, part]) =>
    matchValue(part, (found as Record<string, unknown>)[key], `${where}.${key}`),
  )
}

export function matchAmount(expected: Amount, found: number, where: string): Mismatch[] {
  if (typeof expected === 'number') {
    return expected === found ? [] : [mismatch(where, String(expected), found)]
  }
  const { atLeast = Number.NEGATIVE_INFINITY, atMost = Number.POSITIVE_INFINITY } = expected
  if (found >= atLeast && found <= atMost) return []
  return [mismatch(where, showAmount(expected), found)]
}

/** `startMs`: what the pattern's times count from. */
export function matchesEntry(pattern: HappenedPattern, entry: Entry, startMs: number): boolean {
  const { kind, id, detail, atMs } = pattern
  if (entry.kind !== kind || (id !== undefined && entry.id !== id)) return false
  if (atMs !== undefined && matchAmount(atMs, entry.atMs - startMs, '').length > 0) return false
  return detail === undefined || matchValue(detail, entry.detail ?? {}, '').length === 0
}

export function mismatch(where: string, expected: string, found: unknown): Mismatch {
  return { where, expected, found: show(found) }
}

const longest = 400

export function show(value: unknown): string {
  return value === undefined ? 'nothing' : clip(JSON.stringify(value) ?? String(value))
}

/** A reader needs the beginning; a body may have megabytes. */
export function clip(text: string): string {
  return text.length > longest ? `${text.slice(0, longest)}…` : text
}

function matchArray(expected: readonly unknown[], found: unknown, where: string): Mismatch[] {
  if (!Array.isArray(found)) return [mismatch(where, show(expected), found)]
  if (found.length !== expected.length) {
    return [mismatch(where, `${expected.length} items: ${show(expected)}`, found)]
  }
  return expected.flatMap((part, index) => matchValue(part, found[index], `${where}[${index}]`))
}

function matchOperator(
  operator: string,
  limit: unknown,
  found: unknown,
  where: string,
): Mismatch[] {
  const no = (expected: string) => [mismatch(where, expected, found)]
  switch (operator) {
    case '$atLeast':
      return typeof found === 'number' && found >= Number(limit) ? [] : no(`at least ${limit}`)
    case '$atMost':
      return typeof found === 'number' && found <= Number(limit) ? [] : no(`at most ${limit}`)
    case '$matches':
      return typeof found === 'string' && new RegExp(String(limit)).test(found)
        ? []
        : no(`a text that matches ${limit}`)
    case '$contains':
      return contains(found, limit) ? [] : no(`something with ${show(limit)} in it`)
    case '$length':
      return Array.isArray(found) && found.length === limit ? [] : no(`${limit} items`)
    case '$any':
      return found === undefined ? no('anything') : []
    case '$absent':
      return found === undefined ? [] : no('nothing')
    case '$not':
      return matchValue(limit, found, where).length > 0 ? [] : no(`anything but ${show(limit)}`)
    default:
      throw new Error(`'${operator}' was let in and nobody knows it`)
  }
}

function contains(found: unknown, part: unknown): boolean {
  if (typeof found === 'string') return found.includes(String(part))
  return Array.isArray(found) && found.some((item) => matchValue(part, item, '').length === 0)
}

function showAmount(expected: Exclude<Amount, number>): string {
  const { atLeast, atMost } = expected
  if (atLeast === undefined) return `at most ${atMost}`
  return atMost === undefined ? `at least ${atLeast}` : `from ${atLeast} to ${atMost}`
}
