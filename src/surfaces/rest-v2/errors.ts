/** How v2 says no: RFC 9457 problems. The only file that knows where its statuses are its own. */
import type { CloudError, Issue } from '../../model/errors.ts'
import { noToken } from '../http/access.ts'
import type { Reply } from '../http/reply.ts'
import { titleOf, usualStatuses } from '../http/statuses.ts'

const statuses = {
  ...usualStatuses,
  invalid_request: 422,
  // Observed: missing capacity is a plain 400.
  no_capacity: 400,
  no_free_gpus: 400,
} satisfies typeof usualStatuses

export function renderProblem(error: CloudError): Reply {
  const status = statuses[error.code]
  const title = titleOf(status)
  const detail = detailOf(error)
  const errors = error.issues.map(toText)
  return {
    status,
    headers: { 'content-type': 'application/problem+json', ...headersOf(error) },
    body: { title, status, detail, ...(errors.length === 0 ? {} : { errors }) },
  }
}

export const renderBug = (): Reply => ({
  status: 500,
  headers: { 'content-type': 'application/problem+json' },
  body: { title: titleOf(500), status: 500, detail: 'internal error' },
})

/** Where v2 has words of its own. */
function detailOf({ code, message, issues }: CloudError): string {
  // Observed: these words beside a list, and a sentence where there is none.
  if (code === 'invalid_request' && issues.length > 0) return 'Request validation failed.'
  if (code === 'method_not_allowed') return 'The requested method is not allowed for this path.'
  // Spec: the one example of a 401.
  return code === 'unauthorized' && message === noToken().message ? 'missing bearer token' : message
}

function headersOf({ code, subject }: CloudError): Record<string, string> {
  if (code === 'method_not_allowed') return { allow: subject.id ?? '' }
  if (code === 'rate_limited') return { 'retry-after': String(subject.retryAfterSeconds ?? 1) }
  return {}
}

/** Observed: `$.mounts.network[0]: missing property 'path'`. */
function toText({ path, message, type }: Issue): string {
  const where = path.map((part) => (/^\d+$/.test(part) ? `[${part}]` : `.${part}`)).join('')
  // Observed: `$: got string, want object`.
  return `$${where}: ${type === undefined ? message : `got ${type.got}, want ${type.want}`}`
}
