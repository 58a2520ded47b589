/** Serverless endpoints and the templates they run, in the schema. */
export const endpointSdl = /* GraphQL */ `
input NetworkVolumeIdsInput { networkVolumeId: String! }
"A template of the endpoint's own: it changes with it and goes with it."
input EndpointTemplateInput {
  name: String
  imageName: String
  containerDiskInGb: Int
  containerRegistryAuthId: String
  dockerArgs: String
  env: [EnvironmentVariableInput]
  ports: String
  "Not emulated: refused unless empty, like the fields after it."
  startScript: String
  advancedStart: Boolean
  config: JSON
}
"""
Creates without id. With one, changes what is named; workersMax, idleTimeout and scalerValue go back
to 3, 10 and 4 when they are not.
"""
input EndpointInput {
  id: String
  name: String!
  "Either this or template."
  templateId: String
  template: EndpointTemplateInput
  "QB for a queue, LB for a load balancer; fixed when the endpoint is created."
  type: String
  "Pools in order of preference, and types of them that are not wanted: ADA_24,-NVIDIA L4."
  gpuIds: String
  gpuCount: Int
  "CPU sizes in order of preference, with empty gpuIds: cpu3c-2-4."
  instanceIds: [String]
  workersMin: Int
  workersMax: Int
  "Seconds."
  idleTimeout: Int
  "QUEUE_DELAY or REQUEST_COUNT."
  scalerType: String
  scalerValue: Int
  "Countries or data centers, comma separated; empty for anywhere."
  locations: String
  dataCenterIds: [String]
  networkVolumeId: String
  networkVolumeIds: [NetworkVolumeIdsInput]
  "0 for no limit."
  executionTimeoutMs: Int
  "Comma separated."
  allowedCudaVersions: String
  minCudaVersion: String
  flashBootType: FlashBootType
  "The environment of a Flash app that it belongs to."
  flashEnvironmentId: String
  "Addresses of models on a hub. Workers are ready no sooner with them."
  modelReferences: [String]
  "The release of the hub that it is made from."
  hubReleaseId: String
  "Workers only in data centers that have all of them."
  compliance: [Compliance]
  "Not emulated: refused unless empty, like the field after it."
  workersPFBTarget: Int
  workersStandby: Int
}
input UpdateEndpointTemplateInput { endpointId: String! templateId: String! }

type EnvironmentVariable { key: String value: String }
type NetworkVolumeIds { networkVolumeId: String dataCenterId: String }
type Endpoint {
  id: String!
  name: String
  userId: String
  "QB or LB."
  type: String
  "The key that the endpoint's own workers use."
  aiKey: String
  "Grows with every change that new workers are needed for."
  version: Int
  createdAt: DateTime
  template: PodTemplate
  templateId: String
  env: [EnvironmentVariable]
  computeType: ComputeType
  gpuIds: String
  gpuCount: Int
  instanceIds: [String]
  allowedCudaVersions: String
  minCudaVersion: String
  locations: String
  networkVolumeId: String
  networkVolumeIds: [NetworkVolumeIds]
  networkVolume: NetworkVolume
  scalerType: String
  scalerValue: Int
  workersMin: Int
  workersMax: Int
  workersStandby: Int
  workersPFBTarget: Int
  idleTimeout: Int
  executionTimeoutMs: Int
  flashBootType: FlashBootType
  "Its workers."
  pods: [Pod]
  flashEnvironmentId: String
  modelReferences: [String]
  compliance: [Compliance]
  activeBuildid: String
  builds: [GitBuild]
  repo: Repo
  "The release of the hub that it was made from."
  hubRelease: HubRelease
  idePodId: String
  "How many workers there are of each kind, now."
  workerState(input: WorkerStateInput): [WorkerState]
  "What receivers of webhooks answered, 0 for nothing."
  webhookRequests(input: WebhookRequestsInput): [WebhookRequestStatus]
}
input WorkerStateInput { granularity: EndpointStatisticGranularity }
type WorkerState {
  time: DateTime
  initializing: Int
  idle: Int
  running: Int
  throttled: Int
  unhealthy: Int
  initialized: Int @deprecated(reason: "An older name of the same numbers.")
  ready: Int @deprecated(reason: "An older name of the same numbers.")
}
input WebhookRequestsInput { granularity: EndpointStatisticGranularity }
type WebhookRequestStatus { time: DateTime responses: [Int] }
type Repo {
  repoId: String
  repoName: String
  branch: String
  buildContext: String
  dockerFilePath: String
  dockerArgs: String
  containerRegistryAuthId: String
}

input PortConfigInput { port: String! name: String! }
input PodTemplateInput { isRunpod: Boolean }
input SaveTemplateInput {
  id: String
  name: String!
  imageName: String!
  containerDiskInGb: Int!
  "0 for a serverless template."
  volumeInGb: Int!
  volumeMountPath: String
  dockerArgs: String!
  env: [EnvironmentVariableInput!]!
  ports: String
  containerRegistryAuthId: String
  isServerless: Boolean
  isPublic: Boolean
  category: String
  readme: String
  startSsh: Boolean
  startJupyter: Boolean
  "What people call its ports."
  portsConfig: [PortConfigInput]
  "Not emulated: refused unless empty, like the fields after it."
  startScript: String
  advancedStart: Boolean
  config: JSON
}
type PortConfig { port: String name: String }
type PodTemplate {
  id: String!
  name: String
  userId: String
  imageName: String
  dockerArgs: String
  env: [EnvironmentVariable]
  ports: String
  portsConfig: [PortConfig]
  containerDiskInGb: Int
  containerRegistryAuthId: String
  volumeInGb: Int
  volumeMountPath: String
  isServerless: Boolean
  isPublic: Boolean
  isRunpod: Boolean
  category: String
  readme: String
  startSsh: Boolean
  startJupyter: Boolean
  startScript: String
  advancedStart: Boolean
  config: JSON
  "The endpoint that it was made with."
  boundEndpointId: String
  "Comma separated."
  allowedCudaVersions: String
  "Null in the emulator, like the fields after it: templates earn nothing and are not counted."
  earned: Float
  runtimeInMin: Int
  presentationOrder: Int
}
`
