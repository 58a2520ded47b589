/** Containers of pods that are real: started and ended with their pods, and what comes of them. */
import { maskSecrets } from '../model/masking.ts'
import { holdsCompute, type Pod, type PodContainer, type PodStatus } from '../model/pod.ts'
import type { World } from '../world/world.ts'
import type { EventHandlers } from './handle-event.ts'
import { loopbackIp, publicIp } from './pod-addresses.ts'
import { imageWords } from './pod-parts.ts'
import { takeStep } from './pod-steps.ts'
import { describeExit, type ProgramExit } from './serverless/programs.ts'

/** What engines say of one that ended by a SIGKILL. */
const killedCode = 137

/** Of a pod that has yet to start. */
export const noContainer: PodContainer = { launch: 0, asked: false, exits: 0, reclaimed: false }

/** What becomes of a pod's container as the pod enters a status; null for a pod that is simulated. */
export function runContainer(world: World, pod: Pod, status: PodStatus): PodContainer | null {
  const { id: podId, container } = pod
  if (container === null) return null
  const { launch, asked, reclaimed } = container
  const forget = status === 'TERMINATED'
  const isOver = status === 'STARTING' || !holdsCompute(status)
  if (forget || (asked && isOver)) {
    const withinMs = reclaimed ? world.waitMs('spotWarningMs') : null
    world.emit({ kind: 'container.stop', podId, launch, forget, withinMs })
  }
  if (status !== 'STARTING') return isOver ? { ...container, asked: false } : container
  world.emit({ kind: 'container.start', podId, launch: launch + 1 })
  return { ...noContainer, launch: launch + 1, asked: true }
}

/** Of a pod that is about to be reclaimed: the end of its container is to be told. */
export function reclaimContainer({ container }: Pod): PodContainer | null {
  return container === null ? null : { ...container, reclaimed: container.asked }
}

/** Where the TCP ports of a container are reached, as its engine and this machine have it. */
export interface Reach {
  /** On this machine's loopback, or else nowhere. */
  readonly isHere: boolean
  /** Why ports lead nowhere, for people. */
  readonly problems: readonly string[]
}

/** Before it starts: what it is told of its address, and its pod's record shows, is to be true. */
export function containerReached(
  world: World,
  podId: string,
  launch: number,
  { isHere, problems }: Reach,
): void {
  const pod = findLaunched(world, podId, launch)
  if (pod === undefined) return
  for (const problem of problems) world.log(podId, 'system', problem)
  if (isHere === (pod.publicIp === loopbackIp)) return
  world.pods.put({ ...pod, publicIp: isHere ? loopbackIp : publicIp(world) })
}

/** It runs, and so does its pod. */
export function containerStarted(world: World, podId: string, launch: number): void {
  const pod = findLaunched(world, podId, launch)
  if (pod?.status === 'STARTING') takeStep(world, pod, 'boot', 'Runpod')
}

/** It ended by itself, or never was. Assumed: one that ran is started again, later each time. */
export function containerExited(
  world: World,
  podId: string,
  launch: number,
  exit: ProgramExit,
): void {
  const reclaimed = world.pods.find(podId)
  if (reclaimed?.container?.reclaimed && reclaimed.container.launch === launch) {
    reclaimedEnded(world, reclaimed, exit)
    return
  }
  const pod = findLaunched(world, podId, launch)
  if (pod === undefined || pod.container === null) return
  const why = describeExit(exit)
  world.timeline.record('pod.container-exited', podId, { why })
  world.log(podId, 'system', `container exited: ${why}`)
  const ended = { ...pod, container: { ...pod.container, asked: false } }
  if (pod.status === 'STARTING') {
    takeStep(world, ended, 'fail', 'Runpod')
    return
  }
  const { exits } = pod.container
  const restartMs = Math.min(
    world.waitMs('workerRestartMs') * 2 ** exits,
    world.waitMs('workerRestartMaxMs'),
  )
  const timer = world.timeline.after(restartMs, { kind: 'pod.container-due', podId })
  world.pods.put({ ...ended, container: { ...ended.container, exits: exits + 1 }, timer })
}

/** Its engine has asked it to end, and ended it when it had not by then. */
function reclaimedEnded(world: World, pod: Pod, exit: ProgramExit): void {
  const { id, container } = pod
  if (exit.code === killedCode) killed(world, id)
  else {
    const why = describeExit(exit)
    world.timeline.record('pod.container-exited', id, { why })
    world.log(id, 'system', `container exited: ${why}`)
  }
  if (container !== null) world.pods.put({ ...pod, container: { ...container, reclaimed: false } })
}

/** The container of a reclaimed pod was given its time, and has not ended. */
export function killed(world: World, podId: string): void {
  world.timeline.record('pod.killed', podId)
  world.log(podId, 'system', `container ${podId} has not ended: SIGKILL`)
}

/** A line that it wrote. Logs go further than the terminal that they were meant for: keys do not. */
export function containerWrote(world: World, podId: string, launch: number, line: string): void {
  if (world.pods.find(podId)?.container?.launch !== launch) return
  world.log(podId, 'container', maskSecrets(line))
}

/** What ran elsewhere has stayed there: the containers of pods here are started anew. */
export function startContainersAnew(world: World): void {
  // Nobody looks at each of very many pods: a fork is to cost the same, whatever there is.
  if (world.work.containers === 0) return
  for (const pod of world.pods.values()) {
    if (pod.container === null || !pod.container.asked) continue
    const container = runContainer(world, { ...pod, container: noContainer }, 'STARTING')
    world.pods.put({ ...pod, container })
  }
}

export const containerEventHandlers: EventHandlers<'pod.container-due'> = {
  'pod.container-due': (world, { podId }) => {
    const pod = world.pods.require(podId)
    const { exits = 0 } = pod.container ?? {}
    world.log(podId, 'system', imageWords(pod.spec.container.image).begun)
    const started = runContainer(world, pod, 'STARTING')
    const container = started === null ? null : { ...started, exits }
    world.pods.put({ ...pod, container, timer: null })
  },
}

function findLaunched(world: World, podId: string, launch: number): Pod | undefined {
  const pod = world.pods.find(podId)
  return pod?.container?.launch === launch && pod.container.asked ? pod : undefined
}
