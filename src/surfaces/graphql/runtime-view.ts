/** What a pod does at the moment, as GraphQL shows it. A simulated one does what it is said to. */
import { isReachable, reportedPorts } from '../../domain/pod-addresses.ts'
import type { Placement } from '../../model/compute.ts'
import { holdsCompute, type Pod } from '../../model/pod.ts'
import { idleUse } from '../../model/pod-use.ts'
import type { Worker } from '../../model/worker.ts'
import type { World } from '../../world/world.ts'
import { toIso } from '../http/reply.ts'

/** Null until the container can be reached. */
export function toRuntime(world: World, pod: Pod) {
  if (!isReachable(pod, world.nowMs)) return null
  const { gpu, gpuMemory, cpu, memory } = pod.use ?? idleUse
  return {
    uptimeInSeconds: uptimeOf(world, pod),
    // Assumed: a runtime that is there before its ports has none.
    ports: (reportedPorts(pod, world.nowMs) ?? []).map(({ privatePort, publicPort, type }) => ({
      ip: publicPort === null ? privateIpOf(pod) : pod.publicIp,
      isIpPublic: publicPort !== null,
      privatePort,
      // Assumed: the proxy, which HTTP ports are reached through, takes the port's own number.
      publicPort: publicPort ?? privatePort,
      type,
    })),
    gpus: () =>
      gpuIdsOf(pod.placement).map((id) => ({
        id,
        gpuUtilPercent: gpu,
        memoryUtilPercent: gpuMemory,
      })),
    container: { cpuPercent: cpu, memoryPercent: memory },
  }
}

export function toTelemetry(world: World, pod: Pod) {
  if (holdsCompute(pod.status) && !isReachable(pod, world.nowMs)) return null
  const runs = holdsCompute(pod.status)
  const use = (runs && pod.use) || idleUse
  const metricsOf = (id: string) => ({
    ...idle(id),
    percentUtilization: use.gpu,
    memoryUtilization: use.gpuMemory,
  })
  return {
    state: runs ? 'running' : 'exited',
    time: toIso(runs ? world.nowMs : pod.lastChange.atMs),
    cpuUtilization: use.cpu,
    memoryUtilization: use.memory,
    averageGpuMetrics: () => (pod.placement.gpuCount === 0 ? null : metricsOf('average')),
    individualGpuMetrics: () => gpuIdsOf(pod.placement).map(metricsOf),
    lastStateTransitionTimestamp: Math.floor(pod.lastChange.atMs / 1_000),
  }
}

/** Null while it has no container. Assumed: a worker at a job or a request keeps its GPUs fully busy. */
export function toWorkerTelemetry(world: World, worker: Worker) {
  const { placement, startedAtMs, jobId, requestsInFlight } = worker
  if (placement === null || startedAtMs === null) return null
  const busy = jobId !== null || requestsInFlight > 0
  const metricsOf = (id: string) => (busy ? { ...idle(id), percentUtilization: 100 } : idle(id))
  return {
    state: worker.status === 'UNHEALTHY' ? 'exited' : 'running',
    time: toIso(world.nowMs),
    cpuUtilization: 0,
    memoryUtilization: 0,
    averageGpuMetrics: () => (placement.gpuCount === 0 ? null : metricsOf('average')),
    individualGpuMetrics: () => gpuIdsOf(placement).map(metricsOf),
    lastStateTransitionTimestamp: Math.floor(startedAtMs / 1_000),
  }
}

/** Assumed: the figures of a GPU that does nothing. */
function idle(id: string) {
  return { id, percentUtilization: 0, memoryUtilization: 0, temperatureCelcius: 30, powerWatts: 0 }
}

/** Observed: HTTP ports show an address of 100.65.0.0/16, inside the cloud. */
function privateIpOf({ publicIp }: Pod): string {
  return `100.65.0.${publicIp.split('.').at(-1)}`
}

/** Assumed: the form of a GPU's id. */
export function gpuIdsOf(placement: Placement | null): string[] {
  if (placement === null) return []
  const { machineId, gpuCount } = placement
  return Array.from({ length: gpuCount }, (_, index) => `GPU-${machineId}-${index}`)
}

/** Whole seconds since a pod or worker became what it is; 0 for one that does not run. */
export function uptimeOf(
  world: World,
  { status, startedAtMs }: Pick<Pod, 'startedAtMs'> & { readonly status: string },
): number {
  if (startedAtMs === null || status !== 'RUNNING') return 0
  return Math.floor((world.nowMs - startedAtMs) / 1_000)
}
