/** Jobs as the request address spells them. */
import { endedStatuses, type Job } from '../../model/job.ts'
import type { Worker } from '../../model/worker.ts'
import type { World } from '../../world/world.ts'

/** Observed: keys in alphabetical order; `error` and `retries` only where there are any. */
export function toJob(job: Job): Record<string, unknown> {
  const { id, status, output, error, workerId, retries } = job
  if (status === 'IN_QUEUE' && retries === 0) return { id, status }
  const startedAtMs = job.startedAtMs ?? job.endedAtMs
  const ended = endedStatuses.has(status)
  // Assignments, because jobs are polled all the time: spreads of conditions took a tenth of a GET.
  const shown: Record<string, unknown> = {}
  if (startedAtMs !== null) shown.delayTime = startedAtMs - job.submittedAtMs
  if (error !== null) shown.error = error
  if (ended) shown.executionTime = (job.endedAtMs ?? 0) - (startedAtMs ?? 0)
  shown.id = id
  if (output !== undefined) shown.output = output
  if (retries !== 0) shown.retries = retries
  shown.status = status
  if (workerId !== null) shown.workerId = workerId
  // Some clients insist on a text here once a job has ended.
  else if (ended) shown.workerId = ''
  return shown
}

/** Observed: six counts of workers, five of jobs. An idle worker is ready. */
export function toHealth(world: World, endpointId: string): Record<string, unknown> {
  const { jobs, workers } = world.queues.of(endpointId)
  const usage = world.usage.require(endpointId)
  // Observed: a worker that FlashBoot keeps counts as idle and as ready.
  const idle = workers.IDLE + workers.PARKED
  const warmingUp = countWarmingUp(world, endpointId)
  return {
    jobs: {
      completed: usage.completed,
      failed: usage.failed,
      inProgress: jobs.IN_PROGRESS,
      inQueue: jobs.IN_QUEUE,
      retried: usage.retried,
    },
    workers: {
      idle,
      initializing: workers.INITIALIZING - warmingUp,
      ready: idle,
      running: workers.RUNNING + warmingUp,
      throttled: workers.THROTTLED,
      unhealthy: workers.UNHEALTHY,
    },
  }
}

/** Observed: a load-balancing worker whose server is up and not healthy yet counts as running. */
function countWarmingUp(world: World, endpointId: string): number {
  const { spec } = world.endpoints.require(endpointId)
  if (spec.type !== 'LOAD_BALANCER') return 0
  const isWarmingUp = ({ id, status }: Worker) =>
    status === 'INITIALIZING' && world.healthChecks.find(id) !== undefined
  return world.queues.workersOf(endpointId).filter(isWarmingUp).length
}
