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
import { privateIp, reachTimes } from './pod-addresses.ts'
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
  if (status !== 'RUNNING') {
    return world.pods.put({ ...pod, lastChange, status, container, timer, reachableAtMs: null })
  }
  const { reachableAtMs, portsAtMs, servesAtMs } = reachTimes(world)
  const joined = pod.spec.globalNetworking ? (pod.privateIp ?? privateIp(world)) : null
  const startedAtMs = world.nowMs
  return world.pods.put({
    ...pod,
    lastChange,
    status,
    timer,
    startedAtMs,
    reachableAtMs,
    portsAtMs,
    servesAtMs,
    privateIp: joined,
  })
}
