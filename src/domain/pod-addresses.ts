/** Where a pod is reached: its public address and ports, and its address in the global network. */
import { parsePort, symmetricalFrom } from '../model/container.ts'
import type { Pod, PodPort, StalePorts } from '../model/pod.ts'
import type { World } from '../world/world.ts'

export function assignPorts(world: World, ports: readonly string[]): PodPort[] {
  const random = world.random.stream('ports')
  return ports.map((port) => {
    const { number, type } = parsePort(port)
    const publicPort = type === 'tcp' ? 10_000 + random.below(50_000) : null
    // Spec: such a number stands for whatever port the outside gets, which the inside has as well.
    if (number >= symmetricalFrom && publicPort !== null) {
      return { privatePort: publicPort, publicPort, type }
    }
    return { privatePort: number, publicPort, type }
  })
}

/** Of a pod whose container is on this machine. */
export const loopbackIp = '127.0.0.1'

/** From 203.0.113.0/24, which is reserved for documents and leads nowhere. */
export function publicIp(world: World): string {
  return publicIps[world.random.stream('ports').below(254)] as string
}

/** Each is there once, however many pods have it. */
const publicIps = Array.from({ length: 254 }, (_, index) => `203.0.113.${1 + index}`)

/** Spec: in 10.65.0.0/16. */
export function privateIp(world: World): string {
  const random = world.random.stream('private addresses')
  return `10.65.${random.below(256)}.${1 + random.below(254)}`
}

/** What changes with a pod's status of how it is reached. */
export type Reach = {
  readonly [Field in
    | 'startedAtMs'
    | 'reachableAtMs'
    | 'portsAtMs'
    | 'servesAtMs'
    | 'privateIp']: Pod[Field]
}

/** Of a pod that is RUNNING from now on: when it can be seen, and reached. */
export function reachNow(world: World, pod: Pod): Reach {
  const startedAtMs = world.nowMs
  const reachableAtMs = startedAtMs + world.waitMs('podReachableMs')
  const portsAtMs = reachableAtMs + world.waitMs('podPortsMs')
  const servesAtMs = portsAtMs + world.waitMs('podServiceMs')
  return {
    startedAtMs,
    reachableAtMs,
    portsAtMs,
    servesAtMs,
    privateIp: pod.spec.globalNetworking ? (pod.privateIp ?? privateIp(world)) : null,
  }
}

export function unreachable({ startedAtMs, portsAtMs, servesAtMs, privateIp }: Pod): Reach {
  return { startedAtMs, reachableAtMs: null, portsAtMs, servesAtMs, privateIp }
}

/** True once its runtime is reported. */
export function isReachable({ reachableAtMs }: Pod, nowMs: number): boolean {
  return reachableAtMs !== null && reachableAtMs <= nowMs
}

/**
 * What is reported of its ports; undefined while nothing is. Observed: after a stop and a start the
 * ports of before are reported for a while, and lead nowhere.
 */
export function reportedPorts(pod: Pod, nowMs: number): readonly PodPort[] | undefined {
  const { portsAtMs = pod.reachableAtMs, stalePorts } = pod
  if (!isReachable(pod, nowMs) || portsAtMs === null || portsAtMs > nowMs) return undefined
  return stalePorts !== undefined && stalePorts.untilMs > nowMs ? stalePorts.ports : pod.ports
}

/** True once a web server in it listens. */
export function isServing(pod: Pod, nowMs: number): boolean {
  const { servesAtMs = pod.portsAtMs ?? pod.reachableAtMs } = pod
  return servesAtMs !== null && isReachable(pod, nowMs) && servesAtMs <= nowMs
}

/** Of a stopped pod that is started: what its surfaces go on to report. */
export function stalePortsOf(world: World, { ports, startedAtMs }: Pod): StalePorts | undefined {
  // One that never ran has shown none.
  if (startedAtMs === null) return undefined
  const forMs = world.waitMs('podStalePortsMs')
  return forMs === 0 ? undefined : { ports, untilMs: world.nowMs + forMs }
}
