/** Brings waiting jobs and workers of an endpoint that have nothing to do together. */
import { draftOfJob, type Job } from '../../model/job.ts'
import type { Worker } from '../../model/worker.ts'
import type { World } from '../../world/world.ts'
import { planStruck } from '../faults/jobs.ts'
import { planRun } from './handlers.ts'
import { putJob } from './job-timer.ts'
import { giveJob } from './leases.ts'
import { takeJob } from './workers.ts'

/** Until one of the two runs out. Programs get jobs when they ask; simulated workers just begin. */
export function dispatch(world: World, endpointId: string): void {
  for (;;) {
    const job = world.queues.nextJob(endpointId)
    if (job === undefined) return
    const program = world.queues.askingProgram(endpointId)
    if (program !== undefined) {
      giveJob(world, job, program)
      continue
    }
    const worker = world.queues.idleWorker(endpointId)
    if (worker === undefined) return
    start(world, job, worker)
  }
}

function start(world: World, job: Job, worker: Worker): void {
  takeJob(world, worker, job.id)
  world.timeline.record('job.started', job.id, { workerId: worker.id })
  const steps = planStruck(world, job, worker.id) ?? planRun(world, job, worker)
  const started = draftOfJob(job)
  started.status = 'IN_PROGRESS'
  started.startedAtMs = world.nowMs
  started.overrunMs = world.waitMs('jobOverrunMs')
  started.workerId = worker.id
  started.run = { steps, next: 0, nextAtMs: world.nowMs + (steps[0]?.afterMs ?? 0) }
  putJob(world, started)
}
