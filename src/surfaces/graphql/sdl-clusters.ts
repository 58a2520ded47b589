/** Clusters, in the schema: pods that are rented together. */
export const clusterSdl = /* GraphQL */ `
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
