/** How GraphQL says no: an error beside the data, and its code among the extensions. */
import type { GraphQLError } from 'graphql'
import { CloudError, type ErrorCode } from '../../model/errors.ts'
import { maskSecrets } from '../../model/masking.ts'
import type { World } from '../../world/world.ts'
import type { Operation } from '../http/operation.ts'
import type { Reply } from '../http/reply.ts'
import { usualStatuses } from '../http/statuses.ts'

// Observed: refusals of resolvers carry INTERNAL_SERVER_ERROR and a message that says what is wrong.
// Assumed: the other codes, in the words that Apollo servers use.
const extensionCodes = {
  invalid_request: 'BAD_USER_INPUT',
  rule_violation: 'BAD_USER_INPUT',
  unauthorized: 'UNAUTHENTICATED',
  forbidden: 'FORBIDDEN',
  not_found: 'INTERNAL_SERVER_ERROR',
  conflict: 'BAD_USER_INPUT',
  no_capacity: 'INTERNAL_SERVER_ERROR',
  no_free_gpus: 'INTERNAL_SERVER_ERROR',
  insufficient_balance: 'INTERNAL_SERVER_ERROR',
  payload_too_large: 'BAD_REQUEST',
  rate_limited: 'RATE_LIMITED',
  method_not_allowed: 'BAD_REQUEST',
  retired: 'GONE',
  internal_error: 'INTERNAL_SERVER_ERROR',
  not_emulated: 'NOT_IMPLEMENTED',
} as const satisfies Record<ErrorCode, string>

/** Statuses of refusals that come before any resolver runs. */
const statuses = {
  ...usualStatuses,
  conflict: 400,
  no_capacity: 400,
  no_free_gpus: 400,
  insufficient_balance: 400,
} satisfies typeof usualStatuses

export interface WireError {
  readonly message: string
  readonly locations?: GraphQLError['locations']
  readonly path?: GraphQLError['path']
  readonly extensions: { readonly code: string }
}

/** Observed: what a fault of the cloud's own says, and nothing else about it. */
const masked = 'Something went wrong. Please try again later or contact support.'

export function renderGraphqlError(
  error: CloudError,
  _operation: Operation | undefined,
  { settings }: World,
): Reply {
  if (error.code === 'unauthorized' && settings.fidelity.graphqlBadKey === '200') {
    const { extensions } = toWireError(error)
    return { status: 200, body: { errors: [{ message: 'Unauthorized', extensions }] } }
  }
  const allow = error.code === 'method_not_allowed' ? { headers: { allow: 'POST' } } : {}
  return { status: statuses[error.code], ...allow, body: { errors: [toWireError(error)] } }
}

export const renderGraphqlBug = (): Reply => ({
  status: 500,
  body: { errors: [{ message: masked, extensions: { code: 'INTERNAL_SERVER_ERROR' } }] },
})

/** A request that is refused as a whole. */
export function refuse(code: string, errors: readonly (GraphQLError | string)[]): Reply {
  const list = errors.map((error) =>
    typeof error === 'string'
      ? { message: error, extensions: { code } }
      : { message: maskSecrets(error.message), locations: error.locations, extensions: { code } },
  )
  return { status: 400, body: { errors: list } }
}

/** An error of one field. `reportBug` is told of what nobody threw on purpose. */
export function toFieldError(error: GraphQLError, reportBug: (bug: unknown) => void): WireError {
  const { locations, path, originalError } = error
  const place = { ...(locations && { locations }), ...(path && { path }) }
  if (originalError instanceof CloudError) {
    const { message, extensions } = toWireError(originalError)
    return { message, ...place, extensions }
  }
  // Arguments that do not fit their type are found out only when the field is resolved.
  // By name, because this file is read before the library is.
  if (originalError === undefined || originalError.name === 'GraphQLError') {
    return { message: maskSecrets(error.message), ...place, extensions: { code: 'BAD_USER_INPUT' } }
  }
  reportBug(originalError)
  return { message: masked, ...place, extensions: { code: 'INTERNAL_SERVER_ERROR' } }
}

/** Spec: a valid key without access gets 403, on every surface. Observed: any other refusal, 200. */
export function statusOf(errors: readonly GraphQLError[]): 200 | 403 {
  const isForbidden = ({ originalError }: GraphQLError) =>
    originalError instanceof CloudError && originalError.code === 'forbidden'
  return errors.some(isForbidden) ? 403 : 200
}

/** Observed: clients look for these codes to tell that it is gone already. */
function codeOf({ code, subject }: CloudError): string {
  if (code === 'not_found' && subject.resource === 'cluster') return 'Cluster not found'
  return extensionCodes[code]
}

function toWireError(error: CloudError): WireError {
  const { message, issues } = error
  const reasons = issues.map(({ path, message: reason }) => `${path.join('.')} ${reason}`.trim())
  return {
    message: maskSecrets([message, ...reasons].join('; ')),
    extensions: { code: codeOf(error) },
  }
}
