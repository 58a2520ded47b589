/** What a pod's spec has to keep to, wherever it comes from. */
import { type ContainerSpec, parsePort, symmetricalFrom } from '../model/container.ts'
import { conflict, ruleViolation } from '../model/errors.ts'
import type { Pod, PodAction, PodSpec } from '../model/pod.ts'
import type { World } from '../world/world.ts'

const mostHttpPorts = 10
const mostVariables = 50
const highestPort = 65_535

/** Spec: ports go to 65535, or ask for a symmetrical one; ten of them may be HTTP; 50 variables. */
export function requireSoundContainer({ ports, env }: ContainerSpec): void {
  let httpPorts = 0
  for (const port of ports) {
    const { number, type } = parsePort(port)
    if (type === 'http') httpPorts += 1
    const isPort = number >= 1 && number <= highestPort
    if (isPort || (type === 'tcp' && number >= symmetricalFrom)) continue
    throw ruleViolation(
      `there is no port ${port}: ports end at ${highestPort}, symmetrical TCP ports begin at ${symmetricalFrom}`,
    )
  }
  if (httpPorts > mostHttpPorts) {
    throw ruleViolation(`a pod has at most ${mostHttpPorts} HTTP ports, not ${httpPorts}`)
  }
  const variables = Object.keys(env).length
  if (variables > mostVariables) {
    throw ruleViolation(`a pod has at most ${mostVariables} variables, not ${variables}`)
  }
}

/** Spec: global networking is for NVIDIA GPUs. Where they may be is a matter of placement. */
export function requireGlobalHardware(world: World, { compute, globalNetworking }: PodSpec): void {
  if (!globalNetworking) return
  const { gpus } = world.settings.catalog
  const typeIds = compute.kind === 'GPU' ? compute.gpuTypeIds : []
  const isNvidia = (id: string) => gpus.some((gpu) => gpu.id === id && gpu.vendor === 'NVIDIA')
  if (typeIds.length > 0 && typeIds.every(isNvidia)) return
  throw ruleViolation('global networking needs an NVIDIA GPU')
}

/** For a pod that has its place already. */
export function requireGlobalPlace(world: World, pod: Pod, spec: PodSpec): void {
  if (!spec.globalNetworking || pod.spec.globalNetworking) return
  requireGlobalHardware(world, spec)
  const { dataCenterId } = pod.placement
  const place = world.stock.dataCenters.find(({ id }) => id === dataCenterId)
  if (place?.globalNetwork) return
  throw ruleViolation(`data center ${dataCenterId} has no global networking`)
}

/** Spec: disks can grow, not shrink, and cannot be exchanged for one of another kind. */
export function requireSameKindOfDisk(before: PodSpec, after: PodSpec): void {
  if (before.network?.volumeId !== after.network?.volumeId) {
    throw ruleViolation('a network volume can only be attached when a pod is created')
  }
  if ((before.persistent === null) !== (after.persistent === null)) {
    throw ruleViolation('a persistent disk can only be added when a pod is created')
  }
  if ((after.persistent?.sizeGb ?? 0) < (before.persistent?.sizeGb ?? 0)) {
    throw ruleViolation('a persistent disk can grow, not shrink')
  }
}

/** Spec: members of a cluster are changed and deleted with it. */
export function requireNoCluster({ id, cluster }: Pod, action: string): void {
  if (cluster === null) return
  throw conflict(`cannot ${action} pod ${id}: it belongs to cluster ${cluster.clusterId}`)
}

/**
 * Spec: a pod is neither stopped nor terminated while its data are on their way, in these words.
 * Assumed: nor is the pod that waits for them, until it is terminated, which ends the migration.
 */
export function requireNoMigration(world: World, pod: Pod, action?: PodAction): void {
  const isTarget = pod.migratesFrom !== undefined && action !== 'terminate'
  const target = pod.migratesTo === undefined ? undefined : world.pods.find(pod.migratesTo)
  if (!isTarget && target?.migratesFrom !== pod.id) return
  throw conflict('This pod has a migration in progress. Cancel the migration before terminating.')
}
