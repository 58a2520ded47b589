/** What pods are asked for with, in the schema. */

/** What every way to rent a pod takes. */
const podInputFields = `
  name: String
  imageName: String
  "Its settings hold where the caller says nothing."
  templateId: String
  "A command line, or the JSON text of an object with cmd and entrypoint."
  dockerArgs: String
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
  countryCode: String
  minDownload: Int
  minUpload: Int
  "Terminated at that moment, whatever it does."
  terminateAfter: DateTime
  "Every machine has one."
  supportPublicIp: Boolean
  "Puts a password into the variable JUPYTER_PASSWORD."
  startJupyter: Boolean
  "Not emulated: refused unless empty."
  volumeKey: String
`

const gpuPodInputFields = `
  cloudType: CloudTypeEnum
  gpuTypeId: String
  gpuCount: Int
  "For the whole pod."
  minVcpuCount: Int
  "For the whole pod."
  minMemoryInGb: Int
  "Every machine has it."
  minDisk: Int
  cudaVersion: String
  allowedCudaVersions: [String]
  minCudaVersion: String
  "One more HTTP port."
  port: Port
  "Stopped at that moment, if it runs."
  stopAfter: DateTime
`

/** Not for spot pods, which name their price themselves. */
const offerInputFields = `
  "In order of preference."
  dataCenterIds: [String]
  "Rented only for this much or less: USD per hour for the whole pod."
  deployCost: Float
`

const resumeCudaField = `
  "Refused when the pod's machine has none of these."
  allowedCudaVersions: [String]
`

/** `resumeCuda`: whether a resumed pod can ask for CUDA versions. */
export const podInputSdl = (resumeCuda: boolean): string => /* GraphQL */ `
input EnvironmentVariableInput { key: String! value: String! }
input SavingsPlanInput { planLength: String! upfrontCost: Float! }

input PodFindAndDeployOnDemandInput {
${podInputFields}
${gpuPodInputFields}
${offerInputFields}
  "The same as dockerArgs."
  containerArgs: String
  "In order of preference, after gpuTypeId."
  gpuTypeIdList: [String]
  computeType: ComputeType
  "CPU sizes in order of preference, with computeType CPU."
  instanceIds: [String]
  "Rented only in a data center that has all of them."
  compliance: [Compliance]
  "Not emulated: refused unless empty."
  savingsPlan: SavingsPlanInput
  "Not emulated: refused unless empty."
  aiApiId: String
}
input PodRentInterruptableInput {
${podInputFields}
${gpuPodInputFields}
  "USD per hour for one GPU, at least the lowest bid; that, when absent. It is what the pod costs."
  bidPerGpu: Float
}
input deployCpuPodInput {
${podInputFields}
${offerInputFields}
  "Flavor, vCPUs and GB of memory: cpu3c-2-4."
  instanceId: String
  cloudType: CloudTypeEnum
}
input PodFilter { podId: String! }
input PodStopInput {
  podId: String!
  "What is started again is another version of the pod."
  incrementVersion: Boolean
}
input PodTerminateInput { podId: String! }
input PodResetInput {
  podId: String!
  "Not emulated: refused unless false."
  hardReset: Boolean
}
input PodResumeInput {
  podId: String!
  "Fewer or more than before; as many, when absent."
  gpuCount: Int
${resumeCuda ? resumeCudaField : ''}
  "Has to be what the pod is."
  computeType: ComputeType
  "Not emulated: refused unless false."
  syncMachine: Boolean
}
input PodBidResumeInput { podId: String! bidPerGpu: Float! gpuCount: Int! }
input PodEditJobInput {
  podId: String!
  imageName: String
  dockerArgs: String
  env: [EnvironmentVariableInput]
  ports: String
  "One more HTTP port."
  port: Port
  containerDiskInGb: Int
  volumeInGb: Int
  volumeMountPath: String
  containerRegistryAuthId: String
}
`
