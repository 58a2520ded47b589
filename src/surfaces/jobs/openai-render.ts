/** What came of a job, as a caller in OpenAI's form expects to read it. */
import type { Job } from '../../model/job.ts'
import { ok, type Reply } from '../http/reply.ts'

/** `job` has ended. */
export function toOpenaiReply({ status, output, error }: Job): Reply {
  if (status === 'COMPLETED') return ok(soleOutput(output) ?? null)
  // Assumed: the status; that the worker's error becomes an error in OpenAI's form is, too.
  const message = error ?? `the job is ${status}`
  return { status: 500, body: { error: { message, type: 'worker_error', code: null } } }
}

/** Observed: a worker that yields returns a list of all it yielded, which here is one object. */
function soleOutput(output: unknown): unknown {
  return Array.isArray(output) && output.length === 1 ? output[0] : output
}

/** Observed: a streaming worker yields text as it comes off its own socket, cut anywhere. */
export function toChunkText(chunk: unknown): string {
  return typeof chunk === 'string' ? chunk : JSON.stringify(chunk)
}
