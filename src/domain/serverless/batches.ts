/** What can be done to batches: collect requests, let them loose, call them back. */
import {
  type Batch,
  type BatchRequest,
  type BatchStatus,
  type BatchStep,
  batchLimits,
  batchTransitions,
  hasEnded,
} from '../../model/batch.ts'
import { actionNotAllowed, conflict, notFound, ruleViolation } from '../../model/errors.ts'
import { nextStatus } from '../../model/transitions.ts'
import type { World } from '../../world/world.ts'
import { forgetBatch, forgetOldest } from './batch-progress.ts'
import { cancelJob } from './jobs.ts'
import { newJobId, requireQueue, type Submission, submitJob } from './submit.ts'

export function createBatch(
  world: World,
  endpointId: string,
  submissions: readonly Submission[],
): Batch {
  requireQueue(world, endpointId)
  const active = world.batches.where((batch) => batch.endpointId === endpointId && !hasEnded(batch))
  if (active.length >= batchLimits.activePerEndpoint) {
    throw ruleViolation(`an endpoint has at most ${batchLimits.activePerEndpoint} active batches`)
  }
  requireRoom(submissions.length)
  const id = `batch_${world.ids.next('batch')}`
  world.timeline.record('batch.created', id, { endpointId, requests: submissions.length })
  const empty: Batch = {
    id,
    endpointId,
    name: null,
    status: 'DRAFT',
    createdAtMs: world.nowMs,
    requestIds: [],
    completed: 0,
    failed: 0,
    cancelling: false,
  }
  return append(world, empty, submissions)
}

/** Spec: only while it is a draft. */
export function addRequests(world: World, batch: Batch, submissions: readonly Submission[]): Batch {
  requireDraft(batch, 'add requests to')
  requireRoom(batch.requestIds.length + submissions.length)
  world.timeline.record('batch.requests-added', batch.id, { requests: submissions.length })
  return append(world, batch, submissions)
}

/** Spec: only while it is a draft. */
export function removeRequest(world: World, batch: Batch, requestId: string): Batch {
  requireDraft(batch, 'remove a request from')
  const request = requireRequest(world, batch, requestId)
  world.timeline.record('batch.request-removed', batch.id, { requestId })
  world.batchRequests.remove(request.id)
  const requestIds = batch.requestIds.filter((id) => id !== requestId)
  return world.batches.put({ ...batch, requestIds })
}

export function renameBatch(world: World, batch: Batch, name: string): Batch {
  world.timeline.record('batch.renamed', batch.id)
  return world.batches.put({ ...batch, name })
}

/** Spec: locks the batch. Assumed: and puts its requests in the queue, all of them at once. */
export function finalizeBatch(world: World, batch: Batch): Batch {
  const { id, endpointId, requestIds } = batch
  const status = statusAfter(batch, 'finalize')
  if (requestIds.length === 0) throw ruleViolation('a batch without requests cannot be finalized')
  const queued = world.queues.of(endpointId).jobs.IN_QUEUE
  if (queued + requestIds.length > batchLimits.queuedPerEndpoint) {
    const limit = batchLimits.queuedPerEndpoint
    throw ruleViolation(`an endpoint has at most ${limit} queued requests; ${queued} are waiting`)
  }
  world.timeline.record('batch.finalized', id, { requests: requestIds.length })
  world.batches.put({ ...batch, status })
  for (const jobId of requestIds) {
    const { submission } = world.batchRequests.require(jobId)
    submitJob(world, endpointId, submission, { batchId: id, jobId })
  }
  return world.batches.require(id)
}

/** Spec: what waits is cancelled at once, what runs may finish, and then the batch is CANCELLED. */
export function cancelBatch(world: World, batch: Batch): Batch {
  const status = statusAfter(batch, 'cancel')
  if (batch.status === 'DRAFT') return cancelDraft(world, { ...batch, status })
  if (hasEnded(batch)) throw conflict('every request of this batch has ended')
  if (batch.cancelling) return batch
  world.timeline.record('batch.cancelling', batch.id)
  world.batches.put({ ...batch, cancelling: true })
  for (const id of batch.requestIds) {
    const job = world.jobs.find(id)
    if (job?.status === 'IN_QUEUE') cancelJob(world, job)
  }
  return world.batches.require(batch.id)
}

/** The endpoint is gone. */
export function forgetBatches(world: World, endpointId: string): void {
  for (const batch of world.batches.where((batch) => batch.endpointId === endpointId)) {
    forgetBatch(world, batch)
  }
}

/** The batch, if it belongs to the endpoint; a `not_found` refusal otherwise. */
export function requireBatch(world: World, endpointId: string, batchId: string): Batch {
  requireQueue(world, endpointId)
  const batch = world.batches.find(batchId)
  if (batch?.endpointId !== endpointId) throw notFound('batch', batchId)
  return batch
}

function requireRequest(world: World, batch: Batch, requestId: string): BatchRequest {
  const request = world.batchRequests.find(requestId)
  if (request?.batchId !== batch.id) throw notFound('request', requestId)
  return request
}

function requireDraft({ status }: Batch, action: string): void {
  if (status !== 'DRAFT') throw actionNotAllowed('batch', action, status)
}

function requireRoom(requests: number): void {
  const limit = batchLimits.requestsPerBatch
  if (requests > limit) throw ruleViolation(`a batch has at most ${limit} requests`)
}

function statusAfter({ status }: Batch, step: BatchStep): BatchStatus {
  const next = nextStatus<BatchStatus, BatchStep>(batchTransitions, status, step)
  if (next === undefined) throw actionNotAllowed('batch', step, status)
  return next
}

function append(world: World, batch: Batch, submissions: readonly Submission[]): Batch {
  const endpoint = world.endpoints.require(batch.endpointId)
  const ids = submissions.map((submission) => {
    const id = newJobId(world, endpoint, false)
    return world.batchRequests.put({ id, batchId: batch.id, submission, result: null }).id
  })
  return world.batches.put({ ...batch, requestIds: [...batch.requestIds, ...ids] })
}

function cancelDraft(world: World, batch: Batch): Batch {
  world.timeline.record('batch.cancelled', batch.id)
  const result = {
    status: 'CANCELLED',
    output: undefined,
    error: null,
    startedAtMs: null,
    endedAtMs: world.nowMs,
  } as const
  for (const id of batch.requestIds) {
    world.batchRequests.put({ ...world.batchRequests.require(id), result })
  }
  const cancelled = world.batches.put({ ...batch, failed: batch.requestIds.length })
  forgetOldest(world, batch.endpointId)
  return cancelled
}
