/** The model repository as GraphQL spells it: what goes wrong is said in a good reply. */
import { finishModelUpload, openModelUpload } from '../../domain/model-uploads.ts'
import { addModel, findModel, removeModel, setVersionStatus } from '../../domain/models.ts'
import { CloudError, invalidField } from '../../model/errors.ts'
import type { ModelVersion, RepoModel } from '../../model/model-repo.ts'
import type { Upload } from '../../model/upload.ts'
import { toIso } from '../http/reply.ts'
import { type Caller, requireRight } from './caller.ts'
import { said, type Wire } from './inputs.ts'
import { addressOf } from './upload-addresses.ts'

interface ModelInput {
  readonly name: string
  readonly owner?: Wire<string>
  readonly provider?: Wire<string>
  readonly credentialType?: Wire<string>
  readonly credentialReference?: Wire<string>
  readonly modelStatus?: Wire<string>
  readonly metadata?: unknown
}

interface UploadInput extends ModelInput {
  readonly modelVersionUuid?: Wire<string>
  readonly fileName: string
  readonly fileSizeBytes: string
  readonly partSizeBytes?: Wire<string>
}

interface StatusArgs {
  readonly uuid?: Wire<string>
  readonly hash?: Wire<string>
  readonly status: NonNullable<ModelVersion['status']>
}

export const modelQueries = {
  myModels(_args: unknown, caller: Caller) {
    requireRight(caller, 'read')
    return caller.world.models.all().map((model) => toModel(caller, model))
  },

  myModel({ owner, name }: { owner: string; name: string }, caller: Caller) {
    requireRight(caller, 'read')
    const model = findModel(caller.world, owner, name)
    return model && toModel(caller, model)
  },
}

export const modelMutations = {
  addModelToRepo: ({ input }: { input: ModelInput }, caller: Caller) =>
    attempt('model added', () => ({
      model: toModel(caller, addModel(caller.world, toWish(input))),
    })),

  removeModelFromRepo: (
    { input: { owner, name } }: { input: { owner: string; name: string } },
    caller: Caller,
  ) =>
    attempt('model removed', () => ({
      model: toModel(caller, removeModel(caller.world, owner, name)),
    })),

  createModelRepoUpload: ({ input }: { input: UploadInput }, caller: Caller) =>
    attempt('upload opened', () => {
      const { model, version, upload } = openModelUpload(caller.world, {
        ...toWish(input),
        fileName: input.fileName,
        sizeBytes: toBytes(input.fileSizeBytes, 'fileSizeBytes'),
        partSizeBytes: toBytesOrNone(input.partSizeBytes, 'partSizeBytes'),
        versionId: said(input.modelVersionUuid),
      })
      return {
        model: toModel(caller, model),
        version: toVersion(version),
        upload: toUpload(caller, upload),
      }
    }),

  completeModelRepoUpload({ input }: { input: { sessionId: string } }, { world }: Caller) {
    const { sessionId } = input
    const { success, message } = finishModelUpload(world, sessionId)
    return { success, message, sessionId, status: success ? 'COMPLETED' : 'FAILED' }
  },

  updateModelVersionStatus: ({ uuid, hash, status }: StatusArgs, { world }: Caller) =>
    attempt('status changed', () => ({
      modelVersion: toVersion(
        setVersionStatus(world, { id: said(uuid), hash: said(hash) }, status),
      ),
    })),
}

/** Observed: `success` is false, with a message, for what the caller can do something about. */
function attempt<Result extends object>(message: string, act: () => Result) {
  try {
    return { success: true, message, ...act() }
  } catch (error) {
    if (error instanceof CloudError) return { success: false, message: error.message }
    throw error
  }
}

function toWish(input: ModelInput) {
  return {
    name: input.name,
    owner: said(input.owner),
    provider: said(input.provider),
    status: said(input.modelStatus),
    credentialType: said(input.credentialType),
    credentialReference: said(input.credentialReference),
    metadata: input.metadata,
  }
}

/** Sizes are texts, because they pass what an Int can hold. */
function toBytes(text: Wire<string>, field: string): number {
  const bytes = Number(text)
  if (Number.isSafeInteger(bytes)) return bytes
  throw invalidField(['input', field], 'must be a whole number')
}

const toBytesOrNone = (text: Wire<string>, field: string): number | undefined =>
  said(text) === undefined ? undefined : toBytes(text, field)

function toModel({ world }: Caller, model: RepoModel) {
  const { id, owner, name, provider, status, versions, createdAtMs, updatedAtMs } = model
  const { credentialType, credentialReference } = model
  const updatedAt = toIso(updatedAtMs)
  const user = { userId: world.account.id, credentialType, credentialReference, status, updatedAt }
  return {
    ...{ id, owner, name, provider, status, updatedAt, createdAt: toIso(createdAtMs) },
    users: [user],
    versions: versions.map(toVersion),
  }
}

function toVersion({ id, hash, status, metadata, createdAtMs, updatedAtMs }: ModelVersion) {
  const moments = { createdAt: toIso(createdAtMs), updatedAt: toIso(updatedAtMs) }
  return { uuid: id, hash, status, metadata, ...moments }
}

function toUpload(caller: Caller, upload: Upload) {
  const { id, objectKey, partCount, partSizeBytes, expiresAtMs } = upload
  const expiresAt = toIso(expiresAtMs)
  return {
    ...{ sessionId: id, uploadId: id, key: objectKey, partCount },
    status: 'PENDING',
    // Assumed: the name; it is on no storage service.
    bucket: 'models',
    keyPrefix: objectKey.slice(0, objectKey.lastIndexOf('/') + 1),
    partSizeBytes: String(partSizeBytes),
    expiresInSeconds: Math.round((expiresAtMs - caller.world.nowMs) / 1_000),
    parts: Array.from({ length: partCount }, (_, index) => ({
      partNumber: index + 1,
      url: addressOf(caller, upload, `/parts/${index + 1}`),
      expiresAt,
    })),
    completeUrl: addressOf(caller, upload, '/complete'),
    abortUrl: addressOf(caller, upload),
  }
}
