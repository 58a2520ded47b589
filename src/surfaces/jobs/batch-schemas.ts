/** What callers send about batches. */
import type { Static } from '@sinclair/typebox'
import * as Type from '@sinclair/typebox'
import type { Submission } from '../../domain/serverless/submit.ts'
import { CloudError } from '../../model/errors.ts'
import type { Fidelity } from '../../model/fidelity.ts'
import { JobBody, toSubmission } from './schemas.ts'

// Spec: 10 MiB in one call.
const callLimitBytes = 10 * 1_048_576

/** A request of a batch is submitted as to /run. Spec: `input` has to be there. */
const BatchItem = Type.Object({ ...JobBody.properties, input: Type.Unknown() })

export const BatchBody = Type.Array(BatchItem)
export const RequestsBody = Type.Object({ requests: Type.Array(BatchItem) })

// Assumed: `name` is the display name; the documents only say that there is one.
export const AttributesBody = Type.Object(
  { name: Type.String({ minLength: 1, maxLength: 191 }) },
  { additionalProperties: false },
)

// Spec: 50 unless it is told otherwise. Assumed: at most 1 000.
export const PageQuery = Type.Object({
  offset: Type.Integer({ minimum: 0, default: 0 }),
  limit: Type.Integer({ minimum: 1, maximum: 1_000, default: 50 }),
})

export function toSubmissions(
  items: readonly Static<typeof BatchItem>[],
  fidelity: Fidelity,
): Submission[] {
  return items.map((item) => toSubmission(item, false, fidelity))
}

/** The surface's own limit is the largest of its operations'. */
export function requireSmall(text: string | undefined): void {
  if (Buffer.byteLength(text ?? '') > callLimitBytes) {
    throw new CloudError('payload_too_large', 'requests are added at most 10 MiB at a time')
  }
}
