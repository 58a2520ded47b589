/** Where a pod is reached: its public address and ports, and its address in the global network. */
import { parsePort, symmetricalFrom } from '../model/container.ts'
import type { PodPort } from '../model/pod.ts'
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

/** From 203.0.113.0/24, which is reserved for documents and leads nowhere. */
export function publicIp(world: World): string {
  return `203.0.113.${1 + world.random.stream('ports').below(254)}`
}

/** Spec: in 10.65.0.0/16. */
export function privateIp(world: World): string {
  const random = world.random.stream('private addresses')
  return `10.65.${random.below(256)}.${1 + random.below(254)}`
}
