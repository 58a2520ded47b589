/** How v1 says no: one message, and few statuses. */
import * as Type from '@sinclair/typebox'
import type { CloudError, Issue } from '../../model/errors.ts'
import type { World } from '../../world/world.ts'
import type { Operation, ReplyShape } from '../http/operation.ts'
import type { Reply } from '../http/reply.ts'
import { usualStatuses } from '../http/statuses.ts'

const statuses = {
  ...usualStatuses,
  // Assumed: the documents give actions 400 and 401 only.
  conflict: 400,
  // Observed: running out of stock or money is a 500.
  no_capacity: 500,
  no_free_gpus: 500,
  insufficient_balance: 500,
  // Assumed: what answers after the retirement is not known; a client's author expects this.
  retired: 410,
} satisfies typeof usualStatuses

const ErrorBody = Type.Object({ message: Type.String() })

const refusal = (description: string): ReplyShape => ({ description, schema: ErrorBody })

/** What every operation that needs a key may answer instead. */
export const refusals: Readonly<Record<number, ReplyShape>> = {
  400: refusal('The request is malformed, or a rule says no.'),
  401: refusal('There is no key, or one that opens nothing.'),
  403: refusal('The key does not allow this.'),
  410: refusal('REST v1 is retired.'),
}

/** For operations on one resource. */
export const refusalsOfOne: Readonly<Record<number, ReplyShape>> = {
  ...refusals,
  404: refusal('There is no such resource.'),
}

/** For operations that rent something. */
export const refusalsOfRent: Readonly<Record<number, ReplyShape>> = {
  ...refusalsOfOne,
  500: refusal('There is nothing to rent, or nothing to pay for it.'),
}

export function renderV1Error(
  error: CloudError,
  operation: Operation | undefined,
  world: World,
): Reply {
  const status = statuses[error.code]
  const text = messageOf(error, operation)
  const allow =
    error.code === 'method_not_allowed' ? { headers: { allow: error.subject.id ?? '' } } : {}
  // Spec: {"message"}. Observed: {"error", "status"}.
  const isMessage = world.settings.fidelity.v1ErrorBody === 'message'
  return { status, ...allow, body: isMessage ? { message: text } : { error: text, status } }
}

export const renderV1Bug = (): Reply => ({ status: 500, body: { message: 'internal error' } })

function messageOf(
  { code, message, issues }: CloudError,
  operation: Operation | undefined,
): string {
  const place = operation?.method === 'GET' ? 'query' : 'body'
  if (issues.length > 0) {
    return [...new Set(issues.map((issue) => reasonOf(issue, place)))].join('; ')
  }
  // Observed: "create pod: " before a stock-out, and these words after it.
  const doing = operation === undefined ? '' : `${words(operation.name)}: `
  if (code === 'no_capacity') return `${doing}There are no instances currently available.`
  if (code === 'no_free_gpus' || code === 'insufficient_balance') return `${doing}${message}`
  return message
}

/** Observed: the words for unknown keys and for enums. Assumed: the others, in the same manner. */
function reasonOf({ path, rule, message }: Issue, place: string): string {
  const at = [place, ...path].join('/')
  if (rule === 'additionalProperties') return `Extra input keys provided in request ${place}`
  if (rule === 'enum') return `${at} must be one of the allowed values`
  if (rule === 'required') return `${at} is ${message}`
  if (rule === 'value' && path.length === 0) return message
  return `${at} ${message.replace(/^value /, '')}`
}

/** `CreatePod` as `create pod`, and both forms of a change alike. */
function words(operationName: string): string {
  return operationName
    .replace(/ByPost$/, '')
    .replace(/\B[A-Z]/g, (letter) => ` ${letter}`)
    .toLowerCase()
}
