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

/**
 * What the handler returned. Observed: of an object with an error the SDK makes a job that failed,
 * with whatever else is in it as its output. Assumed: an error that is no text is told as its JSON.
 */
export function planReturn(output: unknown, afterMs: number, refresh = false): HandlerStep {
  const isObject = typeof output === 'object' && output !== null && !Array.isArray(output)
  const { error, ...rest } = (isObject ? output : {}) as Readonly<Record<string, unknown>>
  if (!error)
    return refresh
      ? { does: 'return', afterMs, output, refresh }
      : { does: 'return', afterMs, output }
  const text = typeof error === 'string' ? error : JSON.stringify(error)
  const others = Object.keys(rest).length === 0 ? {} : { output: rest }
  return { does: 'fail', afterMs, error: text, ...others }
}

/** After that nothing happens any more. */
export function hangSteps(afterMs: number): HandlerStep[] {
  return [{ does: 'hang', afterMs }]
}
