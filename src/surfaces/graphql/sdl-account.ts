/** The account and what it keeps, in the schema: balance, keys, volumes, registry credentials. */
export const accountSdl = /* GraphQL */ `
type User {
  id: String!
  authId: String
  email: String
  "SSH keys, one a line."
  pubKey: String
  clientBalance: Float
  "USD per hour: what pods, workers, disks and volumes cost at the moment."
  currentSpendPerHr: Float
  spendLimit: Float
  spendDetails: SpendDetails
  clientLifetimeSpend: Float
  minBalance: Float
  underBalance: Boolean
  notifyPodsStale: Boolean
  notifyPodsGeneral: Boolean
  notifyLowBalance: Boolean
  notifyOther: Boolean
  creditAlertThreshold: Float
  "Workers that all endpoints together may have."
  maxServerlessConcurrency: Int
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
  secrets: [Secret]
  flashApps: [FlashApp]
  cluster(input: ClusterFilter): Cluster
  "What was charged, in slices of time."
  billing(input: UserBillingInput): UserBilling
  dailyCharges: [ClientCreditCharge]
  "For a key that may read everything; what is shown of a key does not open anything."
  apiKeys: [ApiKey]

  "False and empty, like the fields after it: the emulator's accounts are nobody's team."
  isTeam: Boolean
  teams: [Team]
  ownedTeams: [Team]
  team: Team
  teamMembership: TeamMembership
  teamScopes: TeamScopes
  csrRole: CsrRole
  impersonations: [Impersonation]
  activeImpersonation: Impersonation

  "Empty, like the fields after it: the emulator's accounts host no machines."
  machines(input: UserMachinesFilter): [Machine]
  machinesSummary: [MachineSummary]
  machineEarnings: [MachineEarning]
  machineEarningsCustomRange(input: EarningsCustomRangeInput): [MachineEarning]
  networkStorageEarnings(input: NetworkStorageEarningInput): [NetworkStorageEarning]
  backgroundPods: [Pod]
  machineQuota: Int
  hostBalance: Float
  hostStripeLinked: Boolean

  "Nothing, like the fields after it: nobody is paid and nobody pays."
  creditCodes: [CreditCode]
  stripeReloadHistory: [StripeReloadTransaction]
  stripeSavedPaymentId: String
  stripeSavedPaymentLast4: String
  stripeAutoReloadAmount: Float
  stripeAutoPaymentThreshold: Float
  stripeAccountId: String
  referral: UserReferral
  referralId: String
  referralEarned: Float
  templateEarned: Float
  information: UserInformation
  multiFactorEnabled: Boolean
  signedTermsOfService: Boolean
}
"USD per hour."
type SpendDetails {
  localStoragePerHour: Float
  networkStoragePerHour: Float
  gpuComputePerHour: Float
}
type ApiKey {
  id: String
  "Its first and last letters."
  name: String
  "all, read-only, restricted or revoked."
  permissions: String
  "Null, like lastUsed: nobody notes when a key is made or used."
  createdAt: DateTime
  lastUsed: DateTime
}
type Discount {
  userId: String!
  type: DiscountType
  discountFactor: Float
  expirationDate: DateTime
  activeDiscountFactor: Float
  activeWorkers: Int
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
type ContainerRegistryAuth {
  id: String!
  name: String
  userId: String
  "Always null: credentials are never shown."
  registryAuth: String
}

input SecretCreateInput { name: String! value: String! description: String }
type Secret {
  id: String!
  name: String
  description: String
  createdAt: DateTime
  updatedAt: DateTime
  lastUpdatedAt: DateTime
  lastRetrievedAt: DateTime
}
`
