/** What can be done to pods, and how they move by themselves. */
import { actionNotAllowed, conflict, ruleViolation } from '../model/errors.ts'
import {
  holdsCompute,
  type Pod,
  type PodAction,
  type PodBackend,
  type PodSpec,
  type PodStatus,
  type PodStep,
  podTransitions,
} from '../model/pod.ts'
import { nextStatus } from '../model/transitions.ts'
import { flat } from '../sim/flat.ts'
import type { World } from '../world/world.ts'
import { requireAffordable } from './affordability.ts'
import { choosePlacement, requireKnownTypes } from './capacity.ts'
import type { EventHandlers } from './handle-event.ts'
import { assignPorts, publicIp, stalePortsOf } from './pod-addresses.ts'
import { meterPod } from './pod-billing.ts'
import { killed, noContainer, reclaimContainer } from './pod-containers.ts'
import { passDeadline, requireFutureDeadlines, setDeadlines } from './pod-deadlines.ts'
import { imageWords, sharedParts } from './pod-parts.ts'
import {
  placeAgain,
  placementRequestOf,
  type ResumeWish,
  settleMigration,
} from './pod-placement.ts'
import {
  requireGlobalHardware,
  requireGlobalPlace,
  requireNoCluster,
  requireNoMigration,
  requireSameKindOfDisk,
  requireSoundContainer,
} from './pod-rules.ts'
import { enterStatus, takeStep } from './pod-steps.ts'
import { requireRegistry } from './registries.ts'
import { podsInTheWay } from './spot-pods.ts'

/** Refuses with `no_capacity`, `insufficient_balance`, `not_found` or `rule_violation`. */
export function createPod(world: World, spec: PodSpec): Pod {
  return createPodWithId(world, world.ids.next('pod'), spec)
}

/** For fixtures, which name their pods. */
export function createPodWithId(
  world: World,
  id: string,
  spec: PodSpec,
  backend: PodBackend = world.settings.podBackend,
): Pod {
  requireKnownTypes(world, spec.compute)
  requireSoundContainer(spec.container)
  requireGlobalHardware(world, spec)
  requireRegistry(world, spec.container.registryId)
  requireFutureDeadlines(world, spec)
  const placement = choosePlacement(world, placementRequestOf(world, spec))
  requireAffordable(world, placement.costPerHourUsd)
  return addPod(world, { id, spec, placement, cluster: null }, backend)
}

type NewPod = Pick<Pod, 'id' | 'spec' | 'placement' | 'cluster' | 'migratesFrom'>

/** Puts a pod where it is placed. Whatever could refuse it has been asked before. */
export function addPod(
  world: World,
  { id, spec, placement, cluster, migratesFrom }: NewPod,
  backend: PodBackend = world.settings.podBackend,
): Pod {
  for (const { id: spotId } of podsInTheWay(world, placement)) reclaimPod(world, spotId)
  world.timeline.record('pod.created', id, { dataCenterId: placement.dataCenterId })
  world.log(id, 'system', imageWords(spec.container.image).created)
  const { stopTimer, terminateTimer } = setDeadlines(world, id, spec)
  const pod: Pod = {
    id,
    container: backend === 'simulated' ? null : noContainer,
    spec: sharedParts(spec),
    status: 'PROVISIONING',
    placement,
    cluster,
    hostId: flat(`${id}-6441${world.ids.next('host')}`),
    publicIp: publicIp(world),
    privateIp: null,
    ports: assignPorts(world, spec.container.ports),
    version: 1,
    createdAtMs: world.nowMs,
    startedAtMs: null,
    reachableAtMs: null,
    lastChange: { verb: 'Rented', by: 'User', atMs: world.nowMs },
    timer: null,
    migratesFrom,
    stopTimer,
    terminateTimer,
  }
  return enterStatus(world, pod, 'PROVISIONING')
}

export function applyPodAction(world: World, podId: string, action: PodAction): Pod {
  const pod = world.pods.require(podId)
  requireNoMigration(world, pod, action)
  if (action === 'start') return startPod(world, pod, {})
  if (action === 'terminate') requireNoCluster(pod, action)
  // Spec: a locked pod cannot be stopped or reset. Assumed: nor terminated, nor restarted.
  if (pod.spec.locked) throw conflict(`pod ${podId} is locked; unlock it to ${action} it`)
  return takeStep(world, pod, action, 'User')
}

/** Assumed: `nextVersion` makes what is started again another version, as a change of it would. */
export function stopPod(world: World, podId: string, nextVersion: boolean): Pod {
  const stopped = applyPodAction(world, podId, 'stop')
  return nextVersion ? world.pods.put({ ...stopped, version: stopped.version + 1 }) : stopped
}

