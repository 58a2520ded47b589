/** How v2 says no: RFC 9457 problems. The only file that knows v2's statuses for errors. */
import type { CloudError, ErrorCode, Issue } from '../../model/errors.ts'
import type { Reply } from '../http/reply.ts'

const problems = {
  invalid_request: [422, 'Unprocessable Entity'],
  rule_violation: [400, 'Bad Request'],
  unauthorized: [401, 'Unauthorized'],
  forbidden: [403, 'Forbidden'],
  not_found: [404, 'Not Found'],
  conflict: [409, 'Conflict'],
  // Observed: missing capacity is a plain 400.
  no_capacity: [400, 'Bad Request'],
  no_free_gpus: [400, 'Bad Request'],
  insufficient_balance: [402, 'Payment Required'],
  payload_too_large: [413, 'Content Too Large'],
  rate_limited: [429, 'Too Many Requests'],
  method_not_allowed: [405, 'Method Not Allowed'],
  retired: [410, 'Gone'],
  not_emulated: [501, 'Not Implemented'],
} as const satisfies Record<ErrorCode, readonly [number, string]>

/** Where v2 has words of its own. */
const details: Partial<Record<ErrorCode, string>> = {
  invalid_request: 'Request validation failed.',
  method_not_allowed: 'The requested method is not allowed for this path.',
}

export function renderProblem(error: CloudError): Reply {
  const [status, title] = problems[error.code]
  const detail = details[error.code] ?? error.message
  const errors = error.issues.map(toText)
  const allow = error.code === 'method_not_allowed' ? { allow: error.subject.id ?? '' } : undefined
  return {
    status,
    headers: { 'content-type': 'application/problem+json', ...allow },
    body: { title, status, detail, ...(errors.length === 0 ? {} : { errors }) },
  }
}

export const renderBug = (): Reply => ({
  status: 500,
  headers: { 'content-type': 'application/problem+json' },
  body: { title: 'Internal Server Error', status: 500, detail: 'internal error' },
})

/** Observed: `$.mounts.network[0]: missing property 'path'`. */
function toText({ path, message }: Issue): string {
  const where = path.map((part) => (/^\d+$/.test(part) ? `[${part}]` : `.${part}`)).join('')
  return `$${where}: ${message}`
}
