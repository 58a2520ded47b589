/** Containers of emulators that were killed before they could remove them. */
import type { Container } from 'dockerode'
import { connectEngine, type Engine, EngineError } from './engine.ts'
import { isOrphan, ownerLabel } from './instance.ts'
import { listOrphanVolumes, removeVolume } from './volumes.ts'

export interface Leftover {
  readonly id: string
  readonly name: string
  readonly image: string
  /** The worker or pod that it was. */
  readonly ownerId: string
  /** `running`, `exited`, … */
  readonly state: string
}

/** Rejects with `EngineError` when no engine answers. */
export async function listLeftovers(engine?: Engine): Promise<Leftover[]> {
  const connected = engine ?? (await connectEngine())
  const filters = { label: [ownerLabel] }
  const listed = await connected.listContainers({ all: true, filters })
  return listed
    .filter(({ Labels: labels }) => isOrphan(labels))
    .map(({ Id, Names: [name = Id], Image, State, Labels: labels }) => ({
      id: Id,
      name: name.replace(/^\//, ''),
      image: Image,
      ownerId: labels[ownerLabel] ?? '',
      state: State,
    }))
}

/** Ends and removes them, and their volumes, and resolves to what there was. */
export async function removeLeftovers(engine?: Engine): Promise<Leftover[]> {
  const connected = engine ?? (await connectEngine())
  const leftovers = await listLeftovers(connected)
  await Promise.all(leftovers.map(({ id }) => removeContainer(connected.getContainer(id))))
  const volumes = await listOrphanVolumes(connected)
  await Promise.all(volumes.map((name) => removeVolume(connected, name)))
  return leftovers
}

/** Whatever it is doing; one that is gone already is as good as removed. */
export async function removeContainer(container: Container): Promise<void> {
  try {
    await container.remove({ force: true, v: true })
  } catch (error) {
    // 409: somebody else is removing it.
    if (!(error instanceof EngineError) || ![404, 409].includes(error.status)) throw error
  }
}
