/** Asks the GraphQL address of a test's cloud, as clients do: a document and its variables. */
import type { Answer, Cloud, Headers } from './cloud.ts'

export interface Asking {
  /** The whole reply. */
  readonly ask: (query: string, variables?: unknown, headers?: Headers) => Promise<Answer>
  /** The data of a reply that must have no errors. */
  readonly data: (query: string, variables?: unknown) => Promise<Answer['body']>
  /** The message of the only error. */
  readonly refusal: (query: string, variables?: unknown) => Promise<string>
}

export function graphqlOf(cloud: Cloud): Asking {
  const ask: Asking['ask'] = (query, variables, headers = {}) =>
    cloud.post(
      '/graphql',
      { query, ...(variables === undefined ? {} : { variables }) },
      { 'content-type': 'application/json', ...headers },
    )
  return {
    ask,
    data: async (query, variables) => {
      const { status, body, text } = await ask(query, variables)
      if (status !== 200 || 'errors' in body) throw new Error(`refused with ${status}: ${text}`)
      return body.data
    },
    refusal: async (query, variables) => {
      const { body } = await ask(query, variables)
      expect(body.errors).toHaveLength(1)
      return body.errors[0].message
    },
  }
}
