/** What the request address keeps of what a worker hands back: results and chunks have limits. */
import type { Job } from '../../model/job.ts'
import type { World } from '../../world/world.ts'

const mebibyte = 1_048_576
// Spec: a result may be as large as a request of its kind: 10 MB for /run, 20 MB for /runsync.
const resultLimitBytes = { run: 10 * mebibyte, runSync: 20 * mebibyte } as const
// Spec: a chunk of a stream is at most 1 MB, and larger ones are split.
const chunkLimitBytes = mebibyte

/**
 * Whether the platform takes a result of this size. Observed: one that is too large is refused, and
 * its job ends as COMPLETED with no output at all; only the worker's log knows why.
 */
export function acceptsResult(world: World, job: Job, output: unknown): boolean {
  if (!world.settings.limits || output === undefined) return true
  const limit = job.request.sync ? resultLimitBytes.runSync : resultLimitBytes.run
  return Buffer.byteLength(JSON.stringify(output)) <= limit
}

/** Observed: the worker's own words when its result is refused. */
export const refusedResultLine = "Failed to return job results. | 400, message='Bad Request'"

/** The chunk itself, or its parts. Assumed: what is not a text is cut up as the text of its JSON. */
export function splitChunk(world: World, output: unknown): readonly unknown[] {
  if (!world.settings.limits || output === undefined) return [output]
  const bytes = Buffer.from(typeof output === 'string' ? output : JSON.stringify(output))
  if (bytes.length <= chunkLimitBytes) return [output]
  const parts: string[] = []
  for (let start = 0; start < bytes.length; ) {
    const end = characterStart(bytes, Math.min(start + chunkLimitBytes, bytes.length))
    parts.push(bytes.toString('utf8', start, end))
    start = end
  }
  return parts
}

/** The nearest place at or before `at` where a character begins, so that no part ends inside one. */
function characterStart(bytes: Buffer, at: number): number {
  let place = at
  while (place < bytes.length && ((bytes[place] ?? 0) & 0b1100_0000) === 0b1000_0000) place -= 1
  return place
}

/** Chunks that no caller has fetched yet; they are handed out once. */
export function takeChunks(world: World, job: Job): readonly unknown[] {
  const fresh = job.chunks.slice(job.chunksRead)
  if (fresh.length > 0) world.jobs.put({ ...job, chunksRead: job.chunks.length })
  return fresh
}
