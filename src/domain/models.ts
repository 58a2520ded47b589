/** Models of the repository: added, found, removed, and told what became of a version. */
import { conflict, notFound } from '../model/errors.ts'
import type { ModelVersion, RepoModel } from '../model/model-repo.ts'
import type { World } from '../world/world.ts'
import { closeUpload } from './uploads.ts'

export interface ModelWish {
  readonly name: string
  /** The account when absent. */
  readonly owner?: string | undefined
  readonly provider?: string | undefined
  readonly status?: string | undefined
  readonly credentialType?: string | undefined
  readonly credentialReference?: string | undefined
  readonly metadata?: unknown
}

export function addModel(world: World, wish: ModelWish): RepoModel {
  const owner = wish.owner ?? world.account.id
  if (findModel(world, owner, wish.name) !== undefined) {
    throw conflict(`model ${owner}/${wish.name} exists already`)
  }
  const id = world.ids.next('model')
  world.timeline.record('model.added', id)
  return world.models.put({
    ...{ id, owner, name: wish.name },
    // Observed: LOCAL is what clients call a model of one's own. Assumed: the first status.
    provider: wish.provider ?? 'LOCAL',
    status: wish.status ?? 'ACTIVE',
    credentialType: wish.credentialType ?? null,
    credentialReference: wish.credentialReference ?? null,
    metadata: wish.metadata ?? null,
    versions: [],
    ...{ createdAtMs: world.nowMs, updatedAtMs: world.nowMs },
  })
}

export function findModel(world: World, owner: string, name: string): RepoModel | undefined {
  return world.models.where((model) => model.owner === owner && model.name === name).at(0)
}

/** What it was. Uploads that are under way for it are given up. */
export function removeModel(world: World, owner: string, name: string): RepoModel {
  const model = findModel(world, owner, name)
  if (model === undefined) throw notFound('model', `${owner}/${name}`)
  for (const { id } of world.modelSessions.where(({ modelId }) => modelId === model.id)) {
    closeUpload(world, id)
    world.modelSessions.remove(id)
  }
  world.timeline.record('model.removed', model.id)
  world.models.remove(model.id)
  return model
}

/** By the version's id, or by its hash. */
export function setVersionStatus(
  world: World,
  { id, hash }: { readonly id?: string | undefined; readonly hash?: string | undefined },
  status: NonNullable<ModelVersion['status']>,
): ModelVersion {
  const isMeant = (version: ModelVersion) =>
    (id !== undefined && version.id === id) || (hash !== undefined && version.hash === hash)
  const [model] = world.models.where(({ versions }) => versions.some(isMeant))
  const version = model?.versions.find(isMeant)
  if (model === undefined || version === undefined) {
    throw notFound('model version', id ?? hash ?? '')
  }
  world.timeline.record('model.version-changed', model.id, { versionId: version.id, status })
  return putVersion(world, model, { ...version, status, updatedAtMs: world.nowMs })
}

/** Puts a version into its model, in its place or at the end. */
export function putVersion(world: World, model: RepoModel, version: ModelVersion): ModelVersion {
  const isNew = model.versions.every(({ id }) => id !== version.id)
  const versions = isNew
    ? [...model.versions, version]
    : model.versions.map((other) => (other.id === version.id ? version : other))
  world.models.put({ ...model, versions, updatedAtMs: world.nowMs })
  return version
}
