/** The model repository, in the schema. */
export const modelSdl = /* GraphQL */ `
input AddModelToRepoInput {
  name: String!
  owner: String
  provider: String
  credentialType: String
  credentialReference: String
  modelStatus: String
  metadata: JSON
}
input RemoveModelFromRepoInput { owner: String! name: String! }
input CreateModelRepoUploadInput {
  name: String!
  owner: String
  modelVersionUuid: String
  fileName: String!
  fileSizeBytes: String!
  partSizeBytes: String
  contentType: String
  metadata: JSON
  credentialType: String
  credentialReference: String
}
input CompleteModelRepoUploadInput { sessionId: String! }
type ModelRepoModel {
  id: String
  owner: String
  name: String
  provider: String
  status: String
  createdAt: DateTime
  updatedAt: DateTime
  users: [ModelRepoUser]
  versions: [ModelRepoVersion]
}
type ModelRepoUser {
  userId: String
  credentialType: String
  credentialReference: String
  status: String
  updatedAt: DateTime
}
type ModelRepoVersion {
  uuid: ID
  hash: ID
  status: ModelVersionStatus
  metadata: JSON
  createdAt: DateTime
  updatedAt: DateTime
}
type ModelRepoUpload {
  sessionId: String
  status: String
  uploadId: String
  bucket: String
  key: String
  keyPrefix: String
  partSizeBytes: String
  partCount: Int
  expiresInSeconds: Int
  parts: [ModelRepoUploadPart]
  completeUrl: String
  abortUrl: String
}
type ModelRepoUploadPart { partNumber: Int url: String expiresAt: String }
type ModelRepoMutationResult {
  success: Boolean
  message: String
  model: ModelRepoModel
  version: ModelRepoVersion
  upload: ModelRepoUpload
}
type CompleteModelRepoUploadResult {
  success: Boolean
  message: String
  sessionId: String
  status: String
}
type ModelVersionStatusResult { success: Boolean message: String modelVersion: ModelRepoVersion }
`
