/** The request address of queue endpoints: submit, look, wait, stream, cancel. */
import type { TObject } from '@sinclair/typebox'
import * as Type from '@sinclair/typebox'
import {
  cancelJob,
  keepResult,
  purgeQueue,
  requireJob,
  retryJob,
} from '../../domain/serverless/jobs.ts'
import { takeChunks } from '../../domain/serverless/results.ts'
import { requireQueue, submitJob } from '../../domain/serverless/submit.ts'
import { invalidField } from '../../model/errors.ts'
import { endedStatuses } from '../../model/job.ts'
import type { RatedOperation } from '../../model/rates.ts'
import type { World } from '../../world/world.ts'
import { defineOperation, type Method, type Operation } from '../http/operation.ts'
import { ok, type Reply, type Waiting } from '../http/reply.ts'
import { limited } from './limits.ts'
import { toHealth, toJob } from './render.ts'
import { JobBody, TtlQuery, toSubmission, WaitQuery } from './schemas.ts'

// Spec: /runsync waits 90 seconds unless it is told otherwise.
const syncWaitMs = 90_000
// Observed: an empty stream is held for about 10 seconds; clients give up at exactly 10.
const streamWaitMs = 9_500

const tag = 'jobs'
const Endpoint = Type.Object({ endpointId: Type.String() })
const OneJob = Type.Object({ endpointId: Type.String(), jobId: Type.String() })
const job = { 200: { description: 'The job.', schema: Type.Object({ id: Type.String() }) } }

export function queueOperations(): Operation[] {
  const operations = [...submitOperations(), ...readOperations(), ...changeOperations()]
  return operations.map((operation) => {
    const limit = rated[operation.name]
    return limit === undefined ? operation : limited(operation, limit)
  })
}

/** Which limit an operation counts towards; those that are not here are not limited. */
const rated: Readonly<Record<string, RatedOperation>> = {
  run: 'run',
  runSync: 'runsync',
  status: 'status',
  statusPost: 'status',
  statusSync: 'status',
  statusSyncPost: 'status',
  stream: 'stream',
  streamPost: 'stream',
  cancel: 'cancel',
  purgeQueue: 'purge-queue',
}

function submitOperations(): Operation[] {
  const shared = { method: 'POST', tag, needs: 'write', params: Endpoint, body: JobBody } as const
  return [
    defineOperation({
      ...shared,
      name: 'run',
      path: '/v2/{endpointId}/run',
      summary: 'Puts a job in the queue and answers at once.',
      replies: job,
      handle: ({ world, params, body }) => {
        requireInput(body)
        const submission = toSubmission(body, false, world.settings.fidelity)
        const { id, status } = submitJob(world, params.endpointId, submission)
        return ok({ id, status })
      },
    }),
    defineOperation({
      ...shared,
      name: 'runSync',
      path: '/v2/{endpointId}/runsync',
      summary: 'Puts a job in the queue and waits for its result.',
      query: WaitQuery,
      replies: job,
      handle: ({ world, params, body, query }) => {
        requireInput(body)
        const submission = toSubmission(body, true, world.settings.fidelity)
        const { id } = submitJob(world, params.endpointId, submission)
        return untilEnded(world, params.endpointId, id, query.wait ?? syncWaitMs)
      },
    }),
  ]
}

function readOperations(): Operation[] {
  return [
    ...getAndPost('status', {
      path: '/v2/{endpointId}/status/{jobId}',
      summary: 'A job as it is now.',
      query: TtlQuery,
      handle: (world, { endpointId, jobId }, { ttl }) => {
        const found = requireJob(world, endpointId, jobId)
        return ok(toJob(ttl === undefined ? found : keepResult(world, found, ttl)))
      },
    }),
    ...getAndPost('statusSync', {
      path: '/v2/{endpointId}/status-sync/{jobId}',
      summary: 'A job once it has ended, or as it is when the wait is over.',
      query: WaitQuery,
      handle: (world, { endpointId, jobId }, { wait }) =>
        untilEnded(world, endpointId, jobId, wait ?? syncWaitMs),
    }),
    ...getAndPost('stream', {
      path: '/v2/{endpointId}/stream/{jobId}',
      summary: 'What a job streamed since the last call; waits for something new.',
      query: WaitQuery,
      handle: (world, { endpointId, jobId }, { wait }) =>
        untilStreamed(world, endpointId, jobId, wait ?? streamWaitMs),
    }),
    defineOperation({
      name: 'health',
      method: 'GET',
      path: '/v2/{endpointId}/health',
      summary: 'How many jobs and workers there are, by what they do.',
      tag,
      needs: 'read',
      params: Endpoint,
      replies: { 200: { description: 'Counts.' } },
      handle: ({ world, params }) => {
        world.endpoints.require(params.endpointId)
        return ok(toHealth(world, params.endpointId))
      },
    }),
  ]
}

