/** Fills the blanks of a template: `{{input.a.b}}` anywhere in its texts. */

export interface Filled {
  readonly value: unknown
  /** Blanks that nothing was found for. */
  readonly missing: readonly string[]
}

const blank = /\{\{\s*([\w$.-]+)\s*\}\}/g
const onlyBlank = /^\{\{\s*([\w$.-]+)\s*\}\}$/

/** A text that is one blank and nothing else becomes the value, whatever its type. */
export function fillTemplate(template: unknown, variables: object): Filled {
  const missing: string[] = []
  const look = (path: string): unknown => {
    const found = valueAt(variables, path)
    if (found === undefined) missing.push(path)
    return found
  }
  const fill = (value: unknown): unknown => {
    if (typeof value === 'string') return fillText(value, look)
    if (Array.isArray(value)) return value.map(fill)
    if (typeof value !== 'object' || value === null) return value
    return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, fill(each)]))
  }
  return { value: fill(template), missing }
}

function fillText(text: string, look: (path: string) => unknown): unknown {
  const [, only] = onlyBlank.exec(text) ?? []
  if (only !== undefined) return look(only)
  return text.replaceAll(blank, (_all, path: string) => {
    const found = look(path)
    return typeof found === 'string' ? found : (JSON.stringify(found) ?? '')
  })
}

/** Own properties only: a template sees nothing but what was sent. */
function valueAt(variables: object, path: string): unknown {
  let at: unknown = variables
  for (const name of path.split('.')) {
    if (typeof at !== 'object' || at === null || !Object.hasOwn(at, name)) return undefined
    at = (at as Readonly<Record<string, unknown>>)[name]
  }
  return at
}
