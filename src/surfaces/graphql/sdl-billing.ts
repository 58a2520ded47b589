/** What was charged and what was paid, in the schema. */
export const billingSdl = /* GraphQL */ `
input UserBillingInput { granularity: BillingGranularity }
input UserServerlessBillingInput { groupBy: UserServerlessBillingGroupBy }
"Rows by time, oldest first. Amounts are USD."
type UserBilling {
  gpuCloud: [UserGpuCloudBilling]
  cpuCloud: [UserCpuCloudBilling]
  serverless(input: UserServerlessBillingInput): [UserServerlessBilling]
  "Calls of public endpoints."
  runpodEndpoint: [UserRunpodEndpointBilling]
  storage: [UserStorageBilling]
  summary: [UserSummaryBilling]
}
type UserGpuCloudBilling { time: DateTime gpuTypeId: String timeBilledSeconds: Int amount: Float }
type UserCpuCloudBilling { time: DateTime cpuFlavorId: String timeBilledSeconds: Int amount: Float }
type UserServerlessBilling {
  time: DateTime
  endpointId: String
  gpuTypeId: String
  instanceId: String
  timeBilledSeconds: Int
  amount: Float
}
type UserRunpodEndpointBilling { time: DateTime amount: Float }
type UserStorageBilling {
  time: DateTime
  amount: Float
  diskSpaceBilledGB: Float
  networkStorageAmount: Float
  networkStorageDiskSpaceBilledGB: Float
  gpuStorageAmount: Float
  gpuDiskSpaceBilledGB: Float
  cpuStorageAmount: Float
  cpuDiskSpaceBilledGB: Float
  slsStorageAmount: Float
  slsDiskSpaceBilledGB: Float
}
type UserSummaryBilling {
  time: DateTime
  gpuCloudAmount: Float
  cpuCloudAmount: Float
  serverlessAmount: Float
  storageAmount: Float
  runpodEndpointAmount: Float
}
type ClientCreditCharge {
  type: ClientCreditChargeType
  amount: Float
  podCharges: Float
  serverlessCharges: Float
  diskCharges: Float
  apiCharges: Float
  updatedAt: DateTime
}
type CreditCode {
  id: String
  issuerId: String
  amount: Float
  createdAt: DateTime
  redeemedAt: DateTime
}
type StripeReloadTransaction {
  id: String
  type: TransactionType
  medium: TransactionMedium
  mediumId: String
  amount: Float
  transactionCompletedAt: DateTime
  receiptLink: String
}
type UserReferral { code: String! currentMonth: UserReferralMonth }
type UserReferralMonth { totalReferrals: Int totalSpend: Float }
type UserInformation {
  firstName: String
  lastName: String
  companyName: String
  companyIdentification: String
  taxIdentification: String
  addressLine1: String
  addressLine2: String
  countryCode: String
}
`
