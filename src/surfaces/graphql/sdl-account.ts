/** The account and what it keeps, in the schema: balance, keys, volumes, registry credentials. */
export const accountSdl = /* GraphQL */ `
type User {
  id: String!
  authId: String
  email: String
  "SSH keys, one a line."
  pubKey: String
  clientBalance: Float
  "What pods and workers cost at the moment."
  currentSpendPerHr: Float
  spendLimit: Float
  minBalance: Float
  underBalance: Boolean
  notifyPodsStale: Boolean
  notifyPodsGeneral: Boolean
  notifyLowBalance: Boolean
  notifyOther: Boolean
  serverlessDiscount: Discount
  savingsPlans: [SavingsPlan]
  pods: [Pod]
  endpoints: [Endpoint]
  "Null when there is none with that id."
  endpoint(id: String!): Endpoint
  podTemplates: [PodTemplate]
  networkVolumes: [NetworkVolume]
  "Oldest first."
  containerRegistryCreds: [ContainerRegistryAuth]
  datacenters: [DataCenter]
  "Not emulated, like the fields after it."
  secrets: [Secret]
  flashApps: [FlashApp]
  cluster(input: ClusterFilter): Cluster
}
type Discount {
  userId: String!
  type: DiscountType
  discountFactor: Float
  expirationDate: DateTime
}
input UpdateUserSettingsInput {
  "Replaces all keys; an empty text removes them."
  pubKey: String
}

input CreateNetworkVolumeInput { name: String size: Int dataCenterId: String }
"A volume can grow, not shrink."
input UpdateNetworkVolumeInput { id: String! name: String size: Int }
input DeleteNetworkVolumeInput { id: String! }
type NetworkVolume {
  id: String!
  name: String
  "GB."
  size: Int
  dataCenterId: String
  dataCenter: DataCenter
}

input SaveRegistryAuthInput { name: String! username: String! password: String! }
input UpdateRegistryAuthInput { id: String! username: String! password: String! }
type ContainerRegistryAuth { id: String! name: String userId: String }

input SecretCreateInput { name: String! value: String! description: String }
type Secret {
  id: String!
  name: String
  description: String
  createdAt: DateTime
  updatedAt: DateTime
}
`
