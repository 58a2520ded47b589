/** Volumes of a Docker engine, in which what a pod writes outlives its container. */
import { connectEngine, type Engine, EngineError } from './engine.ts'
import { isOrphan, type Labels, labelsFor, ownerLabel } from './instance.ts'

/** One that is there already stays as it is. */
export async function makeVolume({ ask }: Engine, name: string, ownerId: string): Promise<void> {
  await ask('POST', '/volumes/create', { Name: name, Labels: labelsFor(ownerId) })
}

/** Those that no container uses any more. Never rejects: where the engine is gone there are none. */
export async function removeVolumes(names: readonly string[]): Promise<void> {
  if (names.length === 0) return
  const engine = await connectEngine().catch(() => undefined)
  if (engine !== undefined) await Promise.all(names.map((name) => removeVolume(engine, name)))
}

/** By name, those of emulators that are gone. */
export async function listOrphanVolumes({ ask }: Engine): Promise<string[]> {
  const filters = encodeURIComponent(JSON.stringify({ label: [ownerLabel] }))
  const { Volumes: volumes } = await ask<{ Volumes: ListedVolume[] | null }>(
    'GET',
    `/volumes?filters=${filters}`,
  )
  return (volumes ?? []).filter(({ Labels }) => isOrphan(Labels ?? {})).map(({ Name }) => Name)
}

export async function removeVolume({ ask }: Engine, name: string): Promise<void> {
  await ask('DELETE', `/volumes/${name}`).catch((error) => {
    // 404: it never was used. 409: something else uses it, which is then not ours to break.
    if (!(error instanceof EngineError)) throw error
  })
}

interface ListedVolume {
  readonly Name: string
  readonly Labels: Labels | null
}
