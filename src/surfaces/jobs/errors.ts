/** How the request address says no. */
import type { CloudError } from '../../model/errors.ts'
import type { Reply } from '../http/reply.ts'
import { titleOf, usualStatuses } from '../http/statuses.ts'

const statuses = { ...usualStatuses, payload_too_large: 400 } satisfies typeof usualStatuses

// Observed: these refusals are objects of their own.
const bare = new Set(['not allowed for QB API', 'affinity_worker_gone'])

export function renderJobError(error: CloudError): Reply {
  const status = statuses[error.code]
  const title = titleOf(status)
  if (bare.has(error.message)) return { status, body: { error: error.message } }
  const reasons = error.issues.map(({ path, message }) => [...path, message].join(': '))
  const detail = [error.message, ...reasons].join('; ')
  // Observed: 401 in this form. Assumed: the others, too.
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
  body: { status: 500, title: titleOf(500), detail: 'internal error' },
})
