/**
 * What a schema asks for, however it is written: references followed, `allOf` melted down, the ways
 * to say "or null", "no other fields" and "one of these words" made one. Two shapes can be compared.
 */
import { type Document, type Json, resolve } from './reference.ts'

export interface Shape {
  type: string
  nullable: boolean
  /** No other fields are allowed. */
  closed: boolean
  /** Bounds, enums, patterns and defaults, as JSON. */
  readonly facts: Record<string, string>
  readonly fields: Record<string, Shape>
  required: string[]
  items?: Shape | undefined
  /** What the values of a map are. */
  values?: Shape | undefined
  variants: Shape[]
  /** Rules of the form "if this, then that", as JSON. */
  readonly rules: string[]
}

const facts = [
  'minimum',
  'maximum',
  'minLength',
  'maxLength',
  'minItems',
  'maxItems',
  'minProperties',
  'uniqueItems',
  'pattern',
  'default',
  'dependentRequired',
]

export function shapeOf(document: Document, schema: Json): Shape {
  const shape: Shape = {
    type: '',
    nullable: false,
    closed: false,
    facts: {},
    fields: {},
    required: [],
    variants: [],
    rules: [],
  }
  melt(document, shape, resolve(document, schema) ?? {})
  return shape
}

function melt(document: Document, into: Shape, schema: Json): void {
  for (const part of schema.allOf ?? []) melt(document, into, resolve(document, part))
  meltType(into, schema)
  for (const name of facts) {
    if (schema[name] !== undefined) into.facts[name] = JSON.stringify(schema[name])
  }
  if (schema.format === 'date-time') into.facts.format = schema.format
  const words = schema.enum ?? (schema.const === undefined ? undefined : [schema.const])
  if (words !== undefined) into.facts.enum = JSON.stringify([...words].sort())
  meltFields(document, into, schema)
  if (schema.items !== undefined) into.items = shapeOf(document, schema.items)
  if (schema.if !== undefined) {
    const rule = [shapeOf(document, schema.if), shapeOf(document, schema.then)]
    into.rules.push(JSON.stringify({ ...rule, not: schema.if.not?.required }))
  }
  meltVariants(document, into, schema)
}

function meltType(into: Shape, { type }: Json): void {
  const types = [type ?? []].flat()
  if (types.includes('null')) into.nullable = true
  into.type = types.filter((each) => each !== 'null').join('|') || into.type
}

function meltFields(document: Document, into: Shape, schema: Json): void {
  for (const [name, field] of Object.entries<Json>(schema.properties ?? {})) {
    const known = into.fields[name]
    if (known === undefined) into.fields[name] = shapeOf(document, field)
    else melt(document, known, resolve(document, field))
  }
  into.required = [...new Set([...into.required, ...(schema.required ?? [])])].sort()
  const others = schema.additionalProperties ?? schema.unevaluatedProperties
  if (others === false) into.closed = true
  const values = Object.values(schema.patternProperties ?? {})[0] ?? others
  if (typeof values === 'object') into.values = shapeOf(document, values)
}

/** `X or null` is an X that may be null. */
function meltVariants(document: Document, into: Shape, schema: Json): void {
  const members: Json[] = schema.oneOf ?? schema.anyOf ?? []
  const others = members.filter(({ type }) => type !== 'null')
  if (others.length < members.length) into.nullable = true
  if (others.length === 1) melt(document, into, resolve(document, others[0]))
  else into.variants = others.map((member) => shapeOf(document, member))
  liftCommon(into)
}

/** What every variant is and needs, the whole is and needs. */
function liftCommon(into: Shape): void {
  const [first, ...others] = into.variants
  if (first === undefined) return
  if (others.every(({ type }) => type === first.type)) into.type = first.type
  const common = first.required.filter((name) =>
    others.every(({ required }) => required.includes(name)),
  )
  into.required = [...new Set([...into.required, ...common])].sort()
}

/**
 * What is not the same, a line each: `POST /v2/pods body.name: maxLength is 191 here, absent there`.
 * A reply may promise more than it has to: more fields that are always there, narrower values.
 */
export function differences(at: string, there: Shape, here: Shape, isReply = false): string[] {
  const found = (what: string, mine: unknown, theirs: unknown) =>
    mine === theirs ? [] : [`${at}: ${what} is ${mine} here, ${theirs} there`]
  const missing = there.required.filter((name) => !here.required.includes(name))
  const between = (place: string, other: Shape | undefined, own: Shape | undefined) =>
    betweenTwo(place, other, own, isReply)
  const names = (first: object, second: object) => [
    ...new Set([...Object.keys(first), ...Object.keys(second)]),
  ]
  return [
    ...found('type', here.type || 'any', there.type || 'any'),
    ...(isReply && there.nullable ? [] : found('nullable', here.nullable, there.nullable)),
    ...(isReply && here.closed ? [] : found('closed', here.closed, there.closed)),
    ...(isReply
      ? found('not always there', missing.join(), '')
      : found('required', here.required.join(), there.required.join())),
    ...found('rules', here.rules.sort().join(), there.rules.sort().join()),
    ...(isReply ? Object.keys(there.facts) : names(there.facts, here.facts)).flatMap((name) =>
      found(name, here.facts[name] ?? 'absent', there.facts[name] ?? 'absent'),
    ),
    ...names(there.fields, here.fields).flatMap((name) =>
      between(`${at}.${name}`, there.fields[name], here.fields[name]),
    ),
    ...between(`${at}[]`, there.items, here.items),
    ...between(`${at}.*`, there.values, here.values),
    ...found('variants', here.variants.length, there.variants.length),
    ...there.variants.flatMap((variant, index) =>
      between(`${at}<${index}>`, variant, here.variants[index] ?? variant),
    ),
  ]
}

function betweenTwo(
  at: string,
  there: Shape | undefined,
  here: Shape | undefined,
  isReply: boolean,
): string[] {
  if (there === undefined || here === undefined) {
    if (there === here) return []
    return [`${at}: only ${there === undefined ? 'here' : 'there'}`]
  }
  return differences(at, there, here, isReply)
}
