/**
 * The worker protocol: what programs that do the jobs say to the queue. Which job or worker a call is
 * about is in its path; `?` and what follows are the platform's own, and passed through by workers.
 */
import { askForJobs, closeAsk, takeGiven, takeStops } from '../../domain/serverless/leases.ts'
import { findProgram } from '../../domain/serverless/programs.ts'
import { reportLife, reportUnhealthy } from '../../domain/serverless/reports.ts'
import { requireQueue } from '../../domain/serverless/submit.ts'
import type { Job } from '../../model/job.ts'
import type { World } from '../../world/world.ts'
import { type Context, defineOperation, type Method, type Operation } from '../http/operation.ts'
import { noContent, ok, type Reply, type Waiting } from '../http/reply.ts'
import { resultOperations } from './worker-results.ts'

const tag = 'workers'
// Observed: workers give up after 90 seconds, and ask again at once. Assumed: how long they are held.
const holdMs = 30_000
/** A refusal that comes at once is answered by the next question at once. */
const refusalPaceMs = 1_000

type Params = Readonly<Record<string, string>>
type WorkerContext = Context<Params, Readonly<Record<string, never>>, undefined>

export function workerOperations(): Operation[] {
  return [
    workerOperation('takeJob', 'job-take', 'Waits for a job.', takeOne),
    workerOperation(
      'takeJobs',
      'job-take-batch',
      'Waits for jobs, as many as asked for.',
      takeMany,
    ),
    workerOperation('stopJobs', 'job-stop', 'Waits for word of jobs that are to stop.', stop),
    workerOperation('pingWorker', 'ping', 'Says that the worker lives, and what it is at.', ping),
    ...resultOperations(),
  ]
}

/** A worker that is refused is told so slowly: most of them ask again without a pause. */
export function paced(reply: Reply, operation: Operation | undefined): Reply {
  return operation?.tag === tag ? { ...reply, afterMs: refusalPaceMs } : reply
}

function workerOperation(
  name: string,
  word: string,
  summary: string,
  handle: (context: WorkerContext, at: Place) => Reply | Waiting,
): Operation {
  return defineOperation({
    name,
    method: 'GET' satisfies Method,
    path: `/v2/{endpointId}/${word}/{workerId}`,
    summary,
    tag,
    needs: 'write',
    replies: { 200: { description: 'What there is.' }, 204: { description: 'Nothing yet.' } },
    handle: (context) => handle(context, placeOf(context)),
  })
}

interface Place {
  readonly endpointId: string
  readonly workerId: string
  readonly query: URLSearchParams
}

/** Observed: the SDK appends `&name=value`, which lands in the path of an address without `?`. */
function placeOf({ params, search }: WorkerContext): Place {
  const { endpointId = '', workerId: last = '' } = params
  const [workerId = '', ...misplaced] = last.split('&')
  const query = new URLSearchParams([search, ...misplaced].join('&'))
  return { endpointId, workerId, query }
}

function takeOne(context: WorkerContext, at: Place): Reply | Waiting {
  return take(context, at, 1, (jobs) => ok(jobs[0]))
}

function takeMany(context: WorkerContext, at: Place): Reply | Waiting {
  const room = Number(at.query.get('batch_size') ?? 1)
  return take(context, at, Number.isInteger(room) && room > 0 ? room : 1, ok)
}

function take(
  { world, turn }: WorkerContext,
  { endpointId, workerId }: Place,
  room: number,
  render: (jobs: readonly object[]) => Reply,
): Waiting {
  const askId = askForJobs(world, endpointId, workerId, room)
  if (askId === undefined) return untilGone(world, workerId)
  return {
    waitFor: workerId,
    outside: true,
    limitMs: holdMs * world.pace,
    answer: () => {
      const jobs = takeGiven(world, workerId, askId)
      if (jobs === undefined) return noContent()
      return jobs.length === 0 ? undefined : render(jobs.map(toGiven))
    },
    otherwise: noContent,
    ended: () => turn(() => closeAsk(world, workerId, askId)),
  }
}

/** One that is to stop hears nothing new, and not at once. */
function untilGone(world: World, workerId: string): Waiting {
  return {
    waitFor: workerId,
    outside: true,
    limitMs: refusalPaceMs * world.pace,
    answer: () => (world.programs.find(workerId) === undefined ? noContent() : undefined),
    otherwise: noContent,
  }
}

/** Observed: what the platform sends besides the two fields that the SDK insists on. */
function toGiven({ id, request, batchId }: Job): object {
  const { input, webhook, s3Config } = request
  return {
    id,
    ...(input === undefined ? {} : { input }),
    ...(webhook === null ? {} : { webhook }),
    ...(s3Config === undefined ? {} : { s3Config }),
    ...(batchId === null ? {} : { batchId }),
  }
}

/** May come before the worker's first question for a job, and so from one that nobody knows yet. */
function stop({ world }: WorkerContext, { endpointId, workerId }: Place): Waiting {
  requireQueue(world, endpointId)
  const known = findProgram(world, endpointId, workerId)
  if (known?.status === 'ENDING') return untilGone(world, workerId)
  return {
    waitFor: workerId,
    outside: true,
    limitMs: holdMs * world.pace,
    answer: () => {
      const now = world.programs.find(workerId)
      const isOver = known !== undefined && (now === undefined || now.status === 'ENDING')
      if (isOver) return noContent()
      const jobsToStop = takeStops(world, workerId)
      return jobsToStop.length === 0 ? undefined : ok({ jobsToStop })
    },
    otherwise: noContent,
  }
}

function ping({ world }: WorkerContext, { endpointId, workerId, query }: Place): Reply {
  if (query.get('status') === 'unhealthy') {
    const check = query.get('check') ?? 'unknown'
    const why = `check ${check} failed: ${query.get('reason') ?? 'no reason given'}`
    reportUnhealthy(world, endpointId, workerId, why)
    return ok({})
  }
  const jobIds = (query.get('job_id') ?? '').split(',').filter((id) => id !== '')
  reportLife(world, endpointId, workerId, { jobIds, sdkVersion: query.get('runpod_version') })
  return ok({})
}
