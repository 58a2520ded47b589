/** Pods in the schema: what they are asked for with, and what is shown of them. */

/** What every way to rent a pod takes. */
const podInputFields = `
  name: String
  imageName: String
  "Its settings hold where the caller says nothing."
  templateId: String
  "A command line, or the JSON text of an object with cmd and entrypoint."
  dockerArgs: String
  "The same as dockerArgs."
  containerArgs: String
  env: [EnvironmentVariableInput]
  "Comma separated: 8888/http,22/tcp."
  ports: String
  containerDiskInGb: Int
  "A disk of the pod's own; 0 for none."
  volumeInGb: Int
  volumeMountPath: String
  networkVolumeId: String
  containerRegistryAuthId: String
  "Puts the account's public keys into the variable PUBLIC_KEY."
  startSsh: Boolean
  dataCenterId: String
  dataCenterIds: [String]
  countryCode: String
  minDownload: Int
  minUpload: Int
  "Not emulated: refused unless empty."
  compliance: [Compliance]
  "Not emulated: refused unless empty."
  savingsPlan: SavingsPlanInput
  "Taken, and without effect in the emulator, like the fields after it."
  deployCost: Float
  supportPublicIp: Boolean
  startJupyter: Boolean
  port: Port
  volumeKey: String
  minDisk: Int
  aiApiId: String
  stopAfter: DateTime
  terminateAfter: DateTime
`

const gpuPodInputFields = `
  cloudType: CloudTypeEnum
  gpuTypeId: String
  "In order of preference."
  gpuTypeIdList: [String]
  gpuCount: Int
  "For the whole pod."
  minVcpuCount: Int
  "For the whole pod."
  minMemoryInGb: Int
  cudaVersion: String
  allowedCudaVersions: [String]
  minCudaVersion: String
`

export const podSdl = /* GraphQL */ `
input EnvironmentVariableInput { key: String! value: String! }
input SavingsPlanInput { planLength: String! upfrontCost: Float! }

input PodFindAndDeployOnDemandInput {
${podInputFields}
${gpuPodInputFields}
  computeType: ComputeType
  instanceIds: [String]
}
input PodRentInterruptableInput {
${podInputFields}
${gpuPodInputFields}
  "At least the lowest bid for one GPU; that, when absent."
  bidPerGpu: Float
}
input deployCpuPodInput {
${podInputFields}
  "Flavor, vCPUs and GB of memory: cpu3c-2-4."
  instanceId: String
  cloudType: CloudTypeEnum
}
input PodFilter { podId: String! }
input PodStopInput { podId: String! incrementVersion: Boolean }
input PodTerminateInput { podId: String! }
input PodResetInput { podId: String! hardReset: Boolean }
input PodResumeInput {
  podId: String!
  gpuCount: Int
  "Refused when the pod's machine has none of these."
  allowedCudaVersions: [String]
  syncMachine: Boolean
  computeType: ComputeType
}
input PodBidResumeInput { podId: String! bidPerGpu: Float! gpuCount: Int! }
input PodEditJobInput {
  podId: String!
  imageName: String
  dockerArgs: String
  env: [EnvironmentVariableInput]
  ports: String
  port: Port
  containerDiskInGb: Int
  volumeInGb: Int
  volumeMountPath: String
  containerRegistryAuthId: String
}

type Pod {
  id: String!
  name: String
  "What is wished for, whatever the container does at the moment."
  desiredStatus: PodStatus
  podType: PodType
  imageName: String
  "KEY=value."
  env: [String]
  dockerArgs: String
  dockerId: String
  ports: String
  port: Port
  containerDiskInGb: Int
  containerRegistryAuthId: String
  gpuCount: Int
  vcpuCount: Float
  memoryInGb: Float
  volumeInGb: Float
  volumeMountPath: String
  volumeEncrypted: Boolean
  networkVolumeId: String
  networkVolume: NetworkVolume
  templateId: String
  costPerHr: Float
  adjustedCostPerHr: Float
  costMultiplier: Float
  machineId: String
  machine: PodMachineInfo
  machineType: String
  cpuFlavorId: String
  consumerUserId: String
  "The endpoint of a worker."
  aiApiId: String
  endpoint: Endpoint
  "The endpoint's version that a worker was made from."
  slsVersion: Int
  locked: Boolean
  version: Int
  createdAt: DateTime
  lastStartedAt: DateTime
  "A sentence for people."
  lastStatusChange: String
  uptimeSeconds: Int
  gpus: [Gpu]
  "Null until the container can be reached."
  runtime: PodRuntime
  latestTelemetry: PodTelemetry
  savingsPlans: [SavingsPlan]
  clusterId: String
  clusterIp: String
  clusterIdx: Int
}
type Gpu { id: String! podId: String }
type PodMachineInfo {
  id: String
  "The user of the SSH proxy."
  podHostId: String
  gpuDisplayName: String
  "unknown without GPUs."
  gpuTypeId: String
  gpuType: GpuType
  location: String
  dataCenterId: String
  secureCloud: Boolean
  costPerHr: Float
  currentPricePerGpu: Float
  diskMBps: Int
  maxDownloadSpeedMbps: Int
  maxUploadSpeedMbps: Int
  supportPublicIp: Boolean
  globalNetwork: Boolean
  machineSystem: MachineSystem
}
type MachineSystem { cudaVersion: String }
type PodRuntime {
  uptimeInSeconds: Int
  ports: [PodRuntimePorts]
  gpus: [PodRuntimeGpus]
  container: PodRuntimeContainer
}
type PodRuntimePorts { ip: String isIpPublic: Boolean privatePort: Int publicPort: Int type: String }
type PodRuntimeGpus { id: String gpuUtilPercent: Int memoryUtilPercent: Int }
type PodRuntimeContainer { cpuPercent: Int memoryPercent: Int }
type PodTelemetry {
  "running or exited."
  state: String
  time: DateTime
  cpuUtilization: Float
  memoryUtilization: Float
  lastStateTransitionTimestamp: Int
}
type SavingsPlan {
  id: String
  startTime: DateTime
  endTime: DateTime
  gpuTypeId: String
  podId: String
  costPerHr: Float
  upfrontCost: Float
  planLength: String
}
input CreateClusterInput {
  clusterName: String
  type: ClusterType
  gpuTypeId: String
  podCount: Int
  gpuCountPerPod: Int
  imageName: String
  templateId: String
  deployCost: Float
  networkVolumeId: String
  volumeInGb: Int
  volumeMountPath: String
  volumeKey: String
  throughput: Int
  allowedCudaVersions: [String]
  dataCenterId: String
  dataCenterIds: [String]
  startJupyter: Boolean
  startSsh: Boolean
  containerDiskInGb: Int
  dockerArgs: String
  env: [EnvironmentVariableInput]
  ports: String
}
input DeleteClusterInput { id: String! }
input ClusterFilter { id: String! }
type Cluster { id: String! name: String type: String podCount: Int gpuCountPerPod: Int pods: [Pod] }
`
