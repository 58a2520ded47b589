/** Pods as they are shown, in the schema. Workers are shown as pods too. */
export const podSdl = /* GraphQL */ `
type Pod {
  id: String!
  name: String
  "What is wished for, whatever the container does at the moment."
  desiredStatus: PodStatus
  "INTERRUPTABLE for a spot pod, which can be taken away."
  podType: PodType
  imageName: String
  "KEY=value."
  env: [String]
  dockerArgs: String
  ports: String
  "The first HTTP port."
  port: Port
  containerDiskInGb: Int
  containerRegistryAuthId: String
  "The registry whose credentials are used; never the credentials."
  registry: PodRegistry
  gpuCount: Int
  vcpuCount: Float
  memoryInGb: Float
  volumeInGb: Float
  volumeMountPath: String
  volumeEncrypted: Boolean
  networkVolumeId: String
  networkVolume: NetworkVolume
  templateId: String
  "USD per hour for the whole pod: the fixed price, or the bid of a spot pod."
  costPerHr: Float
  adjustedCostPerHr: Float
  costMultiplier: Float
  "For a spot pod: the lowest bid for one GPU that would do now."
  lowestBidPriceToResume: Float
  machineId: String
  machine: PodMachineInfo
  machineType: String
  cpuFlavorId: String
  cpuFlavor: CpuFlavor
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
  clusterRole: String
  clusterCidr: String
  testPod: Boolean
  "Null in the emulator, like the fields after it: it has nothing that they would say."
  apiKey: String
  dockerId: String
  gpuPowerLimitPercent: Int
  volumeKey: String
  ideAiApiId: String
  ipAddress: IPAddress
}
type Gpu { id: String! podId: String }
type PodRegistry { auth: String pass: String url: String user: String username: String }
type PodMachineInfo {
  id: String
  "The user of the SSH proxy."
  podHostId: String
  gpuDisplayName: String
  "unknown without GPUs."
  gpuTypeId: String
  gpuType: GpuType
  "GPUs of the type that are free beside it."
  gpuAvailable: Int
  minPodGpuCount: Int
  cpuCount: Int
  machineType: String
  location: String
  dataCenterId: String
  secureCloud: Boolean
  listed: Boolean
  costPerHr: Float
  currentPricePerGpu: Float
  diskMBps: Int
  maxDownloadSpeedMbps: Int
  maxUploadSpeedMbps: Int
  supportPublicIp: Boolean
  globalNetwork: Boolean
  machineSystem: MachineSystem
  "Null in the emulator, like the fields after it: machines are no more than their share."
  cpuTypeId: String
  cpuType: CpuType
  vcpuTotal: Int
  vcpuReserved: Float
  memoryTotal: Int
  memoryReserved: Float
  maintenanceStart: DateTime
  maintenanceEnd: DateTime
  maintenanceNote: String
  note: String
  runpodIp: String
}
"Null but for the CUDA version."
type MachineSystem {
  cudaVersion: String
  os: String
  kernelVersion: String
  dockerVersion: String
  diskTotal: Int
  diskFree: Int
  publicIp: String
  privateIp: String
}
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
  averageGpuMetrics: GpuTelemetry
  individualGpuMetrics: [GpuTelemetry]
}
type GpuTelemetry {
  id: String
  percentUtilization: Float
  temperatureCelcius: Float
  memoryUtilization: Float
  powerWatts: Float
}
type SavingsPlan {
  id: String
  savingsPlanType: String
  planLength: String
  startTime: DateTime
  endTime: DateTime
  gpuTypeId: String
  gpuType: GpuType
  podId: String
  pod: Pod
  costPerHr: Float
  upfrontCost: Float
}
type IPAddress {
  id: String
  address: String
  networkRangeId: String
  networkRange: NetworkRange
  pod: Pod
  podnetNodes: [PodnetNode]
}
type NetworkRange {
  id: String
  cidr: String
  podnetClusterId: String
  podnetCluster: PodnetCluster
  addresses: [IPAddress]
}
type PodnetCluster {
  id: String
  name: String
  description: String
  podnetNodes: [PodnetNode]
  networkRanges: [NetworkRange]
}
type PodnetNode {
  id: String
  podnetClusterId: String
  podnetCluster: PodnetCluster
  publicIp: String
  nebulaIp: String
}
`
