/** Holds a reply against what a published document says of that operation and status. */
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'
import type { Answer } from '../support/cloud.ts'
import { type Document, type Json, operationsOf, resolve } from './reference.ts'

/** What is wrong with a reply; empty for nothing. */
export type ReplyChecker = (operation: string, reply: Answer) => string[]

const instant = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)$/

export function createReplyChecker(document: Document): ReplyChecker {
  const operations = operationsOf(document)
  const ajv = new Ajv2020({ strict: false, allErrors: true, validateFormats: true })
  ajv.addFormat('date-time', instant)
  for (const name of ['uri', 'float', 'double', 'currency', 'email', 'int32', 'int64'])
    ajv.addFormat(name, true)
  ajv.addSchema({ $id: 'document', components: document.components })
  const validators = new Map<string, ValidateFunction>()
  const validatorOf = (key: string, schema: Json) => {
    const known = validators.get(key) ?? ajv.compile(absolute(schema))
    validators.set(key, known)
    return known
  }
  return (operation, { status, headers, body, text }) => {
    const responses = operations.get(operation)?.responses
    if (responses === undefined) return [`${operation} is not in the document`]
    const response = resolve(document, responses[status] ?? responses.default)
    const [kind] = Object.keys(response.content ?? {})
    if (kind === undefined) return text === '' ? [] : [`${status} has no body there`]
    const own = headers['content-type'] ?? 'application/json'
    if (own !== kind) return [`content-type is ${own}, not ${kind}`]
    const value = kind.endsWith('json') ? body : text
    const validate = validatorOf(`${operation} ${status}`, response.content[kind].schema)
    if (validate(value)) return []
    return (validate.errors ?? []).map(({ instancePath, message }) => `${instancePath} ${message}`)
  }
}

/** References lead into the document, wherever the schema was taken from. */
function absolute(schema: Json): Json {
  return JSON.parse(JSON.stringify(schema).replaceAll('"#/', '"document#/'))
}
