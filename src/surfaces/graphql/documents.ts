/** Documents that were parsed and validated before: clients send the same few again and again. */
import {
  type DocumentNode,
  type GraphQLError,
  type GraphQLSchema,
  parse,
  type ValidationRule,
  validate,
} from 'graphql'
import { complainAboutWeight } from './weights.ts'

export type Read =
  | { readonly document: DocumentNode }
  | { readonly code: string; readonly errors: readonly GraphQLError[] }

/** Documents that are kept, least recently used going first, and how long a kept one may be. */
const keptDocuments = 500
const keptLength = 20_000
/** Nobody writes more, and a validator given more could be kept busy for minutes. */
const tokenLimit = 20_000

export class Documents {
  readonly #schema: GraphQLSchema
  readonly #rules: readonly ValidationRule[]
  readonly #kept = new Map<string, Read>()

  constructor(schema: GraphQLSchema, rules: readonly ValidationRule[]) {
    this.#schema = schema
    this.#rules = rules
  }

  read(query: string): Read {
    const kept = this.#kept.get(query)
    if (kept === undefined) return this.#keep(query, this.#readAnew(query))
    this.#kept.delete(query)
    this.#kept.set(query, kept)
    return kept
  }

  #readAnew(query: string): Read {
    try {
      const document = parse(query, { maxTokens: tokenLimit })
      const errors = this.#complaints(document)
      return errors.length === 0 ? { document } : { code: 'GRAPHQL_VALIDATION_FAILED', errors }
    } catch (error) {
      return { code: 'GRAPHQL_PARSE_FAILED', errors: [error as GraphQLError] }
    }
  }

  #complaints(document: DocumentNode): readonly GraphQLError[] {
    const errors = validate(this.#schema, document, this.#rules)
    if (errors.length > 0) return errors
    const tooMuch = complainAboutWeight(this.#schema, document)
    return tooMuch === undefined ? [] : [tooMuch]
  }

  #keep(query: string, read: Read): Read {
    if (query.length > keptLength || 'code' in read) return read
    this.#kept.set(query, read)
    const [oldest] = this.#kept.keys()
    if (this.#kept.size > keptDocuments && oldest !== undefined) this.#kept.delete(oldest)
    return read
  }
}
