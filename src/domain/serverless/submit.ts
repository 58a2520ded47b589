/** Takes a job in: checks it, puts it in the queue, and sees whether somebody is free to run it. */

import type { Endpoint } from '../../model/endpoint.ts'
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

export function submitJob(world: World, endpointId: string, submission: Submission): Job {
  const endpoint = requireQueue(world, endpointId)
  const { policy, ...rest } = submission
  noteRequest(world, endpointId)
  const id = world.ids.job(submission.sync)
  world.timeline.record('job.submitted', id, { endpointId })
  const job = putJob(world, {
    id,
    endpointId,
    request: { ...rest, policy: completePolicy(endpoint, policy) },
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

/** The endpoint, if it has a queue. */
export function requireQueue(world: World, endpointId: string): Endpoint {
  const endpoint = world.endpoints.require(endpointId)
  // Observed: the words for a queue operation on a load-balancing endpoint, and the reverse.
  if (endpoint.spec.type !== 'QUEUE') throw ruleViolation('not allowed for QB API')
  return endpoint
}

const noChunks: readonly unknown[] = []

function completePolicy({ spec }: Endpoint, policy: Partial<JobPolicy>): JobPolicy {
  return {
    executionTimeoutMs: policy.executionTimeoutMs ?? spec.executionTimeoutMs,
    ttlMs: policy.ttlMs ?? defaultTtlMs,
    lowPriority: policy.lowPriority ?? false,
  }
}
