/** How a pod moves along its table, and what each step brings with it. */
import { actionNotAllowed } from '../model/errors.ts'
import type { HistoryKind } from '../model/history.ts'
import {
  type Pod,
  type PodStatus,
  type PodStep,
  podTransitions,
  type StatusChange,
} from '../model/pod.ts'
import { nextStatus } from '../model/transitions.ts'
import type { World } from '../world/world.ts'
import { podPullFails } from './faults/pulls.ts'
import { type Reach, reachNow, unreachable } from './pod-addresses.ts'
import { meterPod } from './pod-billing.ts'
import { runContainer } from './pod-containers.ts'
import { cancelDeadlines } from './pod-deadlines.ts'
import { stageOf } from './pod-stages.ts'
import { logPodStep, podVerbs } from './pod-words.ts'

/** One step along the table, with everything that it brings with it; refuses one that it lacks. */
export function takeStep(world: World, pod: Pod, step: PodStep, by: StatusChange['by']): Pod {
  const status = nextStatus<PodStatus, PodStep>(podTransitions, pod.status, step)
  if (status === undefined) throw actionNotAllowed('pod', step, pod.status)
  const verb = podVerbs[step]
  const lastChange = verb === undefined ? pod.lastChange : { verb, by, atMs: world.nowMs }
  logPodStep(world, pod, step)
  return enterStatus(world, pod, status, lastChange)
}

/** What the timeline says when a pod has entered a status. */
const entered = {
  PROVISIONING: 'pod.provisioning',
  STARTING: 'pod.starting',
  RUNNING: 'pod.running',
  EXITED: 'pod.exited',
  ERROR: 'pod.error',
  TERMINATED: 'pod.terminated',
} as const satisfies Record<PodStatus, HistoryKind>

/** The pod is copied once, whatever is new about it: there may be many of them, and all pass here. */
export function enterStatus(
  world: World,
  pod: Pod,
  status: PodStatus,
  lastChange = pod.lastChange,
): Pod {
  world.timeline.cancel(pod.timer)
  world.timeline.record(entered[status], pod.id)
  world.emit({ kind: 'changed', id: pod.id })
  meterPod(world, pod, status)
  const fails = status === 'STARTING' && podPullFails(world, pod)
  const container = runContainer(world, pod, fails ? 'ERROR' : status)
  if (status === 'TERMINATED') {
    cancelDeadlines(world, pod)
    world.pods.remove(pod.id)
    world.endLog(pod.id)
    return { ...pod, lastChange, status, timer: null, reachableAtMs: null }
  }
  // A container takes as long as it takes to start.
  const isOutside = container !== null && status === 'STARTING' && !fails
  const stage = isOutside ? undefined : stageOf(pod, status)
  const timer =
    stage === undefined
      ? null
      : world.timeline.after(world.waitMs(stage.wait), {
          kind: 'pod.due',
          podId: pod.id,
          step: fails ? 'fail' : stage.step,
        })
  const reach = status === 'RUNNING' ? reachNow(world, pod) : unreachable(pod)
  return world.pods.put(inStatus(pod, { lastChange, status, container, timer }, reach))
}

type Entered = Pick<Pod, 'lastChange' | 'status' | 'container' | 'timer'>

/**
 * Tuned: every field by name, as Node 20 gives each copy of an object that got its fields by `...` and
 * then some more a hidden class of its own, which weighed 600 bytes and more than the pod.
 */
function inStatus(
  pod: Pod,
  { lastChange, status, container, timer }: Entered,
  { startedAtMs, reachableAtMs, portsAtMs, servesAtMs, privateIp }: Reach,
): { readonly [Field in keyof Required<Pod>]: Pod[Field] } {
  return {
    id: pod.id,
    container,
    spec: pod.spec,
    status,
    placement: pod.placement,
    cluster: pod.cluster,
    hostId: pod.hostId,
    publicIp: pod.publicIp,
    privateIp,
    ports: pod.ports,
    version: pod.version,
    createdAtMs: pod.createdAtMs,
    startedAtMs,
    reachableAtMs,
    portsAtMs,
    servesAtMs,
    stalePorts: pod.stalePorts,
    migratesFrom: pod.migratesFrom,
    migratesTo: pod.migratesTo,
    lastChange,
    use: pod.use,
    timer,
    stopTimer: pod.stopTimer,
    terminateTimer: pod.terminateTimer,
  }
}
