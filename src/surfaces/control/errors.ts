/** How the control API says no: the same problem objects as REST v2. */
import type { CloudError } from '../../model/errors.ts'
import type { Reply } from '../http/reply.ts'
import { titleOf, usualStatuses } from '../http/statuses.ts'

const statuses = {
  ...usualStatuses,
  invalid_request: 422,
  no_capacity: 400,
  no_free_gpus: 400,
} satisfies typeof usualStatuses

export function renderControlError(error: CloudError): Reply {
  const status = statuses[error.code]
  const title = titleOf(status)
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
    title: titleOf(500),
    status: 500,
    detail: 'a bug in compute-emulator; its log says more',
  },
})
