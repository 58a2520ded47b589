/** Versions of models whose files are sent in parts. The parts are counted, not kept. */
import { notFound } from '../model/errors.ts'
import type { ModelSession, ModelVersion, RepoModel } from '../model/model-repo.ts'
import type { Upload } from '../model/upload.ts'
import type { World } from '../world/world.ts'
import { addModel, findModel, type ModelWish, putVersion } from './models.ts'
import { closeUpload, missingParts, openUpload } from './uploads.ts'

export interface ModelUploadWish extends ModelWish {
  readonly fileName: string
  readonly sizeBytes: number
  readonly partSizeBytes?: number | undefined
  /** A version that is there already; a new one when absent. */
  readonly versionId?: string | undefined
}

export interface ModelUpload {
  readonly model: RepoModel
  readonly version: ModelVersion
  readonly upload: Upload
}

/** Assumed: parts of 64 MiB unless the caller says otherwise. */
const partSizeBytes = 64 * 1_048_576

/** Assumed: a model that is not there yet is added. */
export function openModelUpload(world: World, wish: ModelUploadWish): ModelUpload {
  const { fileName, sizeBytes, versionId } = wish
  const owner = wish.owner ?? world.account.id
  const present = findModel(world, owner, wish.name)
  const version = present?.versions.find(({ id }) => id === versionId)
  if (versionId !== undefined && version === undefined) {
    throw notFound('model version', versionId)
  }
  const upload = openUpload(world, {
    objectKey: (uploadId) => `models/${owner}/${wish.name}/${uploadId}/${fileName}`,
    sizeBytes,
    partSizeBytes: wish.partSizeBytes ?? partSizeBytes,
    keeps: false,
  })
  const model = present ?? addModel(world, { ...wish, owner })
  const saved = putVersion(world, model, version ?? newVersion(world, wish.metadata))
  world.modelSessions.put({ id: upload.id, modelId: model.id, versionId: saved.id, fileName })
  return { model: world.models.require(model.id), version: saved, upload }
}

export interface Finish {
  readonly success: boolean
  readonly message: string
}

/** Observed: what is wrong with it is a message in a good reply, and no error. */
export function finishModelUpload(world: World, sessionId: string): Finish {
  const session = world.modelSessions.find(sessionId)
  const upload = world.uploads.find(sessionId)
  if (session === undefined || upload === undefined) {
    return { success: false, message: 'upload session not found' }
  }
  const missing = missingParts(upload)
  if (missing.length > 0) {
    const message = `${missing.length} of ${upload.partCount} parts are missing, the first is ${missing[0]}`
    return { success: false, message }
  }
  makeReady(world, session)
  closeUpload(world, sessionId)
  world.modelSessions.remove(sessionId)
  return { success: true, message: 'upload completed' }
}

function makeReady(world: World, { modelId, versionId }: ModelSession): void {
  const model = world.models.require(modelId)
  const version = model.versions.find(({ id }) => id === versionId)
  if (version === undefined) return
  // Assumed: the form of a hash; nothing is kept that it could be made from.
  const hash = world.ids.uuid().replaceAll('-', '')
  world.timeline.record('model.uploaded', modelId, { versionId })
  putVersion(world, model, { ...version, hash, status: 'READY', updatedAtMs: world.nowMs })
}

function newVersion(world: World, metadata: unknown): ModelVersion {
  const { nowMs } = world
  const id = world.ids.uuid()
  return {
    ...{ id, hash: null, status: null, metadata: metadata ?? null },
    ...{ createdAtMs: nowMs, updatedAtMs: nowMs },
  }
}
