/** What one endpoint has: its lines of jobs, its idle workers, and how many there are of everything. */
import type { JobStatus } from '../model/job.ts'
import type { WorkerStatus } from '../model/worker.ts'
import { JobLine } from './job-line.ts'

export class EndpointLoad {
  readonly jobs: Record<JobStatus, number> = {
    IN_QUEUE: 0,
    IN_PROGRESS: 0,
    COMPLETED: 0,
    FAILED: 0,
    CANCELLED: 0,
    TIMED_OUT: 0,
  }
  readonly workers: Record<WorkerStatus, number> = {
    INITIALIZING: 0,
    IDLE: 0,
    RUNNING: 0,
    THROTTLED: 0,
    UNHEALTHY: 0,
    PARKED: 0,
  }
  /** Waiting with low priority: they run when nothing else waits, and do not scale. */
  lowPriorityQueued = 0
  /** Jobs in line. */
  queue = new JobLine()
  lowQueue = new JobLine()
  workerIds = new Set<string>()
  /** How many of its workers are on each GPU type. */
  gpuTypes = new Map<string, number>()
  /** Workers whose programs ask for jobs. */
  asking = new Set<string>()
  /** Ids of idle simulated workers, the newest last. May hold stale ids. */
  idle: string[] = []
  /**
   * Requests of a load-balancing endpoint: those that wait for any worker, those that wait for one
   * and no other, for which it does not scale, and those at a worker.
   */
  readonly requests = { waiting: 0, pinned: 0, atWorker: 0 }

  copy(): EndpointLoad {
    const copy = new EndpointLoad()
    Object.assign(copy.jobs, this.jobs)
    Object.assign(copy.workers, this.workers)
    Object.assign(copy.requests, this.requests)
    copy.lowPriorityQueued = this.lowPriorityQueued
    copy.queue = this.queue.copy()
    copy.lowQueue = this.lowQueue.copy()
    copy.workerIds = new Set(this.workerIds)
    copy.gpuTypes = new Map(this.gpuTypes)
    copy.asking = new Set(this.asking)
    copy.idle = [...this.idle]
    return copy
  }

  /** Workers there are, whatever they do; parked ones are not there. */
  get workerCount(): number {
    return this.workerIds.size - this.workers.PARKED
  }
}
