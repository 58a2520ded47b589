/** What faults do to a request: to the world it finds, and to the answer it gets. */
import {
  CloudError,
  type ErrorCode,
  type ErrorSubject,
  forbidden,
  insufficientBalance,
  noCapacity,
  noFreeGpus,
} from '../../model/errors.ts'
import { type EffectAt, occasions } from '../../model/fault.ts'
import type { World } from '../../world/world.ts'
import { perform } from './effects.ts'
import { type Happening, type Hit, strike } from './strike.ts'

/** A hit that its caller notices. */
export interface AnswerHit {
  readonly faultId: string
  readonly effect: EffectAt<'request'>
  /** For a delay: how long this one is, in ms. */
  readonly delayMs: number
}

/**
 * Strikes with every fault that the request matches. Of those that decide its answer the first one
 * takes it, and later ones do not see it. What the rest do to the world is done.
 */
export function strikeRequest(world: World, happening: Happening): AnswerHit[] {
  const hits = strike(world, 'request', happening, (hit) => !decides(hit))
  return hits.flatMap((hit) => {
    const { faultId, effect } = hit
    if (occasions[effect.kind] === 'request') {
      return [{ faultId, effect, delayMs: delayOf(world, hit) }]
    }
    const { cause } = world.timeline
    world.timeline.follow(hit.entry)
    perform(world, world.faults.require(faultId).rule)
    world.timeline.follow(cause)
    return []
  })
}

/** The effect is all that there is to the answer, or it breaks it. */
function decides({ effect }: Hit<'request'>): boolean {
  const { kind } = effect
  return kind !== 'delay' && occasions[kind] === 'request'
}

function delayOf(world: World, { faultId, effect }: Hit<'request'>): number {
  if (effect.kind !== 'delay') return 0
  return Math.round(world.random.stream(`faults/${faultId}`).duration(effect.ms))
}

/** The refusal that the cloud gives with a code, in other words where the fault has some. */
export function refusalOf({ code, message }: { code: ErrorCode; message?: string }): CloudError {
  const usual = usualRefusals[code]
  const { subject } = usual
  return message === undefined ? usual : new CloudError(code, message, subject)
}

const plain = (code: ErrorCode, message: string, subject: ErrorSubject = {}): CloudError =>
  new CloudError(code, message, subject)

/** Assumed: the words of those that stand here. */
const usualRefusals: Readonly<Record<ErrorCode, CloudError>> = {
  invalid_request: plain('invalid_request', 'request validation failed'),
  rule_violation: plain('rule_violation', 'the request cannot be carried out'),
  unauthorized: plain('unauthorized', 'invalid api key'),
  forbidden: forbidden(),
  not_found: plain('not_found', 'not found'),
  conflict: plain('conflict', 'the present state does not allow this'),
  no_capacity: noCapacity(),
  no_free_gpus: noFreeGpus(''),
  insufficient_balance: insufficientBalance(),
  payload_too_large: plain('payload_too_large', 'the body is too large'),
  rate_limited: plain('rate_limited', 'rate limit exceeded', { retryAfterSeconds: 1 }),
  method_not_allowed: plain('method_not_allowed', 'this path does not take this method'),
  retired: plain('retired', 'this is no more; another surface has taken its place'),
  // Observed: what GraphQL says of a failure of its own. Assumed: so do the others.
  internal_error: plain(
    'internal_error',
    'Something went wrong. Please try again later or contact support.',
  ),
  not_emulated: plain('not_emulated', 'this operation is not emulated'),
}
