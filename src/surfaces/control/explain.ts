/** Says in plain sentences why a job waits or ended as it did, and why the autoscaler acts or not. */
import { desiredWorkers } from '../../domain/serverless/autoscaler.ts'
import { isAt } from '../../domain/serverless/leases.ts'
import { hasPlace } from '../../domain/serverless/machines.ts'
import { measure } from '../../domain/serverless/scaling.ts'
import type { Endpoint } from '../../model/endpoint.ts'
import { notFound } from '../../model/errors.ts'
import { endedStatuses, type Job } from '../../model/job.ts'
import type { Worker } from '../../model/worker.ts'
import type { Entry } from '../../sim/timeline.ts'
import type { World } from '../../world/world.ts'
import { spanText } from './span-text.ts'

export interface Explanation {
  readonly subject: string
  readonly status: string
  /** To be read from top to bottom. */
  readonly sentences: readonly string[]
  /** What they are drawn from, oldest first. */
  readonly entries: readonly Entry[]
}

export function explainJob(world: World, jobId: string): Explanation {
  const entries = entriesOf(world, jobId)
  const job = world.jobs.find(jobId)
  if (job === undefined) return explainGone(world, jobId, entries)
  const ended = endedStatuses.has(job.status)
  const now = ended ? explainEnd(world, job) : explainPresent(world, job)
  const subject = `job ${jobId}`
  const sentences = [...history(world, entries), ...now]
  return { subject, status: job.status, sentences, entries }
}

export function explainEndpoint(world: World, endpointId: string): Explanation {
  const endpoint = world.endpoints.require(endpointId)
  const scaling = ({ kind, detail }: Entry) =>
    (kind.startsWith('worker.') && detail?.endpointId === endpointId) ||
    kind === 'endpoint.scaled-down'
  const entries = world.timeline.past.filter(scaling).slice(-lastEntries)
  const sentences = [...explainScaling(world, endpoint), ...explainWorkers(world, endpointId)]
  return { subject: `endpoint ${endpointId}`, status: endpoint.spec.type, sentences, entries }
}

const lastEntries = 20

function explainGone(world: World, jobId: string, entries: readonly Entry[]): Explanation {
  const last = entries.at(-1)
  if (last === undefined) throw notFound('job', jobId)
  const ago = spanText(world.nowMs - last.atMs)
  const why =
    last.kind === 'job.expired'
      ? `Its time to live passed ${ago} ago, so the platform forgot it wherever it was; raise policy.ttl to keep it longer.`
      : last.kind === 'job.result-expired'
        ? `It ended, and its result was kept as long as results are; that was over ${ago} ago.`
        : 'Its endpoint was deleted, and its jobs with it.'
  const sentences = [...history(world, entries), why]
  return { subject: `job ${jobId}`, status: 'GONE', sentences, entries }
}

/** The way so far, a sentence for each thing that happened. */
function history(world: World, entries: readonly Entry[]): string[] {
  return entries.flatMap(({ kind, atMs, detail }) => {
    const say = happened[kind]
    const ago = spanText(world.nowMs - atMs)
    return say === undefined ? [] : [`${ago} ago: ${say(String(detail?.workerId ?? ''))}`]
  })
}

const happened: Readonly<Record<string, (workerId: string) => string>> = {
  'job.submitted': () => 'it was submitted.',
  'job.started': (worker) => `worker ${worker} took it.`,
  'job.requeued': (worker) =>
    `worker ${worker} had not reported back, so it was put in the queue again.`,
  'job.retried': () => 'its caller asked for it to be tried again.',
  'job.result-refused': (worker) =>
    `the result of worker ${worker} was too large for the platform, so it is gone.`,
  'job.completed': (worker) => `worker ${worker} returned its result.`,
  'job.failed': () => 'it failed.',
  'job.cancelled': () => 'it was cancelled.',
  'job.timed-out': () => 'it timed out.',
}

function explainEnd(world: World, job: Job): string[] {
  const left = spanText((job.endedAtMs ?? 0) + job.retentionMs - world.nowMs)
  const kept = `What came of it can be read for another ${left}.`
  if (job.error === null) return [kept]
  const why = Object.entries(errorReasons).find(([words]) => job.error?.startsWith(words))
  const reason = why?.[1] ?? `Its handler failed: ${job.error}`
  return [reason, kept]
}

const errorReasons: Readonly<Record<string, string>> = {
  'executionTimeout exceeded':
    'It ran longer than it may; policy.executionTimeout or the timeout of the endpoint says how long that is.',
  'job timed out after':
    'Its worker took it and never reported back, and neither did the next; a worker that crashes does that, and so does an empty input, which never reaches the handler.',
  'job expired in the queue': 'No worker took it before its time to live was over.',
}

