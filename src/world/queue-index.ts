/**
 * For each endpoint: its queue, its idle workers, and how many there are of everything.
 *
 * Derived from the collections of jobs and workers, which report every change, so that the scaler,
 * the dispatcher and `/health` never have to look through them.
 */

import type { Job } from '../model/job.ts'
import type { Program } from '../model/program.ts'
import { isStrict, type ProxiedRequest } from '../model/request.ts'
import type { Worker } from '../model/worker.ts'
import { invariant } from '../sim/invariant.ts'
import { SharedMap } from '../sim/shared-map.ts'
import { EndpointLoad } from './endpoint-load.ts'
import type { JobLine } from './job-line.ts'

/** By endpoint: ids in line, ids of idle workers, ids of all workers in the order they came. */
export type SavedQueues = Readonly<
  Record<
    string,
    {
      readonly queue: readonly string[]
      readonly lowQueue: readonly string[]
      readonly idle: readonly string[]
      readonly workers: readonly string[]
    }
  >
>

export class QueueIndex {
  #loads = new SharedMap<EndpointLoad>()
  readonly #findJob: (id: string) => Job | undefined
  readonly #findWorker: (id: string) => Worker | undefined
  readonly #findProgram: (id: string) => Program | undefined

  constructor(
    findJob: (id: string) => Job | undefined,
    findWorker: (id: string) => Worker | undefined,
    findProgram: (id: string) => Program | undefined,
  ) {
    this.#findJob = findJob
    this.#findWorker = findWorker
    this.#findProgram = findProgram
  }

  of(endpointId: string): EndpointLoad {
    const own = this.#loads.owned(endpointId)
    if (own !== undefined) return own
    const load = this.#loads.get(endpointId)?.copy() ?? new EndpointLoad()
    this.#loads.set(endpointId, load)
    return load
  }

  forget(endpointId: string): void {
    this.#loads.delete(endpointId)
  }

  /** The endpoint's workers, in the order they came; parked ones are in no list. */
  workersOf(endpointId: string): Worker[] {
    const workers: Worker[] = []
    for (const id of this.of(endpointId).workerIds) {
      const worker = this.#findWorker(id)
      if (worker !== undefined && worker.status !== 'PARKED') workers.push(worker)
    }
    return workers
  }

  /** The job that is next in line. */
  nextJob(endpointId: string): Job | undefined {
    const load = this.of(endpointId)
    return this.#first(load.queue) ?? this.#first(load.lowQueue)
  }

  /** The first of those that make the endpoint scale. */
  oldestWaiting(endpointId: string): Job | undefined {
    return this.#first(this.of(endpointId).queue)
  }

  /** Assumed: the worker that was busy last takes the next job, so that the others may idle out. */
  idleWorker(endpointId: string): Worker | undefined {
    const { idle } = this.of(endpointId)
    for (;;) {
      const id = idle.at(-1)
      if (id === undefined) return undefined
      const worker = this.#findWorker(id)
      if (worker?.status === 'IDLE') return worker
      idle.pop()
    }
  }

