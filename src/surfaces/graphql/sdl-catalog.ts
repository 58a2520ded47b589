/** What the cloud offers, in the schema: types, prices, stock and data centers. */
export const catalogSdl = /* GraphQL */ `
"All that are given; an empty list or text asks for nothing."
input GpuTypeFilter { id: String ids: [String] cluster: Boolean }
input GpuLowestPriceInput {
  gpuCount: Int
  "Null for either cloud."
  secureCloud: Boolean
  "One id, or several, comma separated."
  dataCenterId: String
  countryCode: String
  "For the whole pod."
  minMemoryInGb: Int
  "For the whole pod."
  minVcpuCount: Int
  cudaVersion: String
  allowedCudaVersions: [String]
  minCudaVersion: String
  globalNetwork: Boolean
  "Only data centers that have all of them."
  compliance: [Compliance]
  "True for serverless prices."
  includeAiApi: Boolean
  minDownload: Int
  minUpload: Int
  "Taken, and without effect, like the fields after it."
  minDisk: Int
  totalDisk: Int
  supportPublicIp: Boolean
}
input GpuAvailabilityInput {
  gpuCount: Int
  secureCloud: Boolean
  minMemoryInGb: Int
  minVcpuCount: Int
  allowedCudaVersions: [String]
  minCudaVersion: String
  "Taken, and without effect, like the field after it."
  minDisk: Int
  includeAiApi: Boolean
}
input CpuFlavorInput { id: String }
input SpecificsInput { instanceId: String dataCenterId: String }

"Prices are USD per hour."
type GpuType {
  id: String!
  displayName: String
  manufacturer: String
  memoryInGb: Int
  cudaCores: Int
  secureCloud: Boolean
  communityCloud: Boolean
  securePrice: Float
  communityPrice: Float
  secureSpotPrice: Float
  communitySpotPrice: Float
  oneWeekPrice: Float
  oneMonthPrice: Float
  threeMonthPrice: Float
  sixMonthPrice: Float
  oneYearPrice: Float
  clusterPrice: Float
  maxGpuCount: Int
  maxGpuCountCommunityCloud: Int
  maxGpuCountSecureCloud: Int
  minPodGpuCount: Int
  nodeGroupDatacenters: [DataCenter]
  nodeGroupGpuSizes: [Int]
  "Null: the catalog has no figure for it."
  throughput: Int
  lowestPrice(input: GpuLowestPriceInput): LowestPrice
}
"The best offer for a pod of that size; an object without prices when there is none."
type LowestPrice {
  gpuName: String
  gpuTypeId: String
  "For all its GPUs."
  uninterruptablePrice: Float
  "For all its GPUs."
  minimumBidPrice: Float
  minMemory: Int
  minVcpu: Int
  stockStatus: String
  maxGpuCount: Int
  maxUnreservedGpuCount: Int
  availableGpuCounts: [Int]
  gpuTypeCudaVersions: [GpuTypeCudaVersion]
  countryCode: String
  supportPublicIp: Boolean
  "GPUs of the type where it was looked for."
  totalCount: Int
  rentedCount: Int
  "Of all of them, in percent."
  rentalPercentage: Float
  minDownload: Int
  minUpload: Int
  "Null: no machine's disk is in the catalog."
  minDisk: Int
  "As it was asked for."
  compliance: [Compliance]
}
type GpuTypeCudaVersion {
  cudaVersion: String
  "AVAILABLE or UNAVAILABLE."
  availability: String
}
type CpuType {
  id: String
  displayName: String
  manufacturer: String
  cores: Int
  threadsPerCore: Int
  groupId: String
}
type CpuFlavor {
  id: String!
  groupId: String
  groupName: String
  displayName: String
  minVcpu: Int
  maxVcpu: Int
  vcpuBurstable: Boolean
  "GB of memory for each vCPU."
  ramMultiplier: Float
  "GB of container disk for each vCPU."
  diskLimitPerVcpu: Int
  specifics(input: SpecificsInput): Specifics
}
"Stock and price of one size; the smallest unless an instance is named."
type Specifics { stockStatus: String securePrice: Float slsPrice: Float }
type DataCenter {
  id: String!
  name: String
  location: String
  region: String
  storageSupport: Boolean
  globalNetwork: Boolean
  listed: Boolean
  compliance: [Compliance]
  "True where network volumes can be had."
  s3apiEnabled: Boolean
  "Null: how volumes are kept is the data center's own affair."
  storage: DataCenterStorage
  gpuAvailability(input: GpuAvailabilityInput): [GpuAvailability]
}
type DataCenterStorage {
  type: String
  hostname: String
  ips: [String]
  user: String
  pw: String
  list: [DataCenterStorageList]
}
type DataCenterStorageList {
  type: String
  mnt: String
  servers: [String]
  versions: [Int]
  primary: Boolean
  pw: String
}
type GpuAvailability {
  id: String
  gpuTypeId: String
  displayName: String
  gpuTypeDisplayName: String
  available: Boolean
  stockStatus: String
  gpuType: GpuType
}
type ServerlessGpuPool { id: String gpuTypeIds: [String] }
`
