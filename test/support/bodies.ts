/** Bodies made from schemas: some that fit, and some that are broken in one place. */
import type { TSchema } from '@sinclair/typebox'
import fc from 'fast-check'

export type Body = Record<string, unknown>

/** Values for fields whose schema takes any text, and whose texts mean something: ids, types, places. */
export type Known = Readonly<Record<string, readonly string[]>>

/** Bodies that fit. Optional fields come and go. */
export function bodiesOf(schema: TSchema, known: Known): fc.Arbitrary<Body> {
  return fromSchema(schema, '', known) as fc.Arbitrary<Body>
}

/** Bodies that do not, each wrong in one place, and what was done to it. */
export function brokenBodiesOf(
  schema: TSchema,
  known: Known,
): fc.Arbitrary<{ readonly how: string; readonly body: unknown }> {
  const properties = propertiesOf(schema)
  const wrongValue = fc.constantFrom(...Object.entries(properties)).chain(([name, inner]) =>
    wrongFor(inner).map((value) => (body: Body) => ({
      how: `${name} is ${JSON.stringify(value)}`,
      body: { ...body, [name]: value },
    })),
  )
  const required: readonly string[] = (schema.required ?? []).filter(
    (name: string) => properties[name]?.default === undefined,
  )
  const breaks: fc.Arbitrary<(body: Body) => { how: string; body: unknown }>[] = [
    wrongValue,
    fc.constant((body) => ({ how: 'an unknown key', body: { ...body, nonsense: 1 } })),
    fc.constantFrom<unknown>(null, [], 'text', 7).map((body) => () => ({ how: 'no object', body })),
  ]
  if (required.length > 0) {
    breaks.push(
      fc.constantFrom(...required).map((name) => (body: Body) => {
        const { [name]: _, ...rest } = body
        return { how: `without ${name}`, body: rest }
      }),
    )
  }
  return fc.tuple(bodiesOf(schema, known), fc.oneof(...breaks)).map(([body, spoil]) => spoil(body))
}

function fromSchema(schema: TSchema, field: string, known: Known): fc.Arbitrary<unknown> {
  if (schema.anyOf !== undefined) {
    return fc.oneof(...schema.anyOf.map((one: TSchema) => fromSchema(one, field, known)))
  }
  if (schema.enum !== undefined) return fc.constantFrom(...schema.enum)
  switch (schema.type) {
    case 'object':
      return schema.patternProperties === undefined
        ? fromObject(schema, known)
        : fc.dictionary(fc.string({ minLength: 1, maxLength: 8 }), fc.string(), { maxKeys: 3 })
    case 'array':
      return fc.array(fromSchema(schema.items, field, known), { maxLength: 3 })
    case 'string':
      return textFor(schema, known[field])
    case 'integer':
      return fc.integer(boundsOf(schema))
    case 'number':
      return fc.double({ ...boundsOf(schema), noNaN: true })
    case 'boolean':
      return fc.boolean()
    case 'null':
      return fc.constant(null)
  }
  throw new Error(`no bodies are made for ${JSON.stringify(schema)}`)
}

function fromObject(schema: TSchema, known: Known): fc.Arbitrary<unknown> {
  const fields = Object.entries(propertiesOf(schema)).map(
    ([name, inner]) => [name, fromSchema(inner, name, known)] as const,
  )
  const requiredKeys = (schema.required ?? []).filter(
    (name: string) => propertiesOf(schema)[name]?.default === undefined,
  )
  return fc.record(Object.fromEntries(fields), { requiredKeys })
}

/** Mostly what means something, and now and then any text that fits. */
function textFor(schema: TSchema, meant: readonly string[] = []): fc.Arbitrary<string> {
  const { minLength = 0, maxLength = 30, pattern } = schema
  const any =
    pattern === undefined
      ? fc.string({ minLength, maxLength: Math.min(maxLength, 30) })
      : fc.stringMatching(new RegExp(pattern))
  if (meant.length === 0) return any
  return fc.oneof(
    { weight: 30, arbitrary: fc.constantFrom(...meant) },
    { weight: 1, arbitrary: any },
  )
}

/** A small number of anything is enough: the large ones are refused for want of stock. */
const boundsOf = ({ minimum = -5, maximum = minimum + 20 }: TSchema) => ({
  min: minimum,
  max: maximum,
})

/** Values of another type, and ones beyond the bounds. */
function wrongFor(schema: TSchema): fc.Arbitrary<unknown> {
  const { minimum, maximum, maxLength, pattern, enum: words } = schema
  const wrong: unknown[] = [{ object: true }, [[]], ...(schema.type === 'boolean' ? ['yes'] : [])]
  if (minimum !== undefined) wrong.push(minimum - 1)
  if (maximum !== undefined) wrong.push(maximum + 1)
  if (maxLength !== undefined) wrong.push('x'.repeat(maxLength + 1))
  if (pattern !== undefined || words !== undefined) wrong.push('none of these')
  if (schema.type !== 'string' && words === undefined) wrong.push('a text')
  if (schema.type === 'integer') wrong.push(1.5)
  if (schema.type === 'array') wrong.push([{}])
  // A map of texts takes any object of texts.
  return fc.constantFrom(...(schema.patternProperties ? ['a text', [1], { A: 1 }] : wrong))
}

const propertiesOf = (schema: TSchema): Readonly<Record<string, TSchema>> => schema.properties ?? {}
