/** Values that fit a JSON Schema, for properties that hold for every request. */
import fc from 'fast-check'

// biome-ignore lint/suspicious/noExplicitAny: a schema is walked, not known.
type Schema = any
type Value = fc.Arbitrary<unknown>

/** Values that mean something in a field of that name. An empty list: one that is mostly there. */
export type Hints = Readonly<Record<string, readonly (string | number)[]>>

export function arbitraryOf(schema: Schema, hints: Hints = {}, name = ''): Value {
  if (schema.enum !== undefined) return fc.constantFrom(...schema.enum)
  if (schema.const !== undefined) return fc.constant(schema.const)
  const variants: readonly Schema[] | undefined = schema.oneOf ?? schema.anyOf
  if (variants !== undefined) {
    return fc.oneof(...variants.map((variant) => arbitraryOf(variant, hints, name)))
  }
  switch (schema.type) {
    case 'object':
      return objectOf(schema, hints)
    case 'array':
      return arrayOf(schema, hints, name)
    case 'string':
      return often(hints[name], textOf(schema))
    case 'integer':
      return often(hints[name], fc.integer(boundsOf(schema)))
    case 'number':
      return fc.double({ ...boundsOf(schema), noNaN: true, noDefaultInfinity: true })
    case 'boolean':
      return fc.boolean()
    case 'null':
      return fc.constant(null)
    default:
      throw new Error(`no arbitrary for ${JSON.stringify(schema)}`)
  }
}

function objectOf(schema: Schema, hints: Hints): Value {
  const { properties = {}, required = [], patternProperties = {} } = schema
  const [values] = Object.values<Schema>(patternProperties)
  if (values !== undefined) {
    const names = fc.string({ maxLength: 8 }).filter((each) => each !== '__proto__')
    return fc.dictionary(names, arbitraryOf(values, hints), { maxKeys: 60 })
  }
  const fields = Object.entries<Schema>(properties).map(([name, field]) => {
    const value = arbitraryOf(field, hints, name).map((each) => [[name, each] as const])
    if (required.includes(name)) return value
    const weight = hints[name]?.length === 0 ? 40 : 1
    return fc.oneof({ weight, arbitrary: value }, { weight: 4, arbitrary: fc.constant([]) })
  })
  return fc
    .tuple(...fields)
    .map((entries) => Object.fromEntries(entries.flat()) as Record<string, unknown>)
    .filter((value) => Object.keys(value).length >= (schema.minProperties ?? 0))
    .map((value) => withDependencies(value, schema))
}

/** A field that needs another, which is not there, is not there either. */
function withDependencies(value: Record<string, unknown>, schema: Schema): unknown {
  const needs = Object.entries<string[]>(schema.dependentRequired ?? {})
  const lost = needs.filter(([, others]) => others.some((other) => !(other in value)))
  const names = new Set(lost.map(([name]) => name))
  return Object.fromEntries(Object.entries(value).filter(([name]) => !names.has(name)))
}

function arrayOf({ items, minItems, maxItems, uniqueItems }: Schema, hints: Hints, name: string) {
  const bounds = { minLength: minItems ?? 0, maxLength: maxItems ?? 6 }
  const item = arbitraryOf(items, hints, name)
  if (uniqueItems !== true) return fc.array(item, bounds)
  return fc.uniqueArray(item, { ...bounds, selector: (each) => JSON.stringify(each) })
}

function textOf({ pattern, minLength, maxLength }: Schema): Value {
  if (pattern !== undefined) {
    // What a text must not begin with cannot be generated, only looked at afterwards.
    const plain = pattern.replaceAll(/\(\?!(?:[^()]|\([^()]*\))*\)/g, '')
    return fc.stringMatching(new RegExp(plain)).filter((text) => new RegExp(pattern).test(text))
  }
  return fc.string({ minLength: minLength ?? 0, maxLength: Math.min(maxLength ?? 40, 40) })
}

function often(known: readonly unknown[] = [], any: Value): Value {
  if (known.length === 0) return any
  return fc.oneof({ weight: 9, arbitrary: fc.constantFrom(...known) }, any)
}

const boundsOf = ({ minimum, maximum }: Schema) => ({
  min: minimum ?? -1_000_000,
  max: maximum ?? 1_000_000,
})

/** Where a value can be broken: the way to each of its parts, the whole included. */
export function placesIn(value: unknown, way: readonly string[] = []): (readonly string[])[] {
  if (typeof value !== 'object' || value === null) return [way]
  return [way, ...Object.entries(value).flatMap(([name, inner]) => placesIn(inner, [...way, name]))]
}

/** The value with another in one place. */
export function replaced(value: unknown, way: readonly string[], by: unknown): unknown {
  const [name, ...rest] = way
  if (name === undefined) return by
  const copy: Record<string, unknown> = Array.isArray(value)
    ? ([...value] as unknown as Record<string, unknown>)
    : { ...(value as Record<string, unknown>) }
  copy[name] = replaced(copy[name], rest, by)
  return copy
}