/** For whoever ends a pod without asking the pod: its cluster. */
export function terminatePod(world: World, pod: Pod): Pod {
  return takeStep(world, pod, 'terminate', 'User')
}

/** Starts a stopped pod, with other GPUs or at another bid where it is told to. */
export function resumePod(world: World, podId: string, wish: ResumeWish): Pod {
  const pod = world.pods.require(podId)
  requireNoMigration(world, pod)
  return startPod(world, pod, wish)
}

/**
 * The platform takes a spot pod's GPUs back. Spec (v1): at any time, for somebody else; it is then
 * EXITED and keeps its disk. Observed: the container has a moment from SIGTERM to SIGKILL. Refuses a
 * pod that is none, or that has no container yet.
 */
export function reclaimPod(world: World, podId: string): Pod {
  const pod = world.pods.require(podId)
  if (!pod.spec.interruptible) throw ruleViolation(`pod ${podId} is not a spot pod`)
  const exited = takeStep(world, { ...pod, container: reclaimContainer(pod) }, 'reclaim', 'Runpod')
  // One that is real is given its moment by its engine, which tells whether it was enough.
  if (exited.container !== null) return exited
  const timer = world.timeline.after(world.waitMs('spotWarningMs'), { kind: 'pod.kill-due', podId })
  return world.pods.put({ ...exited, timer })
}

/** Spec (v1): a reset makes the container anew and keeps the volume; its public ports change. */
export function resetPod(world: World, podId: string): Pod {
  const pod = applyPodAction(world, podId, 'restart')
  return world.pods.put({ ...pod, ports: assignPorts(world, pod.spec.container.ports) })
}

/**
 * Changes a pod's settings. What the container is made from makes it anew, in place, as v1 says;
 * name and lock do not. Assumed: v2 restarts a running pod likewise.
 */
export function updatePod(world: World, podId: string, spec: PodSpec): Pod {
  const pod = world.pods.require(podId)
  requireNoCluster(pod, 'change')
  requireSameKindOfDisk(pod.spec, spec)
  requireSoundContainer(spec.container)
  requireGlobalPlace(world, pod, spec)
  requireRegistry(world, spec.container.registryId)
  const before = JSON.stringify([pod.spec.container, pod.spec.persistent, pod.spec.network])
  const after = JSON.stringify([spec.container, spec.persistent, spec.network])
  const remade = before !== after
  if (remade && pod.spec.locked && spec.locked) throw conflict(`pod ${podId} is locked`)
  world.timeline.record('pod.updated', podId, { remade })
  const updated = { ...pod, spec, version: pod.version + (remade ? 1 : 0) }
  if (!remade) {
    meterPod(world, updated)
    return world.pods.put(updated)
  }
  const withPorts = { ...updated, ports: assignPorts(world, spec.container.ports) }
  if (pod.status === 'RUNNING') return takeStep(world, withPorts, 'restart', 'User')
  meterPod(world, withPorts)
  return world.pods.put(withPorts)
}

export const podEventHandlers: EventHandlers<'pod.due' | 'pod.kill-due' | 'pod.deadline'> = {
  'pod.due': (world, { podId, step }) => {
    takeStep(world, settleMigration(world, world.pods.require(podId)), step, 'Runpod')
  },
  'pod.kill-due': (world, { podId }) => {
    const pod = world.pods.require(podId)
    killed(world, podId)
    world.pods.put({ ...pod, timer: null })
  },
  'pod.deadline': (world, { podId, action }) => {
    const pod = passDeadline(world, world.pods.require(podId), action)
    const isDown = action === 'stop' && !holdsCompute(pod.status)
    // Assumed: a lock holds against a deadline too.
    if (isDown || pod.spec.locked) world.pods.put(pod)
    else takeStep(world, pod, action, 'Runpod')
  },
}

function startPod(world: World, pod: Pod, wish: ResumeWish): Pod {
  if (nextStatus<PodStatus, PodStep>(podTransitions, pod.status, 'start') === undefined) {
    throw actionNotAllowed('pod', 'start', pod.status)
  }
  const placed = placeAgain(world, pod, wish)
  requireAffordable(world, placed.placement.costPerHourUsd)
  // Observed: public ports change between a stop and the next start.
  const ports = assignPorts(world, pod.spec.container.ports)
  const stalePorts = stalePortsOf(world, pod)
  return takeStep(world, { ...placed, ports, stalePorts }, 'start', 'User')
}
