/** What callers send to the request address. */
import type { Static } from '@sinclair/typebox'
import * as Type from '@sinclair/typebox'
import type { Submission } from '../../domain/serverless/submit.ts'
import type { Fidelity } from '../../model/fidelity.ts'

/** Spec: 5 seconds to 7 days; 0 for no limit at all. */
const ExecutionTimeout = Type.Integer({ minimum: 0, maximum: 604_800_000 })
/** Spec: 10 seconds to 7 days. */
const Ttl = Type.Integer({ minimum: 10_000, maximum: 604_800_000 })

const WebAddress = Type.String({ pattern: '^https?://' })

/** Anything else at the top is left alone: the documents say that it is discarded. */
export const JobBody = Type.Object({
  input: Type.Optional(Type.Unknown({ description: 'What the handler gets.' })),
  webhook: Type.Optional(
    Type.Union([WebAddress, Type.Null()], { description: 'Told once the job has ended.' }),
  ),
  webhookV2: Type.Optional(
    Type.Union([WebAddress, Type.Null()], {
      description: 'Told as well, where the fidelity switch of this name says so.',
    }),
  ),
  policy: Type.Optional(
    Type.Union([
      Type.Object({
        executionTimeout: Type.Optional(ExecutionTimeout),
        ttl: Type.Optional(Ttl),
        lowPriority: Type.Optional(Type.Boolean()),
      }),
      Type.Null(),
    ]),
  ),
  s3Config: Type.Optional(Type.Unknown({ description: 'Passed on to the worker.' })),
})
export type JobBody = Static<typeof JobBody>

/** Milliseconds. Spec: 1 000 to 300 000. */
export const WaitQuery = Type.Object({
  wait: Type.Optional(Type.Integer({ minimum: 0, maximum: 300_000 })),
})
/** Milliseconds that the result is kept from now on. */
export const TtlQuery = Type.Object({ ttl: Type.Optional(Type.Integer({ minimum: 0 })) })

export function toSubmission(body: JobBody, sync: boolean, fidelity: Fidelity): Submission {
  const submission = {
    input: isEmpty(body.input) && fidelity.emptyInput === 'drop' ? undefined : body.input,
    sync,
    webhook: body.webhook ?? null,
    s3Config: body.s3Config,
    policy: toPolicy(body.policy),
  }
  const { webhookV2 } = body
  const isSecond = webhookV2 != null && fidelity.webhookV2 === 'delivered'
  return isSecond ? { ...submission, webhookV2 } : submission
}

/** What most jobs say of it. */
const nothingSaid: Submission['policy'] = {}

function toPolicy(policy: JobBody['policy']): Submission['policy'] {
  if (policy == null) return nothingSaid
  const { executionTimeout, ttl, lowPriority } = policy
  return {
    ...(executionTimeout === undefined ? {} : { executionTimeoutMs: executionTimeout }),
    ...(ttl === undefined ? {} : { ttlMs: ttl }),
    ...(lowPriority === undefined ? {} : { lowPriority }),
  }
}

function isEmpty(input: unknown): boolean {
  return typeof input === 'object' && input !== null && Object.keys(input).length === 0
}
