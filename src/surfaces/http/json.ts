/** Reads JSON, and refuses what a parser lets through and nobody means. */
import { invalidField } from '../../model/errors.ts'

/**
 * The value of a text that is shallow, or a refusal that says what is wrong with it. `plainNames`: no
 * object has a name twice, and none the name of every object's prototype.
 */
export function parseJson(text: string, plainNames: boolean): unknown {
  const value = parse(text)
  if (plainNames && !hasPlainNames(value, text)) requirePlainNames(text)
  return value
}

/** A quick look: no name was lost on the way, and none can be every object's prototype. */
function hasPlainNames(value: unknown, text: string): boolean {
  return !text.includes('proto__') && !text.includes('\\u') && countColons(text) === colonsOf(value)
}

/** Colons that it takes to write a value: one behind each name, and those in its names and texts. */
function colonsOf(value: unknown): number {
  if (typeof value === 'string') return countColons(value)
  if (typeof value !== 'object' || value === null) return 0
  let count = 0
  if (Array.isArray(value)) for (const item of value) count += colonsOf(item)
  // Nothing but a parser made it: what it has is its own.
  else for (const name in value) count += 1 + countColons(name) + colonsOf(fieldOf(value, name))
  return count
}

const fieldOf = (value: object, name: string): unknown => (value as Record<string, unknown>)[name]

function countColons(text: string): number {
  let count = 0
  for (let at = text.indexOf(':'); at !== -1; at = text.indexOf(':', at + 1)) count += 1
  return count
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (cause) {
    throw invalidField([], `the body is not JSON: ${(cause as Error).message}`)
  }
}

const [quote, backslash, bracket, brace, bracketEnd, braceEnd] = Array.from('"\\[{]}', (each) =>
  each.charCodeAt(0),
)

/**
 * Refuses a text in which values lie deeper in each other than so many levels: they could be read, and
 * not be walked through. It goes by the characters, so the text need not be JSON.
 */
export function requireShallow(text: string, deepest: number): void {
  // Two characters at least for each level.
  if (text.length <= 2 * deepest) return
  let depth = 0
  let inText = false
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index)
    if (inText) {
      if (code === backslash) index += 1
      else if (code === quote) inText = false
    } else if (code === quote) inText = true
    else if (code === bracket || code === brace) depth += 1
    else if (code === bracketEnd || code === braceEnd) depth -= 1
    if (depth > deepest) throw invalidField([], `values lie more than ${deepest} deep`)
  }
}

/** What is open at some point of a text: an object with its names so far, or a list. */
interface Level {
  readonly names: Set<string> | undefined
  /** The name or the index of what is being read. */
  at: string
  nameIsNext: boolean
}

const token = /"(?:[^"\\]|\\.)*"|[[\]{},]/g

/** `text` is known to be JSON. */
function requirePlainNames(text: string): void {
  const levels: Level[] = []
  for (const [part] of text.matchAll(token)) {
    const level = levels.at(-1)
    if (part === '{') levels.push({ names: new Set(), at: '', nameIsNext: true })
    else if (part === '[') levels.push({ names: undefined, at: '0', nameIsNext: false })
    else if (part === '}' || part === ']') levels.pop()
    else if (level === undefined) return
    else if (part === ',') next(level)
    else if (level.nameIsNext) {
      const path = levels.slice(0, -1).map(({ at }) => at)
      readName(level, JSON.parse(part) as string, path)
    }
  }
}

function next(level: Level): void {
  if (level.names === undefined) level.at = String(Number(level.at) + 1)
  else level.nameIsNext = true
}

function readName(level: Level, name: string, path: readonly string[]): void {
  if (level.names?.has(name)) throw invalidField(path, `property '${name}' is there twice`)
  if (name === '__proto__') throw invalidField(path, `property '${name}' not allowed`)
  level.names?.add(name)
  level.at = name
  level.nameIsNext = false
}
