/** The published description of REST v1, as far as tests ask it: what fits, and what ours differs in. */
import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'

export interface Schema {
  readonly [keyword: string]: unknown
  readonly $ref?: string
  readonly type?: string
  readonly nullable?: boolean
  readonly enum?: readonly unknown[]
  readonly items?: Schema
  readonly properties?: Readonly<Record<string, Schema>>
  readonly required?: readonly string[]
}

export interface DocumentOperation {
  readonly operationId: string
  readonly parameters?: readonly {
    readonly name: string
    readonly in: string
    readonly required?: boolean
    readonly schema: Schema
  }[]
  readonly requestBody?: Content & { readonly required?: boolean }
  readonly responses: Readonly<Record<string, Content>>
}

interface Content {
  readonly content?: Readonly<Record<string, { readonly schema?: Schema }>>
}

export interface Description {
  readonly paths: Readonly<Record<string, Readonly<Record<string, DocumentOperation>>>>
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> }
}

const root = join(dirname(fileURLToPath(import.meta.url)), '..', '..')
const folder = process.env.COMPUTE_EMULATOR_CONTRACT ?? join(root, '..', 'shared', 'contract')
const file = join(folder, 'rest-v1.openapi.json')

/** Undefined where the contract is not at hand; the tests that need it then say so and are skipped. */
export const published: Description | undefined = existsSync(file)
  ? (JSON.parse(readFileSync(file, 'utf8')) as Description)
  : undefined
if (published === undefined) console.warn(`${file} is not there: v1 is not held against it`)

/** `GET /pods/{podId}` and what the document says of it. */
export function operationsOf({ paths }: Description): Map<string, DocumentOperation> {
  const rows = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(
      ([method, operation]) => [`${method.toUpperCase()} ${path}`, operation] as const,
    ),
  )
  return new Map(rows)
}

export function jsonOf({ content }: Content): Schema | undefined {
  return content?.['application/json']?.schema
}

/**
 * What is wrong with a value, one sentence each. Stricter than the document: a property that it does
 * not name is wrong, unless `more` names it: `Pod.imageName`.
 */
export function createChecker({ components }: Description, more: readonly string[]) {
  const defs = Object.fromEntries(
    Object.entries(components.schemas).map(([name, schema]) => {
      const added = more.flatMap((one) => (one.startsWith(`${name}.`) ? [one.split('.')[1]] : []))
      const properties = Object.fromEntries(added.map((property) => [property, {}]))
      return [
        name,
        toJsonSchema({ ...schema, properties: { ...schema.properties, ...properties } }),
      ]
    }),
  )
  const ajv = new Ajv2020({ allErrors: true, strict: false })
  ajv.addFormat('ipv4', /^(\d{1,3}\.){3}\d{1,3}$/)
  ajv.addFormat('date-time', (text: string) => Number.isFinite(Date.parse(text)))
  ajv.addFormat('currency', true)
  const compiled = new Map<string, ValidateFunction>()
  return (schema: Schema, value: unknown): string[] => {
    const key = JSON.stringify(schema)
    const validate = compiled.get(key) ?? ajv.compile({ ...toJsonSchema(schema), $defs: defs })
    compiled.set(key, validate)
    if (validate(value)) return []
    return (validate.errors ?? []).map(
      ({ instancePath, message, params }) => `${instancePath} ${message} ${JSON.stringify(params)}`,
    )
  }
}

/** OpenAPI 3.0.3 says null, references and the rest in words of its own. */
function toJsonSchema(schema: Schema): Record<string, unknown> {
  const { $ref, nullable, items, properties, example, ...rest } = schema
  if ($ref !== undefined) return { $ref: `#/$defs/${nameOf($ref)}` }
  const isObject = properties !== undefined && Object.keys(properties).length > 0
  return {
    ...rest,
    ...(nullable ? { type: [rest.type, 'null'] } : {}),
    ...(items === undefined ? {} : { items: toJsonSchema(items) }),
    ...(isObject
      ? {
          additionalProperties: false,
          properties: Object.fromEntries(
            Object.entries(properties).map(([name, inner]) => [name, toJsonSchema(inner)]),
          ),
        }
      : {}),
  }
}

const nameOf = (reference: string): string => reference.split('/').at(-1) ?? ''

const facets = ['enum', 'minimum', 'maximum', 'minLength', 'maxLength', 'default'] as const

/** A document as lines, `GET /pods query name`, each with what it says there. */
export function flatten(document: Description): Map<string, string> {
  const lines = new Map<string, string>()
  for (const [address, operation] of operationsOf(document)) {
    lines.set(address, 'there')
    for (const { name, in: place, required, schema } of operation.parameters ?? []) {
      flattenSchema(document, schema, `${address} ${place} ${name}`, required === true, lines)
    }
    const body = operation.requestBody && jsonOf(operation.requestBody)
    if (body) flattenSchema(document, body, `${address} body`, true, lines)
    for (const [status, reply] of Object.entries(operation.responses)) {
      lines.set(`${address} ${status}`, 'there')
      const schema = jsonOf(reply)
      if (schema) flattenSchema(document, schema, `${address} ${status} reply`, false, lines)
    }
  }
  return lines
}

function flattenSchema(
  document: Description,
  schema: Schema,
  place: string,
  required: boolean,
  lines: Map<string, string>,
): void {
  if (schema.$ref !== undefined) {
    const target = document.components.schemas[nameOf(schema.$ref)] ?? {}
    flattenSchema(document, target, place, required, lines)
    return
  }
  const shown = place.includes(' reply') ? (['enum'] as const) : facets
  const said = shown.flatMap((facet) =>
    schema[facet] === undefined ? [] : [`${facet}=${inWords(schema[facet], facet)}`],
  )
  const words = [schema.type, ...(schema.nullable ? ['or null'] : []), ...said]
  if (required) words.push('required')
  lines.set(place, words.join(' '))
  if (schema.type === 'array' && schema.items)
    flattenSchema(document, schema.items, `${place}[]`, false, lines)
  for (const [name, inner] of Object.entries(schema.properties ?? {})) {
    const isRequired = schema.required?.includes(name) === true && !place.includes(' reply')
    flattenSchema(document, inner, `${place}.${name}`, isRequired, lines)
  }
}

/** Members of a closed list have no order. */
const inWords = (value: unknown, facet: string): string =>
  JSON.stringify(facet === 'enum' ? [...(value as string[])].sort() : value)

/** What one document says and the other does not, or says otherwise. */
export function differences(theirs: Map<string, string>, ours: Map<string, string>): string[] {
  const missing = [...theirs].flatMap(([place, said]) => {
    const here = ours.get(place)
    if (here === undefined) {
      return isWithin(place, ours, theirs) ? [] : [`${place}: only published (${said})`]
    }
    return here === said ? [] : [`${place}: published ${said}; served ${here}`]
  })
  // What is in something that is only there in one of them goes without saying.
  const added = [...ours].filter(([place]) => !theirs.has(place) && !isWithin(place, theirs, ours))
  return [...missing, ...added.map(([place, said]) => `${place}: only served (${said})`)]
}

/** True below a place that one document has and the other lacks. */
function isWithin(
  place: string,
  lacking: ReadonlyMap<string, string>,
  having: ReadonlyMap<string, string>,
): boolean {
  const parent = place.replace(/(\[\]|\.\w+| reply| \d+)$/, '')
  return parent !== place && having.has(parent) && !lacking.has(parent)
}
