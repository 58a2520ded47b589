/** What the end of a job means to the batch that it was submitted with. */
import { type Batch, type BatchResult, endedBatchesKept, hasEnded } from '../../model/batch.ts'
import type { Job } from '../../model/job.ts'
import type { World } from '../../world/world.ts'

/** Called with a job that has ended, or whose TTL has. */
export function noteJobEnd(world: World, job: Job): void {
  const request = job.batchId === null ? undefined : world.batchRequests.find(job.id)
  if (request === undefined) return
  const batch = world.batches.require(request.batchId)
  const result = resultOf(world, job)
  world.batchRequests.put({ ...request, result })
  settle(world, count(count(batch, request.result, -1), result, 1))
}

function resultOf(
  world: World,
  { status, output, error, startedAtMs, endedAtMs }: Job,
): BatchResult {
  const times = { startedAtMs, endedAtMs: endedAtMs ?? world.nowMs }
  if (status === 'IN_QUEUE' || status === 'IN_PROGRESS') {
    return { status: 'TIMED_OUT', output: undefined, error: 'job expired', ...times }
  }
  return { status, output, error, ...times }
}

/** A job that is retried ends once more: its earlier end no longer counts. */
function count(batch: Batch, result: BatchResult | null, by: 1 | -1): Batch {
  if (result === null) return batch
  return result.status === 'COMPLETED'
    ? { ...batch, completed: batch.completed + by }
    : { ...batch, failed: batch.failed + by }
}

function settle(world: World, batch: Batch): void {
  const isOver = batch.status === 'FINALIZED' && hasEnded(batch)
  if (!isOver) {
    world.batches.put(batch)
  } else if (batch.cancelling) {
    world.timeline.record('batch.cancelled', batch.id)
    world.batches.put({ ...batch, status: 'CANCELLED' })
  } else if (batch.completed === 0) {
    // Assumed: a batch has FAILED when none of its requests succeeded; no document says when.
    world.timeline.record('batch.failed', batch.id)
    world.batches.put({ ...batch, status: 'FAILED' })
  } else {
    world.timeline.record('batch.done', batch.id, { failed: batch.failed })
    world.batches.put(batch)
  }
  if (isOver) forgetOldest(world, batch.endpointId)
}

/** Only so many batches that are over stay readable; the oldest go first. */
export function forgetOldest(world: World, endpointId: string): void {
  const ended = world.batches.where((batch) => batch.endpointId === endpointId && hasEnded(batch))
  for (const batch of ended.slice(0, -endedBatchesKept)) forgetBatch(world, batch)
}

export function forgetBatch(world: World, { id, requestIds }: Batch): void {
  for (const requestId of requestIds) world.batchRequests.remove(requestId)
  world.batches.remove(id)
}
