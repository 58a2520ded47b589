/** What the emulator has told its callers, and whether it still says so after it was killed. */

export class Told {
  /** By id: true for one that is there, false for one that is gone, undefined where nobody knows. */
  pods = new Map()
  /** By id: the last status that was told; a job's end is told with all that came of it. */
  jobs = new Map()
  /** Ids of jobs that nobody asks for again. */
  passing = new Set()
  /** Ids of jobs whose webhook came. */
  called = new Set()
  /** By number: each entry of the timeline, as it was first told. */
  entries = new Map()
  nowMs = 0
  answers = 0
  #awaited = { answers: Number.POSITIVE_INFINITY, reached: () => {} }
  /** What did not hold, in words. */
  wrong = []

  job(job) {
    const { id, status } = job
    const before = this.jobs.get(id)
    if (before === undefined || !hasEnded(before)) this.jobs.set(id, job)
    else if (hasEnded({ status })) this.jobs.set(id, before)
  }

  answered() {
    this.answers += 1
    if (this.answers >= this.#awaited.answers) this.#awaited.reached()
  }

  /** Resolves after so many more answers. */
  more(answers) {
    return new Promise((resolve) => {
      this.#awaited = { answers: this.answers + answers, reached: resolve }
    })
  }

  now(text) {
    this.nowMs = Math.max(this.nowMs, Date.parse(text))
  }

  /** What does not hold any longer, in words. `get` asks the emulator that goes on. */
  async compare(get) {
    return [
      ...(await this.#comparePods(get)),
      ...(await this.#compareJobs(get)),
      ...(await this.#compareTimeline(get)),
      ...(await this.#compareClock(get)),
    ]
  }

  async #comparePods(get) {
    const ids = new Set()
    for (let cursor = ''; ; ) {
      const { pods, pagination } = await get(`/v2/pods?limit=100${cursor}`)
      for (const { id } of pods) ids.add(id)
      if (!pagination?.hasNextPage) break
      cursor = `&cursor=${pagination.nextCursor}`
    }
    return [...this.pods].flatMap(([id, isThere]) => {
      if (isThere === undefined) this.pods.set(id, ids.has(id))
      else if (isThere !== ids.has(id)) return [`pod ${id} is ${isThere ? 'lost' : 'back'}`]
      return []
    })
  }

  async #compareJobs(get) {
    const wrong = []
    for (const [id, told] of this.jobs) {
      // What was found as it ended once is not asked for again.
      if (told.checked) continue
      const job = await get(`/v2/demo/status/${id}`).catch(() => undefined)
      if (job === undefined) wrong.push(`job ${id} is lost`)
      else if (hasEnded(told) && JSON.stringify(job) !== JSON.stringify(told)) {
        wrong.push(`job ${id} was ${JSON.stringify(told)}, and is ${JSON.stringify(job)}`)
      } else if (this.called.has(id) && !hasEnded(job)) {
        wrong.push(`job ${id} had called back, and is ${job.status}`)
      } else if (told.status === 'IN_PROGRESS' && job.status === 'IN_QUEUE') {
        wrong.push(`job ${id} waits again`)
      }
      if (job !== undefined) this.jobs.set(id, hasEnded(told) ? { ...job, checked: true } : job)
    }
    return wrong
  }

  /** The past stays as it was told, all of it: entries are numbered. */
  async #compareTimeline(get) {
    const wrong = this.timeline(await get('/_emulator/timeline'))
    const numbers = [...this.entries.keys()]
    const last = Math.max(...numbers)
    return last === numbers.length ? wrong : [...wrong, `${last} entries are ${numbers.length}`]
  }

  /** Entries as they are told; returns those that were told otherwise before. */
  timeline(text) {
    return text.split('\n').flatMap((line) => {
      if (line === '') return []
      const { seq } = JSON.parse(line)
      const told = this.entries.get(seq)
      this.entries.set(seq, line)
      return told === undefined || told === line ? [] : [`${told} became ${line}`]
    })
  }

  async #compareClock(get) {
    const { now } = await get('/_emulator/clock')
    return Date.parse(now) >= this.nowMs
      ? []
      : [`it was ${new Date(this.nowMs).toISOString()}, and is ${now}`]
  }

  /** How often each job was begun, by the timeline. */
  starts() {
    const starts = new Map()
    for (const text of this.entries.values()) {
      const { kind, id } = JSON.parse(text)
      if (kind === 'job.started') starts.set(id, (starts.get(id) ?? 0) + 1)
    }
    return starts
  }
}

export function hasEnded({ status }) {
  return status !== 'IN_QUEUE' && status !== 'IN_PROGRESS'
}
