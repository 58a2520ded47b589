/** Bills as GraphQL spells them: rows by time, for each part of the cloud. */
import { type BillLine, billLines, billWindow, type Charged } from '../../domain/bills.ts'
import type { BucketSize } from '../../model/buckets.ts'
import type { Tariff } from '../../model/ledger.ts'
import type { World } from '../../world/world.ts'
import { toIso } from '../http/reply.ts'
import type { Wire } from './inputs.ts'

export interface BillingInput {
  readonly granularity?: Wire<keyof typeof buckets>
}

interface ServerlessInput {
  readonly groupBy?: Wire<'GPU_TYPE' | 'ENDPOINT' | 'INSTANCE_ID'>
}

const buckets = {
  HOURLY: 'hour',
  DAILY: 'day',
  WEEKLY: 'week',
  MONTHLY: 'month',
} as const satisfies Record<string, BucketSize>

/** Assumed: days, and the last thirty of them, as REST has it. */
export function toBilling(world: World, input: BillingInput) {
  const rows = (groupOf: (tariff: Tariff) => string | undefined) =>
    billLines(
      world,
      billWindow(world, { bucketSize: buckets[input.granularity ?? 'DAILY'] }),
      groupOf,
    )
  return {
    gpuCloud: () =>
      rows(gpuPodGroup).map((line) => ({
        ...timeOf(line),
        gpuTypeId: line.group,
        amount: amountOf(line, ['pod/gpu', 'cluster/gpu']),
      })),
    // The ledger does not tell one flavor from another.
    cpuCloud: () =>
      rows(({ kind, usdPerHour }) => (kind === 'pod' && usdPerHour.cpu ? '' : undefined)).map(
        (line) => ({ ...timeOf(line), amount: amountOf(line, ['pod/cpu']) }),
      ),
    serverless: ({ input: by }: { input?: Wire<ServerlessInput> }) => serverlessRows(rows, by),
    runpodEndpoint: () =>
      rows(({ kind }) => (kind === 'public-endpoint' ? '' : undefined)).map((line) => ({
        time: toIso(line.startMs),
        amount: amountOf(line, ['public-endpoint/requests']),
      })),
    storage: () => rows(() => '').map(toStorage),
    summary: () => rows(() => '').map(toSummary),
  }
}

/** Assumed: one row a day, for the same time as bills. */
export function toDailyCharges(world: World) {
  return billLines(world, billWindow(world, { bucketSize: 'day' }), () => '').map((line) => {
    const { storageAmount, gpuCloudAmount, cpuCloudAmount, serverlessAmount } = toSummary(line)
    const { runpodEndpointAmount } = toSummary(line)
    const podCharges = gpuCloudAmount + cpuCloudAmount
    return {
      podCharges,
      serverlessCharges: serverlessAmount,
      diskCharges: storageAmount,
      apiCharges: runpodEndpointAmount,
      amount: podCharges + serverlessAmount + storageAmount + runpodEndpointAmount,
      updatedAt: toIso(Math.min(line.endMs, world.nowMs)),
    }
  })
}

/** USD per hour of everything that costs at the moment. */
export function toSpendDetails(world: World) {
  let [compute, local, network] = [0, 0, 0]
  for (const { tariff } of world.meters.values()) {
    const { gpu = 0, cpu = 0, networking = 0, disk = 0, ...volume } = tariff.usdPerHour
    compute += gpu + cpu + networking
    local += disk
    network += (volume.standard ?? 0) + (volume.highPerformance ?? 0)
  }
  return { gpuComputePerHour: compute, localStoragePerHour: local, networkStoragePerHour: network }
}

type Rows = (groupOf: (tariff: Tariff) => string | undefined) => BillLine[]

/** Assumed: by endpoint unless it is said otherwise. Workers are not billed by instance. */
function serverlessRows(rows: Rows, input: Wire<ServerlessInput>) {
  const by = input?.groupBy ?? 'ENDPOINT'
  const groupOf = ({ kind, resourceId, gpuTypeId }: Tariff) => {
    if (kind !== 'serverless') return undefined
    return by === 'ENDPOINT' ? resourceId : by === 'GPU_TYPE' ? (gpuTypeId ?? '') : ''
  }
  return rows(groupOf).map((line) => ({
    ...timeOf(line),
    endpointId: by === 'ENDPOINT' ? line.group : null,
    gpuTypeId: by === 'GPU_TYPE' && line.group !== '' ? line.group : null,
    amount: amountOf(line, ['serverless/gpu', 'serverless/cpu']),
  }))
}

function gpuPodGroup({ kind, gpuTypeId, usdPerHour }: Tariff): string | undefined {
  const isRented = kind === 'pod' || kind === 'cluster'
  return isRented && usdPerHour.gpu !== undefined ? (gpuTypeId ?? undefined) : undefined
}

function toStorage(line: BillLine) {
  const networkStorageAmount = amountOf(line, ['volume/standard', 'volume/highPerformance'])
  const gpuStorageAmount = amountOf(line, ['pod/disk', 'cluster/disk'])
  const slsStorageAmount = amountOf(line, ['serverless/disk'])
  return {
    time: toIso(line.startMs),
    ...{ networkStorageAmount, gpuStorageAmount, slsStorageAmount },
    amount: networkStorageAmount + gpuStorageAmount + slsStorageAmount,
    diskSpaceBilledGB: line.diskGb,
  }
}

function toSummary(line: BillLine) {
  return {
    time: toIso(line.startMs),
    gpuCloudAmount: amountOf(line, ['pod/gpu', 'cluster/gpu', 'cluster/networking']),
    cpuCloudAmount: amountOf(line, ['pod/cpu']),
    serverlessAmount: amountOf(line, ['serverless/gpu', 'serverless/cpu']),
    storageAmount: toStorage(line).amount,
    runpodEndpointAmount: amountOf(line, ['public-endpoint/requests']),
  }
}

function amountOf({ usd }: BillLine, parts: readonly Charged[]): number {
  return parts.reduce((sum, part) => sum + (usd[part] ?? 0), 0)
}

function timeOf({ startMs, computeMs }: BillLine) {
  return { time: toIso(startMs), timeBilledSeconds: Math.round(computeMs / 1_000) }
}
