/** Passes the chunks of a job on to its caller, each when the job streams it. */
import { endedStatuses, type Job } from '../../model/job.ts'
import type { World } from '../../world/world.ts'
import type { Context } from '../http/operation.ts'
import type { Reply, Sink } from '../http/reply.ts'
import { toChunkText } from './openai-render.ts'

/**
 * The job is watched from now on, not from when the headers are out: by then, time may have gone on
 * and the job be over, or forgotten.
 */
export function relayChunks(
  world: World,
  job: Job,
  watch: Context<unknown, unknown, unknown>['watch'],
): Reply {
  const relay = new Relay(job)
  const stop = watch(job.id, (what) => {
    const latest = world.jobs.find(job.id)
    if (latest !== undefined) relay.follow(latest)
    if (what === 'over' || latest === undefined || endedStatuses.has(latest.status)) {
      stop()
      relay.finish()
    }
  })
  if (endedStatuses.has(job.status)) {
    stop()
    relay.finish()
  }
  return {
    status: 200,
    // With its charset: the listener puts no comments of its own between the worker's words.
    headers: { 'content-type': 'text/event-stream; charset=utf-8', 'cache-control': 'no-cache' },
    stream: (sink) => {
      relay.begin(sink)
      return stop
    },
  }
}

class Relay {
  #job: Job
  #sent = 0
  #finished = false
  #sink: Sink | undefined

  constructor(job: Job) {
    this.#job = job
  }

  begin(sink: Sink): void {
    this.#sink = sink
    this.#send()
  }

  follow(job: Job): void {
    // Assumed: after a lost worker, the next attempt's words follow those that are out.
    if (job.chunks.length < this.#sent) this.#sent = 0
    this.#job = job
    this.#send()
  }

  finish(): void {
    this.#finished = true
    this.#send()
  }

  #send(): void {
    if (this.#sink === undefined) return
    for (const chunk of this.#job.chunks.slice(this.#sent)) this.#sink.write(toChunkText(chunk))
    this.#sent = this.#job.chunks.length
    if (this.#finished) this.#sink.end()
  }
}