function explainPresent(world: World, job: Job): string[] {
  if (job.status === 'IN_PROGRESS') return explainRunning(world, job)
  const endpoint = world.endpoints.require(job.endpointId)
  const { jobs } = world.queues.of(job.endpointId)
  const waits = spanText(world.nowMs - job.queuedAtMs)
  const low = job.request.policy.lowPriority
    ? ['Its priority is low: it runs when nothing else waits, and no worker is started for it.']
    : []
  return [
    `It has waited ${waits} in the queue of endpoint ${job.endpointId}, one of ${jobs.IN_QUEUE} that wait.`,
    ...low,
    ...explainScaling(world, endpoint),
    ...explainWorkers(world, job.endpointId),
  ]
}

function explainRunning(world: World, job: Job): string[] {
  const worker = job.workerId === null ? undefined : world.workers.find(job.workerId)
  const runs = spanText(world.nowMs - (job.startedAtMs ?? world.nowMs))
  if (worker === undefined || !isAt(world, worker, job)) {
    return [
      `Worker ${job.workerId} has had it for ${runs} and died; the platform has not noticed yet.`,
    ]
  }
  const limitMs = job.request.policy.executionTimeoutMs
  const limit = limitMs === 0 ? 'without a limit' : `and may run for ${spanText(limitMs)}`
  return [`Worker ${worker.id} has been running it for ${runs}, ${limit}.`]
}

function explainScaling(world: World, endpoint: Endpoint): string[] {
  const { id, spec, backend } = endpoint
  const load = measure(world, id)
  const wanted = desiredWorkers(spec, load)
  const rule =
    spec.scaling.type === 'QUEUE_DELAY'
      ? `adds a worker when a job has waited ${spanText(spec.scaling.queueDelayMs)}; the oldest has waited ${spanText(load.oldestWaitMs)}`
      : `wants a worker for every ${spec.scaling.requestCount} requests; there are ${load.queued + load.inProgress}`
  const sentences = [
    `The autoscaler (${spec.scaling.type}) ${rule}. It wants ${count(wanted, 'worker')} and has ${load.workers}, of ${spec.workersMin} to ${spec.workersMax}.`,
  ]
  if (backend.type === 'attached') {
    sentences.push(
      `Its workers are programs that somebody starts; compute-emulator worker-env ${id} tells what they need.`,
    )
  } else if (!hasPlace(world, endpoint)) {
    sentences.push(
      'No data center that it may be in has any of its types, so it gets no worker: look at its volumes, locations and types.',
    )
  } else if (spec.workersMax === 0) {
    sentences.push('workersMax is 0, so no worker may start: raise it to run anything.')
  } else if (load.workers >= spec.workersMax && load.queued > 0) {
    sentences.push('It is at its maximum: what waits has to wait for a worker to become free.')
  }
  return sentences
}

function explainWorkers(world: World, endpointId: string): string[] {
  return world.queues.workersOf(endpointId).map((worker) => explainWorker(world, worker))
}

function explainWorker(world: World, worker: Worker): string {
  const dueAtMs = worker.timer === null ? undefined : world.timeline.dueAtMs(worker.timer)
  const soon = dueAtMs === undefined ? 'later' : `in ${spanText(dueAtMs - world.nowMs)}`
  const name = `Worker ${worker.id}`
  const program = world.programs.find(worker.id)
  switch (worker.status) {
    case 'INITIALIZING':
      if (program !== undefined && worker.timer === null) {
        return `${name} is starting: the health path of its web server does not answer 200 yet.`
      }
      if (program !== undefined) {
        return `${name} is starting: its program has not asked for a job yet, and is given up ${soon}.`
      }
      return `${name} is starting: ${worker.stage}, done ${soon}.`
    case 'THROTTLED':
      return `${name} is throttled: no allowed data center has a free machine of its types. It looks again ${soon}.`
    case 'UNHEALTHY':
      return `${name} crashed ${count(worker.crashes, 'time')} in a row; this is not a lack of capacity, its log says why. It is started again ${soon}.`
    case 'RUNNING':
      return worker.jobId === null
        ? `${name} is answering ${count(worker.requestsInFlight, 'request')}.`
        : `${name} is running job ${worker.jobId}.`
    default:
      if (program?.backend === 'attached') return `${name} is idle; somebody else started it.`
      return dueAtMs === undefined
        ? `${name} is idle and stays, for the minimum.`
        : `${name} is idle and leaves ${soon}.`
  }
}

function entriesOf(world: World, id: string): Entry[] {
  return world.timeline.past.filter((entry) => entry.id === id)
}

function count(n: number, noun: string): string {
  return `${n} ${noun}${n === 1 ? '' : 's'}`
}
