/** What faults do to a job that a worker takes, simulated or not. */
import type { HandlerStep, Job } from '../../model/job.ts'
import type { Duration } from '../../sim/random.ts'
import type { World } from '../../world/world.ts'
import { crashSteps, hangSteps, outOfMemory } from '../serverless/plans.ts'
import { strikeOnce } from './strike.ts'

/**
 * All that the run will do, in place of what its handler would; undefined for one that is spared. A
 * program is killed, or made to stand still, in the middle of it.
 */
export function planStruck(world: World, job: Job, workerId: string): HandlerStep[] | undefined {
  if (world.faultIndex.at('job').length === 0) return undefined
  const effect = strikeOnce(world, 'job', { ids: [job.id, job.endpointId, workerId] })
  switch (effect?.kind) {
    case 'crash-job':
      return crashSteps(world, draw(world, effect.afterMs))
    case 'oom-job':
      return crashSteps(world, draw(world, effect.afterMs), outOfMemory)
    case 'hang-job':
      return hangSteps(0)
    case undefined:
      return undefined
  }
}

function draw(world: World, afterMs: Duration = 0): number {
  return Math.round(world.random.stream('faults').duration(afterMs))
}
