/** `/openai/...`: a call in OpenAI's form becomes a job, and what the job yields the answer. */
import * as Type from '@sinclair/typebox'
import { requireJob } from '../../domain/serverless/jobs.ts'
import { submitJob } from '../../domain/serverless/submit.ts'
import { endedStatuses, type Job } from '../../model/job.ts'
import type { World } from '../../world/world.ts'
import { type Context, defineOperation, type Operation } from '../http/operation.ts'
import type { Reply, Waiting } from '../http/reply.ts'
import { limited } from './limits.ts'
import { relayChunks } from './openai-relay.ts'
import { toOpenaiReply } from './openai-render.ts'

// Observed: the edge answers 524 when nothing came for about 100 seconds, as with a cold worker.
const edge = { waitMs: 100_000, status: 524 } as const

const shared = {
  path: '/v2/{endpointId}/openai/*',
  summary: 'Runs a call in the form of OpenAI’s API as a job, and answers with what comes of it.',
  tag: 'openai',
  replies: {
    200: { description: 'What the worker yields; server-sent events for `"stream": true`.' },
  },
} as const

type Call = Pick<Context<Readonly<Record<string, string>>, unknown, unknown>, 'params' | 'body'> &
  Pick<Context<unknown, unknown, unknown>, 'world' | 'watch'>

export function openaiOperations(): Operation[] {
  const operations = [
    defineOperation({
      ...shared,
      name: 'openaiPost',
      method: 'POST',
      needs: 'write',
      body: Type.Unknown(),
      bodyRequired: false,
      handle: (call) => answerCall(call),
    }),
    defineOperation({
      ...shared,
      name: 'openaiGet',
      method: 'GET',
      needs: 'read',
      handle: (call) => answerCall(call),
    }),
  ]
  return operations.map((operation) => limited(operation, 'openai'))
}

/** Assumed: the job goes on when its caller hangs up or is given up; it is kept as by /runsync. */
function answerCall({ world, params, body, watch }: Call): Waiting {
  const { endpointId = '', '*': path = '' } = params
  // Observed: what the worker finds in its input; a call without a body has a route only.
  const route = { openai_route: `/${path}` }
  const input = body === undefined ? route : { ...route, openai_input: body }
  const request = { input, sync: true, webhook: null, s3Config: undefined, policy: {} }
  const { id } = submitJob(world, endpointId, request)
  const answer = wantsStream(body)
    ? () => onceItStreams(world, requireJob(world, endpointId, id), watch)
    : () => onceItEnded(requireJob(world, endpointId, id))
  return { waitFor: id, limitMs: edge.waitMs, answer, otherwise: tookTooLong }
}

function onceItEnded(job: Job): Reply | undefined {
  return endedStatuses.has(job.status) ? toOpenaiReply(job) : undefined
}

/** A job that ends without a chunk is answered as if nobody had asked for a stream. */
function onceItStreams(world: World, job: Job, watch: Call['watch']): Reply | undefined {
  return job.chunks.length > 0 ? relayChunks(world, job, watch) : onceItEnded(job)
}

function wantsStream(body: unknown): boolean {
  return typeof body === 'object' && body !== null && 'stream' in body && body.stream === true
}

const tookTooLong = (): Reply => ({
  status: edge.status,
  headers: { 'content-type': 'text/plain; charset=UTF-8' },
  text: `error code: ${edge.status}`,
})
