/** Jobs as the timeline tells of them: when each was submitted, when it ran, how often it ended. */
import type { Submission } from '../../model/recording.ts'
import type { Entry } from '../../sim/timeline.ts'

interface JobStory {
  readonly endpointId: string
  submittedAtMs: number
  startedAtMs: number | null
  ends: number
}

const ends = new Set([
  'job.completed',
  'job.failed',
  'job.cancelled',
  'job.timed-out',
  'job.expired',
])

export class JobHistory {
  readonly jobs = new Map<string, JobStory>()
  /** Of jobs that ended after they had started: from submission to the last start. */
  readonly delaysMs: number[] = []
  readonly executionsMs: number[] = []
  readonly #ran: Submission[] = []

  /** Jobs that ran to an end, by when they were submitted. */
  submissionsTo(endpointId: string): Submission[] {
    const own = this.#ran.filter((submission) => submission.endpointId === endpointId)
    return own.sort((left, right) => left.atMs - right.atMs)
  }

  /** In the order of the timeline; entries that are about no job are passed over. */
  add({ kind, id, atMs, detail }: Entry): void {
    if (!kind.startsWith('job.')) return
    if (kind === 'job.submitted') {
      const endpointId = String(detail?.endpointId ?? '')
      this.jobs.set(id, { endpointId, submittedAtMs: atMs, startedAtMs: null, ends: 0 })
      return
    }
    const job = this.jobs.get(id)
    if (job === undefined) return
    if (kind === 'job.started') job.startedAtMs = atMs
    else if (kind === 'job.retried') {
      job.submittedAtMs = atMs
      job.ends = 0
    } else if (ends.has(kind)) this.#end(job, atMs)
  }

  #end(job: JobStory, atMs: number): void {
    job.ends += 1
    if (job.startedAtMs === null) return
    const executionMs = atMs - job.startedAtMs
    this.delaysMs.push(job.startedAtMs - job.submittedAtMs)
    this.executionsMs.push(executionMs)
    this.#ran.push({ endpointId: job.endpointId, atMs: job.submittedAtMs, executionMs })
  }
}
