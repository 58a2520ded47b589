/** The status of each refusal, as far as surfaces agree, and what a status is called. */
import type { ErrorCode } from '../../model/errors.ts'

/** A surface that answers something else says so beside it: `{ ...usualStatuses, conflict: 400 }`. */
export const usualStatuses: Readonly<Record<ErrorCode, number>> = {
  invalid_request: 400,
  rule_violation: 400,
  unauthorized: 401,
  forbidden: 403,
  not_found: 404,
  conflict: 409,
  no_capacity: 503,
  no_free_gpus: 503,
  insufficient_balance: 402,
  payload_too_large: 413,
  rate_limited: 429,
  method_not_allowed: 405,
  retired: 410,
  internal_error: 500,
  not_emulated: 501,
}

/** As RFC 9110 calls them. */
const titles: Readonly<Record<number, string>> = {
  400: 'Bad Request',
  401: 'Unauthorized',
  402: 'Payment Required',
  403: 'Forbidden',
  404: 'Not Found',
  405: 'Method Not Allowed',
  409: 'Conflict',
  410: 'Gone',
  413: 'Content Too Large',
  422: 'Unprocessable Entity',
  429: 'Too Many Requests',
  500: 'Internal Server Error',
  501: 'Not Implemented',
  503: 'Service Unavailable',
}

export function titleOf(status: number): string {
  const title = titles[status]
  if (title === undefined) throw new Error(`no refusal has status ${status}`)
  return title
}
