/** Flash apps, in the schema: an app has environments, and builds that are deployed to them. */
export const flashSdl = /* GraphQL */ `
input FlashEnvironmentByNameInput { flashAppId: String! name: String! }
input CreateFlashAppInput { name: String! }
input CreateFlashEnvironmentInput { flashAppId: String! name: String! }
input PrepareFlashArtifactUploadInput { flashAppId: String! tarballSize: Int! }
input FinalizeFlashArtifactUploadInput { flashAppId: String! objectKey: String! manifest: JSON }
input UpdateFlashBuildManifestInput { flashBuildId: String! manifest: JSON! }
input DeployBuildToEnvironmentInput { flashEnvironmentId: String! flashBuildId: String! }

type FlashApp {
  id: String!
  name: String
  flashEnvironments: [FlashEnvironment]
  flashBuilds: [FlashBuild]
}
type FlashEnvironment {
  id: String!
  name: String
  state: String
  activeBuildId: String
  createdAt: DateTime
  endpoints: [Endpoint]
  networkVolumes: [NetworkVolume]
  activeArtifact: FlashArtifact
}
type FlashBuild { id: String! objectKey: String createdAt: DateTime manifest: JSON }
type FlashArtifact { objectKey: String downloadUrl: String expiresAt: DateTime }
type FlashArtifactUpload { uploadUrl: String objectKey: String expiresAt: DateTime }
type FlashAuthRequest {
  id: String!
  status: String
  expiresAt: DateTime
  apiKey: String
  codeChallenge: String
  codeChallengeMethod: String
}
`
