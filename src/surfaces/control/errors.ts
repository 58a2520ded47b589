/** How the control API says no: the same problem objects as REST v2. */
import type { CloudError, ErrorCode } from '../../model/errors.ts'
import type { Reply } from '../http/reply.ts'

const problems = {
  invalid_request: [422, 'Unprocessable Entity'],
  rule_violation: [400, 'Bad Request'],
  unauthorized: [401, 'Unauthorized'],
  forbidden: [403, 'Forbidden'],
  not_found: [404, 'Not Found'],
  conflict: [409, 'Conflict'],
  no_capacity: [400, 'Bad Request'],
  no_free_gpus: [400, 'Bad Request'],
  insufficient_balance: [402, 'Payment Required'],
  payload_too_large: [413, 'Content Too Large'],
  rate_limited: [429, 'Too Many Requests'],
  method_not_allowed: [405, 'Method Not Allowed'],
  retired: [410, 'Gone'],
  internal_error: [500, 'Internal Server Error'],
  not_emulated: [501, 'Not Implemented'],
} as const satisfies Record<ErrorCode, readonly [number, string]>

export function renderControlError(error: CloudError): Reply {
  const [status, title] = problems[error.code]
  const errors = error.issues.map(
    ({ path, message }) => `$${path.map((part) => `.${part}`).join('')}: ${message}`,
  )
  const body = { title, status, detail: error.message, ...(errors.length > 0 ? { errors } : {}) }
  const headers = { 'content-type': 'application/problem+json' }
  return { status, headers, body }
}

export const renderControlBug = (): Reply => ({
  status: 500,
  headers: { 'content-type': 'application/problem+json' },
  body: {
    title: 'Internal Server Error',
    status: 500,
    detail: 'a bug in compute-emulator; its log says more',
  },
})
