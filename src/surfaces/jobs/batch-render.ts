/** Batches as the request address spells them. Instants are milliseconds since 1970. */
import type { Batch, BatchRequest } from '../../model/batch.ts'
import { endedStatuses, type JobStatus } from '../../model/job.ts'
import type { World } from '../../world/world.ts'

export function toBatch(world: World, batch: Batch): Record<string, unknown> {
  const { id, endpointId, name, status, requestIds, completed, failed, createdAtMs } = batch
  return {
    id,
    ...(name === null ? {} : { name }),
    endpointId,
    status,
    requestTotal: requestIds.length,
    requestInProgress: requestIds.filter((id) => isRunning(world, id)).length,
    requestCompleted: completed,
    requestFailed: failed,
    createdAt: createdAtMs,
  }
}

const isRunning = (world: World, id: string): boolean =>
  world.jobs.find(id)?.status === 'IN_PROGRESS'

export function toRequestPage(
  world: World,
  { requestIds }: Batch,
  { offset, limit }: { readonly offset: number; readonly limit: number },
): Record<string, unknown> {
  const all = requestIds.map((id) => toProgress(world, world.batchRequests.require(id)))
  const sorted = all.sort((left, right) => ranks[left.status] - ranks[right.status])
  const total = all.length
  const requests = sorted.slice(offset, offset + limit)
  return { requests, total, offset, limit, hasMore: offset + limit < total }
}

/** Spec: failed, in progress, queued, completed. Assumed: cancelled ones come last. */
const ranks: Readonly<Record<JobStatus, number>> = {
  FAILED: 0,
  TIMED_OUT: 0,
  IN_PROGRESS: 1,
  IN_QUEUE: 2,
  COMPLETED: 3,
  CANCELLED: 4,
}

interface Progress {
  readonly id: string
  readonly status: JobStatus
  readonly output?: unknown
  readonly error?: string
  readonly startedAt?: number
  readonly completedAt?: number
}

/** Assumed: a draft's requests are shown as waiting, too. */
function toProgress(world: World, { id, result }: BatchRequest): Progress {
  const job = world.jobs.find(id)
  if (job !== undefined && !endedStatuses.has(job.status)) {
    const started = job.status === 'IN_PROGRESS' && job.startedAtMs !== null
    return { id, status: job.status, ...(started ? { startedAt: job.startedAtMs } : {}) }
  }
  if (result === null) return { id, status: 'IN_QUEUE' }
  const { status, output, error, startedAtMs, endedAtMs } = result
  return {
    id,
    status,
    ...(output === undefined ? {} : { output }),
    ...(error === null ? {} : { error }),
    ...(startedAtMs === null ? {} : { startedAt: startedAtMs }),
    completedAt: endedAtMs,
  }
}
