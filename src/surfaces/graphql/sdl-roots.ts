/** The roots of the schema, and the scalars and enums that the rest is written in. */
export const rootSdl = /* GraphQL */ `
"An instant, ISO 8601 in UTC."
scalar DateTime
"A port number."
scalar Port
"A day, ISO 8601."
scalar Date
"Any JSON value."
scalar JSON
"What a deletion returns: null."
scalar Void

enum CloudTypeEnum { SECURE COMMUNITY ALL }
enum ComputeType { CPU GPU }
enum PodStatus { CREATED RUNNING RESTARTING EXITED PAUSED DEAD TERMINATED }
enum PodType { INTERRUPTABLE RESERVED BID BACKGROUND }
enum FlashBootType { OFF FLASHBOOT PRIORITY_FLASHBOOT }
enum DiscountType { SERVERLESS }
enum ClusterType { TRAINING }
enum ModelVersionStatus { READY POD_REMOVED }
enum BillingGranularity { HOURLY DAILY WEEKLY MONTHLY }
enum EndpointStatisticGranularity { LIVE HOURLY DAILY WEEKLY MONTHLY }
enum ClientCreditChargeType {
  CHARGE_SERVERLESS CHARGE_POD CHARGE_API CHARGE_STORAGE CHARGE_SAVINGS_PLAN
}
enum UserServerlessBillingGroupBy { GPU_TYPE ENDPOINT INSTANCE_ID }
enum TransactionMedium { STRIPE CRYPTO RUNPOD COINBASE WIRE REFERRAL }
enum TransactionType { RELOAD CREDIT DEBIT PAYOUT }
enum GitBuildState { PENDING BUILDING UPLOADING COMPLETED FAILED CANCELLED TESTING }
enum CsrRole { admin support_write support_read }
enum TeamRole { owner admin member dev billing basic }
enum Scope {
  CSR_ADMIN CSR_IMPERSONATION CSR_READ CSR_WRITE TEAM_ADMIN TEAM_DEV TEAM_BILLING TEAM_BASIC HOST
}
enum Compliance {
  GDPR ISO_IEC_27001 ISO_14001 PCI_DSS HITRUST SOC_1_TYPE_2 SOC_2_TYPE_2 SOC_3_TYPE_2 ITAR FISMA_HIGH
  HIPAA
}

type Query {
  "The account of the key; null without a key."
  myself: User
  "A pod of the account; null when there is none with that id."
  pod(input: PodFilter): Pod
  "Needs no key, like the rest of the catalog."
  gpuTypes(input: GpuTypeFilter): [GpuType]
  cpuTypes: [CpuType]
  cpuFlavors(input: CpuFlavorInput): [CpuFlavor]
  dataCenters: [DataCenter]
  countryCodes: [String]
  serverlessGpuPools: [ServerlessGpuPool]
  "A template of the account or a public one; null when there is none with that id."
  podTemplate(id: String!): PodTemplate
  "Public templates."
  podTemplates(input: PodTemplateInput): [PodTemplate]

  listings(input: ListingsInput!): [Listing]
  listing(id: String!): Listing
  listingFromRepo(repoOwner: String!, repoName: String!): Listing
  allAiApiPublicConfigs: [AiApiPublicConfig]
  myModels: [ModelRepoModel]
  myModel(owner: String!, name: String!): ModelRepoModel
  flashApp(flashAppId: String!): FlashApp
  flashAppByName(flashAppName: String!): FlashApp
  flashEnvironment(flashEnvironmentId: String!): FlashEnvironment
  flashEnvironmentByName(input: FlashEnvironmentByNameInput!): FlashEnvironment
  flashBuild(flashBuildId: String!): FlashBuild
  flashAuthRequestStatus(flashAuthRequestId: String!): FlashAuthRequest
}

type Mutation {
  "Rents GPUs at the fixed price; refuses when nothing fits."
  podFindAndDeployOnDemand(input: PodFindAndDeployOnDemandInput): Pod
  "Rents GPUs that can be taken away again."
  podRentInterruptable(input: PodRentInterruptableInput!): Pod
  deployCpuPod(input: deployCpuPodInput!): Pod
  podResume(input: PodResumeInput!): Pod
  podBidResume(input: PodBidResumeInput!): Pod
  "Frees the GPUs and keeps the volume."
  podStop(input: PodStopInput!): Pod
  podTerminate(input: PodTerminateInput!): Void
  "Changes what is named; the container is made anew."
  podEditJob(input: PodEditJobInput!): Pod
  podReset(input: PodResetInput!): Pod

  "Creates an endpoint, or changes the one whose id is given."
  saveEndpoint(input: EndpointInput!): Endpoint
  "Refused while workersMin or workersMax is above 0."
  deleteEndpoint(id: String!): Void
  updateEndpointTemplate(input: UpdateEndpointTemplateInput): Endpoint

  "Creates a template, or replaces the one whose id is given."
  saveTemplate(input: SaveTemplateInput): PodTemplate
  deleteTemplate(templateName: String!): Void
  saveRegistryAuth(input: SaveRegistryAuthInput!): ContainerRegistryAuth
  updateRegistryAuth(input: UpdateRegistryAuthInput!): ContainerRegistryAuth
  deleteRegistryAuth(registryAuthId: String!): Void
  createNetworkVolume(input: CreateNetworkVolumeInput!): NetworkVolume
  updateNetworkVolume(input: UpdateNetworkVolumeInput!): NetworkVolume
  deleteNetworkVolume(input: DeleteNetworkVolumeInput!): Void
  updateUserSettings(input: UpdateUserSettingsInput): User

  secretCreate(input: SecretCreateInput!): Secret
  secretDelete(id: ID!): Void
  createCluster(input: CreateClusterInput!): Cluster
  deleteCluster(input: DeleteClusterInput!): Boolean
  createFlashApp(input: CreateFlashAppInput!): FlashApp
  deleteFlashApp(flashAppId: String!): Void
  createFlashEnvironment(input: CreateFlashEnvironmentInput!): FlashEnvironment
  deleteFlashEnvironment(flashEnvironmentId: String!): Void
  prepareFlashArtifactUpload(input: PrepareFlashArtifactUploadInput!): FlashArtifactUpload
  finalizeFlashArtifactUpload(input: FinalizeFlashArtifactUploadInput!): FlashBuild
  updateFlashBuildManifest(input: UpdateFlashBuildManifestInput!): FlashBuild
  deployBuildToEnvironment(input: DeployBuildToEnvironmentInput!): FlashEnvironment
  createFlashAuthRequest(
    apiKeyName: String, codeChallenge: String, codeChallengeMethod: String
  ): FlashAuthRequest
  addModelToRepo(input: AddModelToRepoInput!): ModelRepoMutationResult
  removeModelFromRepo(input: RemoveModelFromRepoInput!): ModelRepoMutationResult
  createModelRepoUpload(input: CreateModelRepoUploadInput!): ModelRepoMutationResult
  completeModelRepoUpload(input: CompleteModelRepoUploadInput!): CompleteModelRepoUploadResult
  updateModelVersionStatus(uuid: ID, hash: ID, status: ModelVersionStatus!): ModelVersionStatusResult
}
`