function changeOperations(): Operation[] {
  return [
    defineOperation({
      name: 'cancel',
      method: 'POST',
      path: '/v2/{endpointId}/cancel/{jobId}',
      summary: 'Ends a job, waiting or running.',
      tag,
      needs: 'write',
      params: OneJob,
      replies: job,
      handle: ({ world, params }) => {
        requireQueue(world, params.endpointId)
        const found = requireJob(world, params.endpointId, params.jobId)
        return ok(toJob(cancelJob(world, found)))
      },
    }),
    defineOperation({
      name: 'retry',
      method: 'POST',
      path: '/v2/{endpointId}/retry/{jobId}',
      summary: 'Puts a job that failed or timed out in the queue again.',
      tag,
      needs: 'write',
      params: OneJob,
      replies: job,
      handle: ({ world, params }) => {
        requireQueue(world, params.endpointId)
        const found = requireJob(world, params.endpointId, params.jobId)
        const { id, status } = retryJob(world, found)
        return ok({ id, status })
      },
    }),
    defineOperation({
      name: 'purgeQueue',
      method: 'POST',
      path: '/v2/{endpointId}/purge-queue',
      summary: 'Takes every waiting job off the queue.',
      tag,
      needs: 'write',
      params: Endpoint,
      replies: { 200: { description: 'How many.' } },
      handle: ({ world, params }) => {
        requireQueue(world, params.endpointId)
        return ok({ removed: purgeQueue(world, params.endpointId), status: 'completed' })
      },
    }),
  ]
}

interface ReadDefinition {
  readonly path: string
  readonly summary: string
  readonly query: TObject
  readonly handle: (
    world: World,
    params: { readonly endpointId: string; readonly jobId: string },
    query: { readonly wait?: number; readonly ttl?: number },
  ) => Reply | Waiting
}

/** Observed: some clients read with GET and some with POST. */
function getAndPost(name: string, definition: ReadDefinition): Operation[] {
  const { path, summary, query, handle } = definition
  return (['GET', 'POST'] as const satisfies readonly Method[]).map((method) =>
    defineOperation({
      name: method === 'GET' ? name : `${name}Post`,
      method,
      path,
      summary,
      tag,
      needs: 'read',
      params: OneJob,
      query,
      replies: job,
      handle: ({ world, params, query: values }) => {
        requireQueue(world, params.endpointId)
        return handle(world, params, values)
      },
    }),
  )
}

function untilEnded(world: World, endpointId: string, jobId: string, limitMs: number): Waiting {
  const answer = () => {
    const found = requireJob(world, endpointId, jobId)
    return endedStatuses.has(found.status) ? ok(toJob(found)) : undefined
  }
  const otherwise = () => ok(toJob(requireJob(world, endpointId, jobId)))
  return { waitFor: jobId, limitMs, answer, otherwise }
}

function untilStreamed(world: World, endpointId: string, jobId: string, limitMs: number): Waiting {
  const drain = () => {
    const found = requireJob(world, endpointId, jobId)
    const stream = takeChunks(world, found).map((output) => ({ output }))
    return { status: found.status, stream }
  }
  const answer = () => {
    const found = requireJob(world, endpointId, jobId)
    const hasNews = found.chunks.length > found.chunksRead || endedStatuses.has(found.status)
    return hasNews ? ok(drain()) : undefined
  }
  return { waitFor: jobId, limitMs, answer, otherwise: () => ok(drain()) }
}

/** Spec: `input` has to be there. */
function requireInput(body: JobBody): void {
  if (!Object.hasOwn(body, 'input')) throw invalidField(['input'], "missing property 'input'")
}
