/** Those who lend machines to the cloud, in the schema. No account of the emulator does. */
export const hostSdl = /* GraphQL */ `
input UserMachinesFilter { start: Int end: Int }
input EarningsCustomRangeInput { startDate: DateTime! endDate: DateTime! }
input NetworkStorageEarningInput { granularity: String }
input backgroundPodTelemetryInput { machineId: String gpuIndex: Int }
type Machine {
  id: String!
  userId: String
  machineId: String
  name: String
  machineType: String
  ownedByMe: Boolean
  registered: Boolean
  verified: Boolean
  listed: Boolean
  hidden: Boolean
  aiApiOnly: Boolean
  priority: Int
  note: String
  location: String
  dataCenterId: String
  dataCenter: DataCenter
  secureCloud: Boolean
  supportPublicIp: Boolean
  publicIp: String
  runpodIp: String
  installCert: String
  pods: [Pod]
  minPodGpuCount: Int

  gpuTypeId: String
  gpuType: GpuType
  gpuTotal: Int
  gpuReserved: Int
  gpuPowerLimitPercentageRented: Int
  gpuPowerLimitPercentageSelf: Int
  pcieLink: Int
  pcieLinkWidth: Int
  cpuTypeId: String
  cpuType: CpuType
  cpuCount: Int
  vcpuTotal: Int
  vcpuReserved: Float
  memoryTotal: Int
  memoryReserved: Int
  diskTotal: Int
  diskReserved: Int
  diskMBps: Int
  downloadMbps: Int
  uploadMbps: Int
  moboName: String
  machineSystem: MachineSystem

  hostPricePerGpu: Float
  hostMinBidPerGpu: Float
  gpuCloudPrice: Float
  margin: Float
  machineBalance: MachineBalance

  idleJobTemplateId: String
  idleJobTemplate: PodTemplate
  defaultImageName: String
  defaultStartScript: String
  defaultArguments: String
  defaultDiskInGb: Int
  defaultPort: Port
  defaultEnv: [String]

  uptime: MachineUptime
  uptimePercentListedOneWeek: Float
  uptimePercentListedFourWeek: Float
  uptimePercentListedTwelveWeek: Float
  uptimePercentAbsoluteTwelveWeek: Float
  maintenanceMode: Boolean
  maintenanceStart: DateTime
  maintenanceEnd: DateTime
  maintenanceNote: String
  upcomingMaintenances: [MachineMaintenance]
  nextMaintenance: MachineMaintenance
  lastBenchmark: MachineBenchmark
  latestTelemetry: MachineTelemetry
  backgroundPodTelemetry(input: backgroundPodTelemetryInput): PodTelemetry
}
type MachineBalance {
  hostTotalEarnings: Float
  hostGpuEarnings: Float
  hostDiskEarnings: Float
}
type MachineBenchmark {
  benchmarkedAt: DateTime
  gpuCount: Int
  errors: String
  pod: BenchmarkPod
}
type BenchmarkPod { id: String desiredStatus: String }
type MachineEarning {
  machineId: String
  name: String
  date: DateTime
  hostTotalEarnings: Float
  hostGpuEarnings: Float
  hostDiskEarnings: Float
}
type NetworkStorageEarning {
  dataCenterId: String
  date: DateTime
  dailyNetworkVolumeEarn: Float
  runpodEarnings: Float
}
type MachineMaintenance {
  id: String
  machineId: String
  maintenanceStart: DateTime
  maintenanceEnd: DateTime
  maintenanceNote: String
}
type MachineSummary {
  id: String
  displayName: String
  machineType: String
  gpuTypeId: String
  cpuTypeId: String
  listed: Int
  gpuTotal: Int
  gpuRented: Int
  vcpuTotal: Int
  cpuRented: Int
  onDemandPods: Int
  spotPods: Int
  podProfitPerHr: Float
  diskProfitPerHr: Float
}
type MachineTelemetry {
  time: DateTime
  cpuUtilization: Float
  memoryUtilization: Float
  averageGpuMetrics: GpuTelemetry
  individualGpuMetrics: [GpuTelemetry]
}
type MachineUptime {
  seconds: Float
  sysUptimeSeconds: Float
  lastSyncTimestamp: Float
  error: String
}
`
