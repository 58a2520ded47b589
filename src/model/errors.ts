/** How the cloud refuses. A refusal is the caller's to act on; anything else thrown is a bug. */

export const errorCodes = [
  /** The request does not have the shape its operation asks for. */
  'invalid_request',
  /** The shape is right, and a rule between fields or resources says no. */
  'rule_violation',
  'unauthorized',
  'forbidden',
  'not_found',
  /** The resource's present state does not allow it. */
  'conflict',
  /** No data center has what was asked for. */
  'no_capacity',
  /** A stopped pod's own host has no free GPU left. */
  'no_free_gpus',
  'insufficient_balance',
  'payload_too_large',
  'rate_limited',
  'method_not_allowed',
  /** The surface is no more; another has taken its place. */
  'retired',
  /** Something went wrong on the cloud's side; the emulator says so only when a fault makes it. */
  'internal_error',
  /** The contract has this operation and the emulator does not, yet. */
  'not_emulated',
] as const
export type ErrorCode = (typeof errorCodes)[number]

/** One thing wrong with a request: where, which rule, and the sentence that says so. */
export interface Issue {
  /** Where, from the top of the body: `['gpu', 'count']`. Empty for the whole. */
  readonly path: readonly string[]
  /** The JSON Schema keyword that failed: `required`, `enum`, `type`. */
  readonly rule: string
  readonly message: string
  /** For the rule `type`, in the words of JSON Schema. */
  readonly type?: { readonly got: string; readonly want: string }
}

export interface ErrorSubject {
  /** What it was about, in the words of the model: `pod`, `endpoint`. */
  readonly resource?: string
  readonly id?: string
  /** For `rate_limited`: whole seconds until there is room again. */
  readonly retryAfterSeconds?: number
}

export class CloudError extends Error {
  override readonly name = 'CloudError'
  readonly code: ErrorCode
  readonly subject: ErrorSubject
  readonly issues: readonly Issue[]

  constructor(
    code: ErrorCode,
    message: string,
    subject: ErrorSubject = {},
    issues: readonly Issue[] = [],
  ) {
    super(message)
    this.code = code
    this.subject = subject
    this.issues = issues
  }
}

export const invalidRequest = (issues: readonly Issue[]): CloudError =>
  new CloudError('invalid_request', 'request validation failed', {}, issues)

/** A wrong value that no schema can see, reported as if one had. */
export const invalidField = (path: readonly string[], message: string): CloudError =>
  invalidRequest([{ path, rule: 'value', message }])

export const ruleViolation = (message: string): CloudError =>
  new CloudError('rule_violation', message)

export const notFound = (resource: string, id: string): CloudError =>
  new CloudError('not_found', `${resource} not found`, { resource, id })

export const conflict = (message: string): CloudError => new CloudError('conflict', message)

export const actionNotAllowed = (resource: string, action: string, status: string): CloudError =>
  new CloudError('conflict', `cannot ${action} a ${resource} that is ${status}`, { resource })

/** Observed: the words of GraphQL and REST v2 (runpodctl#189, and a v2 body of 2026-08-20). */
export const noCapacity = (): CloudError =>
  new CloudError(
    'no_capacity',
    'There are no longer any instances available with the requested specifications. Please refresh and try again.',
  )

/** Observed: the same words on every surface (runpod-python#168). */
export const noFreeGpus = (podId: string): CloudError =>
  new CloudError(
    'no_free_gpus',
    'There are not enough free GPUs on the host machine to start this pod.',
    { resource: 'pod', id: podId },
  )

/** Observed: REST v1 and GraphQL, and REST v2's 402. */
export const insufficientBalance = (): CloudError =>
  new CloudError(
    'insufficient_balance',
    'Your account balance is too low to rent a pod. Please add funds to your account.',
  )

export const forbidden = (): CloudError => new CloudError('forbidden', 'access denied')

/** `retryAfterMs`: when there is room again. */
export const rateLimited = (operation: string, retryAfterMs: number): CloudError =>
  new CloudError('rate_limited', `rate limit exceeded for ${operation}`, {
    retryAfterSeconds: Math.max(1, Math.ceil(retryAfterMs / 1_000)),
  })

export const notEmulated = (operation: string): CloudError =>
  new CloudError(
    'not_emulated',
    `${operation} is part of the cloud and compute-emulator does not emulate it yet`,
  )
