/** Billing histories as REST v1 spells them: bare lists, grouped by one field. */
import type { Static } from '@sinclair/typebox'
import * as Type from '@sinclair/typebox'
import { type BillLine, billLines, billWindow, type GroupOf } from '../../domain/bills.ts'
import { bucketSizes } from '../../model/buckets.ts'
import type { Tariff } from '../../model/ledger.ts'
import { OneOf } from '../../model/schema.ts'
import type { World } from '../../world/world.ts'
import { readInstant } from '../http/instant.ts'
import { defineOperation, type Operation } from '../http/operation.ts'
import { ok, toIso } from '../http/reply.ts'
import { succeededBy } from '../http/successor.ts'
import { refusals } from './errors.ts'
import { dataCentersNamed, gpuTypesMeant } from './named-types.ts'

const tag = 'billing'
const Text = Type.Optional(Type.String())
const Texts = Type.Optional(Type.Array(Type.String()))
const Instant = Type.String({ format: 'date-time' })

const WindowQuery = Type.Object({
  bucketSize: OneOf(bucketSizes, { default: 'day' }),
  startTime: Type.Optional(Instant),
  endTime: Type.Optional(Instant),
})
const PodQuery = Type.Object({
  ...WindowQuery.properties,
  grouping: OneOf(['podId', 'gpuTypeId'], { default: 'gpuTypeId' }),
  podId: Text,
  gpuTypeId: Text,
})
const EndpointQuery = Type.Object({
  ...WindowQuery.properties,
  grouping: OneOf(['endpointId', 'podId', 'gpuTypeId'], { default: 'endpointId' }),
  endpointId: Text,
  gpuTypeId: Texts,
  dataCenterId: Texts,
  imageName: Text,
  templateId: Text,
})
type WindowQuery = Partial<Static<typeof WindowQuery>>

const Record = Type.Object({
  amount: Type.Number(),
  timeBilledMs: Type.Integer(),
  diskSpaceBilledGb: Type.Integer(),
  time: Instant,
  podId: Text,
  endpointId: Text,
  gpuTypeId: Text,
})
const VolumeRecord = Type.Object({
  amount: Type.Number(),
  diskSpaceBilledGb: Type.Integer(),
  highPerformanceStorageAmount: Type.Number(),
  highPerformanceStorageDiskSpaceBilledGb: Type.Integer(),
  time: Instant,
})

export const billingOperations: readonly Operation[] = [
  defineOperation({
    name: 'PodBilling',
    successor: succeededBy('GET /v2/billing/pods listPodBilling'),
    method: 'GET',
    path: '/v1/billing/pods',
    summary: 'What pods came to',
    tag,
    needs: 'read',
    query: PodQuery,
    replies: { 200: { description: 'Records.', schema: Type.Array(Record) }, ...refusals },
    handle({ world, query }) {
      // No defaults are filled in where nothing was asked at all.
      const { grouping = 'gpuTypeId', podId, gpuTypeId } = query
      const types = typesAsked(world, gpuTypeId === undefined ? undefined : [gpuTypeId])
      const passes = (tariff: Tariff) =>
        tariff.kind === 'pod' && same(podId, tariff.resourceId) && among(types, tariff.gpuTypeId)
      return ok(toRecords(world, query, grouping, passes))
    },
  }),
  defineOperation({
    name: 'EndpointBilling',
    successor: succeededBy('GET /v2/billing/serverless listServerlessBilling'),
    method: 'GET',
    path: '/v1/billing/endpoints',
    summary: "What the account's own endpoints came to",
    tag,
    needs: 'read',
    query: EndpointQuery,
    replies: { 200: { description: 'Records.', schema: Type.Array(Record) }, ...refusals },
    handle({ world, query }) {
      const { grouping = 'endpointId', endpointId, imageName, templateId, dataCenterId } = query
      const types = typesAsked(world, query.gpuTypeId)
      const places = dataCenterId === undefined ? undefined : dataCentersNamed(world, dataCenterId)
      const passes = (tariff: Tariff) =>
        tariff.kind === 'serverless' &&
        same(endpointId, tariff.resourceId) &&
        same(imageName, tariff.image) &&
        same(templateId, tariff.templateId) &&
        among(types, tariff.gpuTypeId) &&
        among(places, tariff.dataCenterId)
      return ok(toRecords(world, query, grouping, passes))
    },
  }),
  defineOperation({
    name: 'NetworkVolumeBilling',
    successor: succeededBy('GET /v2/billing/network-volumes listNetworkVolumeBilling'),
    method: 'GET',
    path: '/v1/billing/networkvolumes',
    summary: 'What network volumes came to',
    tag,
    needs: 'read',
    query: WindowQuery,
    replies: { 200: { description: 'Records.', schema: Type.Array(VolumeRecord) }, ...refusals },
    handle: ({ world, query }) => ok(toVolumeRecords(world, query)),
  }),
]

