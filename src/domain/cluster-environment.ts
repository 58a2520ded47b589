/** What the pods of a cluster are told about each other, as variables. */
import type { Pod } from '../model/pod.ts'
import type { World } from '../world/world.ts'

// Assumed: the port that torchrun meets on by itself; the documents name the variable only.
const primaryPort = '29400'

/** Spec: the names. Empty for a pod of its own. */
export function clusterEnvironment(world: World, { cluster: member }: Pod): Record<string, string> {
  if (member === null) return {}
  const { podCount, gpuCountPerPod } = world.clusters.require(member.clusterId).spec
  const address = nodeAddress(0)
  return {
    PRIMARY_ADDR: address,
    MASTER_ADDR: address,
    PRIMARY_PORT: primaryPort,
    MASTER_PORT: primaryPort,
    HOST_NODE_ADDR: `${address}:${primaryPort}`,
    NODE_ADDR: member.ip,
    NODE_RANK: String(member.rank),
    NUM_NODES: String(podCount),
    NUM_TRAINERS: String(gpuCountPerPod),
    WORLD_SIZE: String(podCount * gpuCountPerPod),
  }
}

/** A pod's address in its cluster's network. Assumed: in the order of ranks, from the second on. */
export function nodeAddress(rank: number): string {
  const host = rank + 2
  return `10.65.${Math.floor(host / 256)}.${host % 256}`
}
