/** How the request address says no. */
import type { CloudError, ErrorCode } from '../../model/errors.ts'
import type { Reply } from '../http/reply.ts'

// Observed: 401 as {"status", "title", "detail"}. Assumed: the same form for the others.
const problems = {
  invalid_request: [400, 'Bad Request'],
  rule_violation: [400, 'Bad Request'],
  unauthorized: [401, 'Unauthorized'],
  forbidden: [403, 'Forbidden'],
  not_found: [404, 'Not Found'],
  conflict: [409, 'Conflict'],
  no_capacity: [503, 'Service Unavailable'],
  no_free_gpus: [503, 'Service Unavailable'],
  insufficient_balance: [402, 'Payment Required'],
  payload_too_large: [400, 'Bad Request'],
  rate_limited: [429, 'Too Many Requests'],
  method_not_allowed: [405, 'Method Not Allowed'],
  retired: [410, 'Gone'],
  internal_error: [500, 'Internal Server Error'],
  not_emulated: [501, 'Not Implemented'],
} as const satisfies Record<ErrorCode, readonly [number, string]>

// Observed: these refusals are objects of their own.
const bare = new Set(['not allowed for QB API', 'affinity_worker_gone'])

export function renderJobError(error: CloudError): Reply {
  const [status, title] = problems[error.code]
  if (bare.has(error.message)) return { status, body: { error: error.message } }
  const reasons = error.issues.map(({ path, message }) => [...path, message].join(': '))
  const detail = [error.message, ...reasons].join('; ')
  return { status, headers: headersOf(error), body: { status, title, detail } }
}

function headersOf({ code, subject }: CloudError): Record<string, string> {
  if (code === 'method_not_allowed') return { allow: subject.id ?? '' }
  // Assumed: the documents name the status and no header.
  if (code === 'rate_limited') return { 'retry-after': String(subject.retryAfterSeconds ?? 1) }
  return {}
}

export const renderJobBug = (): Reply => ({
  status: 500,
  body: { status: 500, title: 'Internal Server Error', detail: 'internal error' },
})
