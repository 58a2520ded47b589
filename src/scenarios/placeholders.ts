/** `{{name}}` in requests and expectations: what earlier steps saved, put in its place. */

const placeholder = /\{\{\s*(\w+)\s*\}\}/g
const whole = /^\{\{\s*(\w+)\s*\}\}$/

/** What was saved so far, by name. */
export type Saved = ReadonlyMap<string, unknown>

/** A text that is one placeholder becomes the value itself; within a text it becomes its text. */
export function fill<Value>(value: Value, saved: Saved): Value {
  if (typeof value !== 'object' || value === null) return fillAny(value, saved) as Value
  const isPlain = plain.get(value) ?? namesIn(value).length === 0
  plain.set(value, isPlain)
  return isPlain ? value : (fillAny(value, saved) as Value)
}

/** Whether there is nothing to fill in: a load sends the same request over and over. */
const plain = new WeakMap<object, boolean>()

/** The names that a value asks for, wherever they stand in it. */
export function namesIn(value: unknown): string[] {
  if (typeof value === 'string')
    return [...value.matchAll(placeholder)].map(([, name = '']) => name)
  if (Array.isArray(value)) return value.flatMap(namesIn)
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([key, part]) => [...namesIn(key), ...namesIn(part)])
}

function fillAny(value: unknown, saved: Saved): unknown {
  if (typeof value === 'string') return fillText(value, saved)
  if (Array.isArray(value)) return value.map((item) => fillAny(item, saved))
  if (typeof value !== 'object' || value === null) return value
  const parts = Object.entries(value).map(([key, part]) => [key, fillAny(part, saved)] as const)
  return Object.fromEntries(parts)
}

function fillText(text: string, saved: Saved): unknown {
  if (!text.includes('{{')) return text
  const [, name] = whole.exec(text) ?? []
  // What is unknown here is the fixture's own: a handler's text has placeholders, too.
  if (name !== undefined) return saved.has(name) ? saved.get(name) : text
  return text.replace(placeholder, (found, word) =>
    saved.has(word) ? String(saved.get(word)) : found,
  )
}

/** `pods[0].id` in a reply's body; undefined where the path leads nowhere. */
export function valueAt(body: unknown, path: string): unknown {
  const steps = path.split(/[.[\]]+/).filter((step) => step !== '')
  return steps.reduce<unknown>((at, step) => {
    if (typeof at !== 'object' || at === null) return undefined
    return (at as Record<string, unknown>)[step]
  }, body)
}
