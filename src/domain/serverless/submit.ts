/** Takes a job in: checks it, puts it in the queue, and sees whether somebody is free to run it. */

import type { Endpoint, EndpointSpec } from '../../model/endpoint.ts'
import { ruleViolation } from '../../model/errors.ts'
import type { Job, JobPolicy, JobRequest } from '../../model/job.ts'
import type { World } from '../../world/world.ts'
import { dispatch } from './dispatch.ts'
import { putJob } from './job-timer.ts'
import { scaleEndpoint } from './scaling.ts'
import { noteRequest } from './usage.ts'

// Spec: results of /run are kept for 30 minutes, those of /runsync for one.
const retention = { runMs: 1_800_000, runSyncMs: 60_000 }
// Spec: from submission, 24 hours unless the job says otherwise.
const defaultTtlMs = 86_400_000

/** What a caller submits; what it leaves out is the endpoint's or the platform's to say. */
export interface Submission extends Omit<JobRequest, 'policy'> {
  readonly policy: Partial<JobPolicy>
}

/** Where a job comes from, when it comes from a batch. */
export interface BatchOrigin {
  readonly batchId: string
  /** The job's id, which the batch has given out before. */
  readonly jobId: string
}

export function submitJob(
  world: World,
  endpointId: string,
  submission: Submission,
  origin: BatchOrigin | null = null,
): Job {
  const endpoint = requireQueue(world, endpointId)
  noteRequest(world, endpointId)
  const id = origin?.jobId ?? newJobId(world, endpoint, submission.sync)
  world.timeline.record('job.submitted', id, { endpointId })
  const job = putJob(world, {
    id,
    // The endpoint's own text, which all its jobs share, and not that of the request.
    endpointId: endpoint.id,
    batchId: origin?.batchId ?? null,
    request: toRequest(submission, completePolicy(endpoint, submission.policy)),
    status: 'IN_QUEUE',
    submittedAtMs: world.nowMs,
    queuedAtMs: world.nowMs,
    startedAtMs: null,
    endedAtMs: null,
    workerId: null,
    retries: 0,
    output: undefined,
    error: null,
    chunks: noChunks,
    chunksRead: 0,
    run: null,
    retentionMs: submission.sync ? retention.runSyncMs : retention.runMs,
    timer: null,
  })
  dispatch(world, endpointId)
  scaleEndpoint(world, endpointId)
  return job
}

/** Named one by one: a rest and a spread would make an object of twice the size. */
function toRequest(submission: Submission, policy: JobPolicy): JobRequest {
  const { input, sync, webhook, webhookV2, s3Config } = submission
  const request = { input, sync, webhook, s3Config, policy }
  return webhookV2 === undefined ? request : { ...request, webhookV2 }
}

/** Observed: jobs of public endpoints have a region tag of their own. */
export function newJobId(world: World, endpoint: Endpoint, sync: boolean): string {
  return world.ids.job(sync, endpoint.public ? 'u2' : 'u1')
}

/** The endpoint, if it has a queue. */
export function requireQueue(world: World, endpointId: string): Endpoint {
  const endpoint = world.endpoints.require(endpointId)
  // Observed: the words for a queue operation on a load-balancing endpoint, and the reverse.
  if (endpoint.spec.type !== 'QUEUE') throw ruleViolation('not allowed for QB API')
  return endpoint
}

const noChunks: readonly unknown[] = []

/** What jobs of an endpoint have that say nothing themselves: one object for all of them. */
const plainPolicies = new WeakMap<EndpointSpec, JobPolicy>()

function completePolicy({ spec }: Endpoint, policy: Partial<JobPolicy>): JobPolicy {
  const plain = plainPolicies.get(spec) ?? {
    executionTimeoutMs: spec.executionTimeoutMs,
    ttlMs: defaultTtlMs,
    lowPriority: false,
  }
  plainPolicies.set(spec, plain)
  return Object.keys(policy).length === 0 ? plain : { ...plain, ...policy }
}