  /** The order in which jobs and idle workers are taken, which the collections do not tell. */
  save(): SavedQueues {
    return Object.fromEntries(
      [...this.#loads.entries()].map(([endpointId, { queue, lowQueue, idle, workerIds }]) => [
        endpointId,
        {
          queue: queue.toArray(),
          lowQueue: lowQueue.toArray(),
          idle: [...idle],
          workers: [...workerIds],
        },
      ]),
    )
  }

  /** Has what another one has; an endpoint's load is copied when it is first looked at. */
  share(other: QueueIndex): void {
    this.#loads = other.#loads.copy()
  }

  /** After the collections are filled. */
  restore(saved: SavedQueues): void {
    for (const [endpointId, { queue, lowQueue, idle, workers }] of Object.entries(saved)) {
      const load = this.of(endpointId)
      load.queue.restore(queue)
      load.lowQueue.restore(lowQueue)
      load.idle.splice(0, load.idle.length, ...idle)
      load.workerIds.clear()
      for (const id of workers) load.workerIds.add(id)
    }
  }

  /** Assumed: of programs, too, the one that was busy last. */
  askingProgram(endpointId: string): Program | undefined {
    const { asking } = this.of(endpointId)
    if (asking.size === 0) return undefined
    let last: Program | undefined
    for (const id of asking) {
      const program = this.#findProgram(id)
      if (program === undefined) continue
      if (last === undefined || program.freeSinceMs > last.freeSinceMs) last = program
    }
    return last
  }

  programChanged(before: Program | undefined, after: Program | undefined): void {
    const program = after ?? before
    if (program === undefined) return
    const { asking } = this.of(program.endpointId)
    if (after?.ask != null && after.ask.room > 0 && after.retiring === null) asking.add(program.id)
    else asking.delete(program.id)
  }

  jobChanged(before: Job | undefined, after: Job | undefined): void {
    const load = this.of((after ?? before)?.endpointId ?? '')
    if (before?.status === after?.status && before?.queuedAtMs === after?.queuedAtMs) return
    if (before !== undefined) {
      load.jobs[before.status] -= 1
      invariant(load.jobs[before.status] >= 0, 'no job is counted twice')
      if (isLowQueued(before)) load.lowPriorityQueued -= 1
      if (before.status === 'IN_QUEUE') lineOf(load, before).leave(before.id)
    }
    if (after !== undefined) {
      load.jobs[after.status] += 1
      if (isLowQueued(after)) load.lowPriorityQueued += 1
      if (after.status === 'IN_QUEUE') lineOf(load, after).push(after.id)
    }
  }

  workerChanged(before: Worker | undefined, after: Worker | undefined): void {
    const worker = after ?? before
    if (worker === undefined) return
    const load = this.of(worker.endpointId)
    if (before !== undefined) load.workers[before.status] -= 1
    if (after !== undefined) load.workers[after.status] += 1
    if (before?.placement !== after?.placement) {
      countGpuType(load, before, -1)
      countGpuType(load, after, 1)
    }
    if (before === undefined) load.workerIds.add(worker.id)
    if (after === undefined) load.workerIds.delete(worker.id)
    if (worker.backend !== 'simulated') return
    if (after?.status === 'IDLE' && before?.status !== 'IDLE') load.idle.push(worker.id)
    if (before?.status === 'IDLE' && after?.status !== 'IDLE' && load.idle.at(-1) === worker.id) {
      load.idle.pop()
    }
  }

  requestChanged(before: ProxiedRequest | undefined, after: ProxiedRequest | undefined): void {
    const load = this.of((after ?? before)?.endpointId ?? '')
    if (before !== undefined) countRequest(load, before, -1)
    if (after !== undefined) countRequest(load, after, 1)
  }

  #first({ first }: JobLine): Job | undefined {
    return first === undefined ? undefined : this.#findJob(first)
  }
}

function countGpuType(load: EndpointLoad, worker: Worker | undefined, by: 1 | -1): void {
  const typeId = worker?.placement?.gpuTypeId
  if (typeId != null) load.gpuTypes.set(typeId, (load.gpuTypes.get(typeId) ?? 0) + by)
}

function countRequest(load: EndpointLoad, request: ProxiedRequest, by: 1 | -1): void {
  const { status, affinity } = request
  if (status === 'WAITING') load.requests[isStrict(affinity) ? 'pinned' : 'waiting'] += by
  if (status === 'AT_WORKER') load.requests.atWorker += by
}

function isLowQueued(job: Job): boolean {
  return job.status === 'IN_QUEUE' && job.request.policy.lowPriority
}

function lineOf(load: EndpointLoad, job: Job): JobLine {
  return job.request.policy.lowPriority ? load.lowQueue : load.queue
}
