/** The six bills of REST v2, as data: what is in each, and what its amounts are called. */
import type { Charged } from '../../domain/bills.ts'
import type { Tariff } from '../../model/ledger.ts'

export interface Bill {
  readonly name: string
  readonly path: string
  readonly summary: string
  /** What each amount adds up; the total is all of them. */
  readonly amounts: Readonly<Record<string, readonly Charged[]>>
  /** For a bill with a record for each resource. */
  readonly resource?: {
    /** In the query, in every record, and in the echo of the query. */
    readonly id: string
    /** How many there are in the records. */
    readonly count: string
    readonly kind: Tariff['kind']
  }
}

// Spec: serverless bills have a fee. Assumed: nothing is charged for it, as no document has a price.
const noFee: readonly Charged[] = []

export const bills: readonly Bill[] = [
  {
    name: 'listBilling',
    path: '/v2/billing',
    summary: 'What everything came to, one record for each bucket.',
    amounts: {
      podGpuAmount: ['pod/gpu'],
      podCpuAmount: ['pod/cpu'],
      podDiskAmount: ['pod/disk'],
      serverlessGpuAmount: ['serverless/gpu'],
      serverlessCpuAmount: ['serverless/cpu'],
      serverlessDiskAmount: ['serverless/disk'],
      serverlessFeeAmount: noFee,
      storageStandardAmount: ['volume/standard'],
      storageHighPerformanceAmount: ['volume/highPerformance'],
      endpointAmount: ['public-endpoint/requests'],
      clusterGpuAmount: ['cluster/gpu'],
      clusterDiskAmount: ['cluster/disk'],
      clusterNetworkingAmount: ['cluster/networking'],
    },
  },
  {
    name: 'listPodBilling',
    path: '/v2/billing/pods',
    summary: 'What each pod came to.',
    amounts: { gpuAmount: ['pod/gpu'], cpuAmount: ['pod/cpu'], diskAmount: ['pod/disk'] },
    resource: { id: 'podId', count: 'uniquePodCount', kind: 'pod' },
  },
  {
    name: 'listServerlessBilling',
    path: '/v2/billing/serverless',
    summary: 'What each endpoint of the account came to.',
    amounts: {
      gpuAmount: ['serverless/gpu'],
      cpuAmount: ['serverless/cpu'],
      diskAmount: ['serverless/disk'],
      feeAmount: noFee,
    },
    resource: { id: 'serverlessId', count: 'uniqueServerlessCount', kind: 'serverless' },
  },
  {
    // Spec: here these are the platform's public endpoints, all together; in v1 the account's own.
    name: 'listEndpointBilling',
    path: '/v2/billing/endpoints',
    summary: "What calls of the platform's public endpoints came to.",
    amounts: { totalAmount: ['public-endpoint/requests'] },
  },
  {
    name: 'listNetworkVolumeBilling',
    path: '/v2/billing/network-volumes',
    summary: 'What each network volume came to.',
    amounts: {
      standardAmount: ['volume/standard'],
      highPerformanceAmount: ['volume/highPerformance'],
    },
    resource: { id: 'networkVolumeId', count: 'uniqueNetworkVolumeCount', kind: 'volume' },
  },
  {
    name: 'listClusterBilling',
    path: '/v2/billing/clusters',
    summary: 'What each cluster came to.',
    amounts: {
      gpuAmount: ['cluster/gpu'],
      diskAmount: ['cluster/disk'],
      networkingAmount: ['cluster/networking'],
    },
    resource: { id: 'clusterId', count: 'uniqueClusterCount', kind: 'cluster' },
  },
]
