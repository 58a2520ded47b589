/** A pod as REST v2 shows it. */
import { isReachable, reportedPorts } from '../../domain/pod-addresses.ts'
import type { Placement } from '../../model/compute.ts'
import {
  type ClusterMembership,
  holdsCompute,
  type Pod,
  type PodAction,
  type PodSpec,
  type PodStatus,
  podActions,
  podTransitions,
} from '../../model/pod.ts'
import { idleUse } from '../../model/pod-use.ts'
import { stepsFrom } from '../../model/transitions.ts'
import { toIso, toIsoOrNull } from '../http/reply.ts'
import { toContainerV2 } from './container.ts'

/** What may be asked of a pod, by its status. */
const actionsFrom = Object.fromEntries(
  (Object.keys(podTransitions) as PodStatus[]).map((status) => [
    status,
    stepsFrom(podTransitions, status, podActions),
  ]),
) as unknown as Readonly<Record<PodStatus, readonly PodAction[]>>

/**
 * Pods are polled all the time, so it is one literal without spreads: objects of one shape are quick to
 * make and to write as JSON, which leaves out what is undefined.
 */
export function toPodV2(pod: Pod, nowMs: number) {
  const { id, spec, status, placement } = pod
  const { image, args, entrypoint, cmd, disk, ports, env, registry } = toContainerV2(spec.container)
  return {
    id,
    name: spec.name,
    status,
    actions: actionsFrom[status],
    image,
    args,
    entrypoint,
    cmd,
    disk,
    ports,
    env,
    registry,
    mounts: toMounts(spec),
    gpu: toGpu(placement),
    cpu: toCpu(placement),
    cloud: placement.cloud,
    dataCenterId: placement.dataCenterId,
    cudaVersion: placement.cudaVersion,
    ssh: toSsh(pod, nowMs),
    cluster: pod.cluster === null ? undefined : toMembership(pod.cluster),
    // Spec: a template is applied once, when the pod is made; v2 keeps no link to it.
    template: null,
    // Spec: a pod that is stopped costs nothing here; its disks are billed apart.
    cost: isPaidFor(pod) ? placement.costPerHourUsd : 0,
    locked: spec.locked,
    globalNetworking: toGlobalNetworking(pod),
    runtime: toRuntime(pod, nowMs),
    createdAt: toIso(pod.createdAtMs),
    startedAt: toIsoOrNull(pod.startedAtMs),
  }
}

/** Spec: nor is what waits for the data of a pod that migrates. */
function isPaidFor({ status, migratesFrom }: Pod): boolean {
  return holdsCompute(status) && migratesFrom === undefined
}

function toMounts({ persistent, network }: PodSpec) {
  return {
    persistent:
      persistent === null ? undefined : { size: persistent.sizeGb, path: persistent.path },
    network: network === null ? undefined : [network],
  }
}

function toGpu({ gpuTypeId, gpuCount, vcpuCount, memoryGb }: Placement) {
  if (gpuTypeId === null) return undefined
  return { id: gpuTypeId, count: gpuCount, vcpuCount, memory: memoryGb }
}

function toCpu({ gpuTypeId, flavorId, vcpuCount, memoryGb }: Placement) {
  if (gpuTypeId !== null) return undefined
  return { id: flavorId ?? '', vcpuCount, memory: memoryGb }
}

function toMembership({ clusterId, rank, role, ip }: ClusterMembership) {
  return { id: clusterId, rank, ...(role === null ? {} : { role }), ip }
}

/** Spec: it takes effect with the next start; until then there is no address. */
function toGlobalNetworking({ id, spec, privateIp }: Pod) {
  const enabled = spec.globalNetworking
  if (!enabled || privateIp === null) return { enabled }
  return { enabled, ip: privateIp, internalDns: `${id}.runpod.internal` }
}

/** Spec: the proxy as soon as there is a machine, the direct way once port 22 has an address. */
function toSsh(pod: Pod, nowMs: number) {
  const proxy = {
    host: 'ssh.runpod.io',
    port: 22,
    username: pod.hostId,
    command: `ssh ${pod.hostId}@ssh.runpod.io`,
  }
  const ports = reportedPorts(pod, nowMs) ?? []
  const port = ports.find(({ privatePort, type }) => privatePort === 22 && type === 'tcp')
  if (port === undefined || port.publicPort === null) return { proxy, direct: null }
  const { publicIp } = pod
  const command = `ssh root@${publicIp} -p ${port.publicPort}`
  return { proxy, direct: { host: publicIp, port: port.publicPort, username: 'root', command } }
}

function toRuntime(pod: Pod, nowMs: number) {
  if (!isReachable(pod, nowMs)) return null
  const { gpu, gpuMemory, cpu, memory } = pod.use ?? idleUse
  return {
    uptime: Math.floor((nowMs - (pod.startedAtMs ?? nowMs)) / 1_000),
    gpus: new Array(pod.placement.gpuCount).fill({ util: gpu, memoryUtil: gpuMemory }),
    cpu: { util: cpu },
    memory: { util: memory },
    // Assumed: a runtime that is there before its ports has none.
    ports: (reportedPorts(pod, nowMs) ?? []).map(({ privatePort, publicPort, type }) => ({
      private: privatePort,
      public: publicPort,
      type,
      ip: publicPort === null ? null : pod.publicIp,
    })),
  }
}
