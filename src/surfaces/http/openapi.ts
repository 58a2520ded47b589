/** OpenAPI documents, made from the operation table that the routes are made from. */
import type { TObject, TSchema } from '@sinclair/typebox'
import { isCommaList } from './comma-lists.ts'
import type { Operation, ReplyShape } from './operation.ts'

export interface DocumentOptions {
  readonly version: '3.0.3' | '3.1.0'
  readonly info: { readonly title: string; readonly version: string; readonly description: string }
  readonly operations: readonly Operation[]
  /** What every path begins with; it moves to `servers`. Empty to leave paths as they are. */
  readonly basePath: string
}

type Json = Record<string, unknown>

export function openapiDocument(options: DocumentOptions): Json {
  const paths: Record<string, Json> = {}
  for (const operation of options.operations) {
    const path = operation.path.slice(options.basePath.length) || '/'
    const methods = paths[path] ?? {}
    methods[operation.method.toLowerCase()] = describe(operation, options.version)
    paths[path] = methods
  }
  const tags = [...new Set(options.operations.map(({ tag }) => tag))]
  return {
    openapi: options.version,
    info: options.info,
    servers: [{ url: options.basePath || '/' }],
    tags: tags.map((name) => ({ name })),
    paths,
    components: { securitySchemes: { ApiKey: { type: 'http', scheme: 'bearer' } } },
  }
}

function describe(operation: Operation, version: DocumentOptions['version']): Json {
  const convert = version === '3.0.3' ? toOpenapi30 : plain
  const { name, summary, tag, needs, body, bodyRequired, successor, handle } = operation
  const convertBody = (schema: TSchema) => withoutDefaulted(convert(schema)) as Json
  return {
    operationId: name,
    summary,
    tags: [tag],
    ...(successor === undefined ? {} : { deprecated: true }),
    ...(needs === 'nothing' ? {} : { security: [{ ApiKey: [] }] }),
    ...parametersOf(operation, convert),
    ...(body === undefined
      ? {}
      : {
          requestBody: {
            required: bodyRequired !== false,
            content: { 'application/json': { schema: convertBody(body) } },
          },
        }),
    responses: responsesOf(operation, convert),
    ...(handle === undefined ? { 'x-not-emulated': true } : {}),
  }
}

function parametersOf({ path, params, query, headers }: Operation, convert: typeof plain): Json {
  const inPath = [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => ({
    name,
    in: 'path',
    required: true,
    schema: convert(params?.properties[name] ?? ({ type: 'string' } as unknown as TSchema)),
  }))
  const listed = (place: 'query' | 'header', { properties, required = [] }: TObject) =>
    Object.entries(properties).map(([name, schema]) => ({
      name,
      in: place,
      required: required.includes(name) && schema.default === undefined,
      ...(isCommaList(schema) ? { style: 'form', explode: false } : {}),
      schema: withoutStyle(convert(schema)),
    }))
  const inQuery = query === undefined ? [] : listed('query', query)
  const inHeader = headers === undefined ? [] : listed('header', headers)
  const parameters = [...inPath, ...inQuery, ...inHeader]
  return parameters.length === 0 ? {} : { parameters }
}

/** How a list is written is said of the parameter, not of its schema. */
function withoutStyle({ explode: _explode, ...schema }: Json): Json {
  return schema
}

function responsesOf({ replies }: Operation, convert: typeof plain): Json {
  return Object.fromEntries(
    Object.entries(replies).map(([status, shape]) => [status, describeReply(shape, convert)]),
  )
}

function describeReply({ description, schema, contentType }: ReplyShape, convert: typeof plain) {
  if (schema === undefined && contentType === undefined) return { description }
  const media = schema === undefined ? {} : { schema: convert(schema) }
  return { description, content: { [contentType ?? 'application/json']: media } }
}

/** A schema as it is, without the symbols that TypeBox keeps on it. */
function plain(schema: TSchema): Json {
  return JSON.parse(JSON.stringify(schema), (_key, value: unknown) =>
    isSchema(value) && value['x-default'] !== undefined ? said(value) : value,
  ) as Json
}

const isSchema = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** To the reader it makes no difference who fills in a default. */
function said({ 'x-default': value, ...schema }: Json): Json {
  return { ...schema, default: value }
}

/** What is filled in when it is left out may be left out, although whoever handles it has it. */
function withoutDefaulted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutDefaulted)
  if (!isSchema(value)) return value
  const entries = Object.entries(value).map(([key, inner]) => [key, withoutDefaulted(inner)])
  const { required, ...schema }: Json = Object.fromEntries(entries)
  if (!Array.isArray(required)) return required === undefined ? schema : { ...schema, required }
  const fields = (schema.properties ?? {}) as Record<string, Json>
  const needed = required.filter((name) => fields[name]?.default === undefined)
  // OpenAPI 3.0 allows no empty list here.
  return needed.length === 0 ? schema : { ...schema, required: needed }
}

/** OpenAPI 3.0 knows no null type, no `const` and no numeric exclusive bounds. */
function toOpenapi30(schema: TSchema): Json {
  return downgrade(plain(schema)) as Json
}

function downgrade(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(downgrade)
  if (typeof value !== 'object' || value === null) return value
  const { const: only, exclusiveMinimum, patternProperties, anyOf, ...rest } = value as Json
  const result: Json = Object.fromEntries(
    Object.entries(rest).map(([key, inner]) => [key, downgrade(inner)]),
  )
  if (only !== undefined) Object.assign(result, { type: typeof only, enum: [only] })
  if (typeof exclusiveMinimum === 'number') {
    Object.assign(result, { minimum: exclusiveMinimum, exclusiveMinimum: true })
  }
  if (patternProperties !== undefined) {
    result.additionalProperties = downgrade(Object.values(patternProperties as Json)[0])
  }
  return anyOf === undefined ? result : { ...result, ...withoutNull(anyOf as Json[]) }
}

function withoutNull(members: readonly Json[]): Json {
  const others = members.filter(({ type }) => type !== 'null').map((member) => downgrade(member))
  const nullable = others.length < members.length ? { nullable: true } : {}
  const [only] = others
  if (others.length === 1) return { ...(only as Json), ...nullable }
  return { anyOf: others, ...nullable }
}
