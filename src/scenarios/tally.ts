/** What a scenario's timeline comes to: how often, how long, and which jobs ended how. */
import type { Entry } from '../sim/timeline.ts'
import type { World } from '../world/world.ts'

/** A job as far as the timeline tells. */
interface JobStory {
  readonly endpointId: string
  submittedAtMs: number
  startedAtMs: number | null
  ends: number
}

/** A job that ran to an end, as a replay needs it. Times in ms. */
export interface Submission {
  readonly endpointId: string
  readonly atMs: number
  readonly executionMs: number
}

export interface TallyOptions {
  /** Kinds of entries that are kept, to be looked for later. */
  readonly keep: ReadonlySet<string>
  /** Told of every entry, in order. */
  readonly onEntry?: (entry: Entry) => void
}

const ends = new Set([
  'job.completed',
  'job.failed',
  'job.cancelled',
  'job.timed-out',
  'job.expired',
])

export class Tally {
  readonly counts = new Map<string, number>()
  readonly kept: Entry[] = []
  readonly jobs = new Map<string, JobStory>()
  /** Of jobs that ended after they had started. */
  readonly delaysMs: number[] = []
  readonly executionsMs: number[] = []
  readonly submissions: Submission[] = []
  readonly #options: TallyOptions
  #world: World
  #seen = 0

  constructor(world: World, options: TallyOptions) {
    this.#world = world
    this.#options = options
  }

  /** Reads on where it stopped; to be called before the timeline forgets. */
  look(): void {
    const { timeline } = this.#world
    if (timeline.entryCount === this.#seen) return
    const fresh = timeline.since(this.#seen)
    if (fresh[0] !== undefined && fresh[0].seq !== this.#seen + 1) {
      throw new Error('the timeline forgot entries before they were counted')
    }
    this.#seen = timeline.entryCount
    for (const entry of fresh) this.#add(entry)
  }

  /** Looks when so many entries wait that some could be forgotten soon. */
  lookInTime(): void {
    const { timeline, settings } = this.#world
    if (timeline.entryCount - this.#seen >= settings.keep.entries / 2) this.look()
  }

  #add(entry: Entry): void {
    const { kind } = entry
    this.counts.set(kind, (this.counts.get(kind) ?? 0) + 1)
    if (this.#options.keep.has(kind)) this.kept.push(entry)
    this.#options.onEntry?.(entry)
    if (kind.startsWith('job.')) this.#addJob(entry)
  }

  #addJob({ kind, id, atMs, detail }: Entry): void {
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
    this.submissions.push({ endpointId: job.endpointId, atMs: job.submittedAtMs, executionMs })
  }
}
