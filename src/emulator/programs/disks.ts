/** Volumes of a Docker engine that are the disks of worlds: named, mounted, and removed in the end. */
import type { Pod } from '../../model/pod.ts'
import type { Worker } from '../../model/worker.ts'
import type { World } from '../../world/world.ts'
import type { Disk } from './launch.ts'

export class Disks {
  /** Volumes by world, and worlds by number: the next world has disks of its own. */
  readonly #disks = new Map<World, { readonly number: number; readonly names: Set<string> }>()
  #worlds = 0

  /** Worlds that have some. */
  get size(): number {
    return this.#disks.size
  }

  /** What the platform mounts for a worker. Spec: the network volume of its data center. */
  ofWorker(world: World, { endpointId, placement, backend }: Worker): Disk[] {
    if (backend !== 'docker') return []
    const { networkVolumeIds } = world.endpoints.require(endpointId).spec
    const id = networkVolumeIds.find((volumeId) => {
      return world.networkVolumes.find(volumeId)?.dataCenterId === placement?.dataCenterId
    })
    return id === undefined ? [] : [{ name: this.#nameOf(world, id), path: '/runpod-volume' }]
  }

  /** A disk of its own, which stays while it is stopped, and the network volume. */
  ofPod(world: World, { id, spec }: Pod): Disk[] {
    const own = spec.persistent === null ? [] : [{ id, path: spec.persistent.path }]
    const shared =
      spec.network === null ? [] : [{ id: spec.network.volumeId, path: spec.network.path }]
    return [...own, ...shared].map((disk) => ({
      name: this.#nameOf(world, disk.id),
      path: disk.path,
    }))
  }

  /** The pod is no more: its own disk goes as soon as its container has. */
  async forget(world: World, podId: string, gone: Promise<void> | undefined): Promise<void> {
    const disks = this.#disks.get(world)
    const name = [...(disks?.names ?? [])].find((known) => known.endsWith(`-${podId}`))
    if (name === undefined) return
    await gone
    disks?.names.delete(name)
    await removeAll([name])
  }

  /** The world is no more: its disks go as soon as all that use them have. */
  async forgetWorld(world: World, gone: Promise<unknown>): Promise<void> {
    const disks = this.#disks.get(world)
    this.#disks.delete(world)
    await gone
    await removeAll([...(disks?.names ?? [])])
  }

  async forgetAll(gone: Promise<unknown>): Promise<void> {
    await Promise.all([...this.#disks.keys()].map((world) => this.forgetWorld(world, gone)))
  }

  #nameOf(world: World, id: string): string {
    const known = this.#disks.get(world)
    const disks = known ?? { number: this.#worlds++, names: new Set<string>() }
    this.#disks.set(world, disks)
    const name = `compute-emulator-${process.pid}-${disks.number}-${id}`
    disks.names.add(name)
    return name
  }
}

async function removeAll(names: readonly string[]): Promise<void> {
  if (names.length === 0) return
  const { removeVolumes } = await import('../../adapters/docker/volumes.ts')
  await removeVolumes(names)
}
