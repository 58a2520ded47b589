/** What pods that are made alike have in common, which is there once: see `Alike`. */
import type { Compute } from '../model/compute.ts'
import type { CloudTier, ContainerSpec } from '../model/container.ts'
import type { PodSpec } from '../model/pod.ts'
import { Alike, remembering } from '../sim/alike.ts'

const containers = new Alike<ContainerSpec>()
const computes = new Alike<Compute>()
const clouds = new Alike<CloudTier[]>()
const locations = new Alike<string[]>()
const disks = new Alike<PodSpec['persistent']>()
const networks = new Alike<PodSpec['network']>()

/** The same spec, with parts of the one before where those say the same. */
export function sharedParts(spec: PodSpec): PodSpec {
  return {
    ...spec,
    container: containers.of(spec.container),
    compute: computes.of(spec.compute),
    clouds: clouds.of(spec.clouds),
    locations: locations.of(spec.locations),
    persistent: disks.of(spec.persistent),
    network: networks.of(spec.network),
  }
}

/** What a pod's log says of its image. */
export const imageWords = remembering((image: string) => ({
  created: `create container ${image}`,
  begun: `start container for ${image}: begin`,
}))
