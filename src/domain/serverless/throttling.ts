/** A worker without a machine: there is none free, or the one it had is gone. */
import type { Worker } from '../../model/worker.ts'
import type { World } from '../../world/world.ts'
import { endChecks } from './health.ts'
import { endProgram } from './programs.ts'
import { cutOff } from './requests.ts'
import { enter } from './workers.ts'

/** More is held where this worker is than there is left: stock was taken from under it. */
export function hasLostMachine(world: World, { placement }: Worker): boolean {
  return placement !== null && world.stock.isOverdrawn(placement)
}

/** Spec: without capacity a worker waits, unpaid, and recovers by itself. */
export function throttleWorker(world: World, worker: Worker): Worker {
  if (worker.status !== 'THROTTLED') {
    world.timeline.record('worker.throttled', worker.id, { endpointId: worker.endpointId })
  }
  const timer = world.timeline.after(world.waitMs('throttleRetryMs'), {
    kind: 'worker.restart-due',
    workerId: worker.id,
  })
  endProgram(world, worker.id, true)
  endChecks(world, worker)
  const throttled = enter(world, worker, 'THROTTLED', { stage: null, placement: null, timer })
  if (worker.status === 'IDLE') cutOff(world, throttled)
  return throttled
}
