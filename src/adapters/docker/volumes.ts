/** Volumes of a Docker engine, in which what a pod writes outlives its container. */
import { connectEngine, type Engine } from './engine.ts'
import { isOrphan, labelsFor, ownerLabel } from './instance.ts'

/** One that is there already stays as it is. */
export async function makeVolume(engine: Engine, name: string, ownerId: string): Promise<void> {
  await engine.createVolume({ Name: name, Labels: labelsFor(ownerId) })
}

/** Those that no container uses any more. Never rejects: where the engine is gone there are none. */
export async function removeVolumes(names: readonly string[]): Promise<void> {
  if (names.length === 0) return
  const engine = await connectEngine().catch(() => undefined)
  if (engine !== undefined) await Promise.all(names.map((name) => removeVolume(engine, name)))
}

/** By name, those of emulators that are gone. */
export async function listOrphanVolumes(engine: Engine): Promise<string[]> {
  const { Volumes: volumes } = await engine.listVolumes({ filters: { label: [ownerLabel] } })
  return volumes.filter(({ Labels }) => isOrphan(Labels)).map(({ Name }) => Name)
}

export async function removeVolume(engine: Engine, name: string): Promise<void> {
  const volume = engine.getVolume(name)
  // 404: it never was used. 409: something else uses it, which is then not ours to break.
  await volume.remove().catch(() => {})
}
