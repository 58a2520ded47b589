/** The body of a GraphQL request: one operation, its name and its variables. */
import type { Reply } from '../http/reply.ts'
import { refuse } from './errors.ts'

export interface GraphqlRequest {
  readonly query: string
  readonly operationName: string | undefined
  readonly variables: Readonly<Record<string, unknown>> | undefined
}

/** What was asked, or the reply that says why it cannot be read. */
export function readRequest(
  contentType: string | undefined,
  text: string | undefined,
): GraphqlRequest | Reply {
  // Observed: a form is refused, so that no page can make a browser send one.
  if (!isJson(contentType)) {
    return badRequest('a GraphQL request needs content-type: application/json (CSRF prevention)')
  }
  const body = parseBody(text)
  if (body === undefined) return badRequest('the body must be a JSON object with a query')
  const { query, operationName, variables } = body
  if (typeof query !== 'string' || query === '') return badRequest('query must be a text')
  if (!isAbsentOr(operationName, 'string')) return badRequest('operationName must be a text')
  if (!isAbsentOr(variables, 'object') || Array.isArray(variables)) {
    return badRequest('variables must be an object')
  }
  return {
    query,
    operationName: (operationName as string | null) ?? undefined,
    variables: (variables as Record<string, unknown> | null) ?? undefined,
  }
}

export const isReply = (read: GraphqlRequest | Reply): read is Reply => 'status' in read

const badRequest = (message: string): Reply => refuse('BAD_REQUEST', [message])

function isJson(contentType = ''): boolean {
  const [type = ''] = contentType.toLowerCase().split(';')
  return type.trim() === 'application/json' || type.trim().endsWith('+json')
}

function parseBody(text: string | undefined): Record<string, unknown> | undefined {
  try {
    const body: unknown = JSON.parse(text ?? '')
    const isObject = typeof body === 'object' && body !== null && !Array.isArray(body)
    return isObject ? (body as Record<string, unknown>) : undefined
  } catch {
    // The caller is told that it is no JSON object, which covers text that is no JSON at all.
    return undefined
  }
}

function isAbsentOr(value: unknown, type: 'string' | 'object'): boolean {
  return value === undefined || value === null || typeof value === type
}
