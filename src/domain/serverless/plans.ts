/** Ends that a simulated run can have besides an answer: its worker dies, or it never ends. */
import type { HandlerStep } from '../../model/job.ts'
import type { World } from '../../world/world.ts'

/** What a container's log says of one that was killed for lack of memory. */
export const outOfMemory = 'out of memory, exit code 137'

/** The worker's process dies, and after a while the platform misses it. */
export function crashSteps(world: World, afterMs: number, why?: string): HandlerStep[] {
  const crash = { does: 'crash', afterMs } as const
  return [
    why === undefined ? crash : { ...crash, why },
    { does: 'lose', afterMs: world.waitMs('workerLostMs') },
  ]
}

/** After that nothing happens any more. */
export function hangSteps(afterMs: number): HandlerStep[] {
  return [{ does: 'hang', afterMs }]
}
