/** Moments that a renter chose for a pod's end, kept on the world's clock. */
import { invalidField } from '../model/errors.ts'
import type { DeadlineAction, Pod, PodSpec } from '../model/pod.ts'
import type { TimerId } from '../sim/timeline.ts'
import type { World } from '../world/world.ts'

type Timers = Pick<Pod, 'stopTimer' | 'terminateTimer'>

/** Refuses moments that have passed. Assumed: the cloud does too; it names no rule. */
export function requireFutureDeadlines(world: World, { stopAtMs, terminateAtMs }: PodSpec): void {
  if ((stopAtMs ?? Infinity) <= world.nowMs) throw passed('stopAfter')
  if ((terminateAtMs ?? Infinity) <= world.nowMs) throw passed('terminateAfter')
}

const passed = (field: string) => invalidField([field], 'must be in the future')

/** The timers of a new pod. */
export function setDeadlines(world: World, podId: string, spec: PodSpec): Timers {
  const timer = (action: DeadlineAction, atMs: number | undefined): TimerId | undefined =>
    atMs === undefined
      ? undefined
      : world.timeline.after(atMs - world.nowMs, { kind: 'pod.deadline', podId, action })
  return {
    stopTimer: timer('stop', spec.stopAtMs),
    terminateTimer: timer('terminate', spec.terminateAtMs),
  }
}

/** For a pod that ends before its time. */
export function cancelDeadlines(world: World, { stopTimer, terminateTimer }: Timers): void {
  world.timeline.cancel(stopTimer ?? null)
  world.timeline.cancel(terminateTimer ?? null)
}

/** The pod without the deadline that is due. */
export function passDeadline(world: World, pod: Pod, action: DeadlineAction): Pod {
  world.timeline.record('pod.deadline-passed', pod.id, { action })
  return action === 'stop'
    ? { ...pod, stopTimer: undefined }
    : { ...pod, terminateTimer: undefined }
}