type Grouping = 'podId' | 'endpointId' | 'gpuTypeId'

function toRecords(
  world: World,
  query: WindowQuery,
  grouping: Grouping,
  passes: (tariff: Tariff) => boolean,
) {
  const groupOf: GroupOf = (tariff, meterId) =>
    passes(tariff) ? groups[grouping](tariff, meterId) : undefined
  return linesOf(world, query, groupOf).map((line) => ({
    amount: usdOf(line),
    timeBilledMs: line.computeMs,
    diskSpaceBilledGb: line.diskGb,
    time: toIso(line.startMs),
    [grouping]: line.group,
  }))
}

const groups: Readonly<Record<Grouping, (tariff: Tariff, meterId: string) => string>> = {
  // A worker is a pod here.
  podId: (_tariff, meterId) => meterId,
  endpointId: ({ resourceId }) => resourceId,
  // Observed in GraphQL: what has no GPU is of the type `unknown`.
  gpuTypeId: ({ gpuTypeId }) => gpuTypeId ?? 'unknown',
}

/** Assumed: the amount and the disk are of all volumes, of which the fast ones are named again. */
function toVolumeRecords(world: World, query: WindowQuery) {
  const fast = linesOf(world, query, ({ kind, usdPerHour }) =>
    kind === 'volume' && usdPerHour.highPerformance !== undefined ? kind : undefined,
  )
  return linesOf(world, query, ({ kind }) => (kind === 'volume' ? kind : undefined)).map((line) => {
    const fastLine = fast.find(({ startMs }) => startMs === line.startMs)
    return {
      amount: usdOf(line),
      diskSpaceBilledGb: line.diskGb,
      highPerformanceStorageAmount: fastLine === undefined ? 0 : usdOf(fastLine),
      highPerformanceStorageDiskSpaceBilledGb: fastLine?.diskGb ?? 0,
      time: toIso(line.startMs),
    }
  })
}

/** Assumed: a window is what it is in v2: the last 30 days unless it is said, in whole buckets. */
function linesOf(world: World, query: WindowQuery, groupOf: GroupOf): BillLine[] {
  const window = billWindow(world, {
    startMs: readInstant('startTime', query.startTime),
    endMs: readInstant('endTime', query.endTime),
    bucketSize: query.bucketSize,
  })
  return billLines(world, window, groupOf)
}

/** To the nano-dollar, which hides what floats add of their own. */
function usdOf({ usd }: BillLine): number {
  const sum = Object.values(usd).reduce((total, amount) => total + amount, 0)
  return Math.round(sum * 1e9) / 1e9
}

function typesAsked(world: World, names: readonly string[] | undefined): string[] | undefined {
  return names === undefined ? undefined : gpuTypesMeant(world, names)
}

function same(wanted: string | undefined, actual: string | null): boolean {
  return wanted === undefined || wanted === actual
}

function among(wanted: readonly string[] | undefined, actual: string | null): boolean {
  return wanted === undefined || (actual !== null && wanted.includes(actual))
}
