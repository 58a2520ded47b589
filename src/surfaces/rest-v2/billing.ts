/** Billing histories as REST v2 spells them: one operation for each bill of the table. */
import type { Static, TSchema } from '@sinclair/typebox'
import * as Type from '@sinclair/typebox'
import { type BillLine, type BillWindow, billLines, billWindow } from '../../domain/bills.ts'
import { bucketSizes } from '../../model/buckets.ts'
import { OneOf, OrNull } from '../../model/schema.ts'
import type { World } from '../../world/world.ts'
import { readInstant } from '../http/instant.ts'
import { defineOperation, type Operation } from '../http/operation.ts'
import { ok, toIso } from '../http/reply.ts'
import { type Bill, bills } from './billing-bills.ts'
import { readReplies } from './replies.ts'

const Instant = Type.String({ format: 'date-time' })
const WindowQuery = Type.Object({
  startTime: Type.Optional(Instant),
  endTime: Type.Optional(Instant),
  bucketSize: Type.Optional(OneOf(bucketSizes, { default: 'day' })),
  lastN: Type.Optional(Type.Integer({ minimum: 1 })),
})

/** Everything is in one record of a bucket where a bill has no resources. */
const whole = ''

export const billingOperations: readonly Operation[] = bills.map((bill) =>
  defineOperation({
    name: bill.name,
    method: 'GET',
    path: bill.path,
    summary: bill.summary,
    tag: 'billing',
    needs: 'read',
    query: queryOf(bill),
    replies: readReplies('Records, and what they were asked for with.', replyOf(bill)),
    handle: ({ world, query }) => ok(toBill(world, bill, query)),
  }),
)

type Query = Static<typeof WindowQuery> & Readonly<Record<string, unknown>>

function toBill(world: World, bill: Bill, query: Query) {
  const { resource } = bill
  const window = billWindow(world, {
    startMs: readInstant('startTime', query.startTime),
    endMs: readInstant('endTime', query.endTime),
    lastN: query.lastN,
    bucketSize: query.bucketSize,
  })
  const wantedId = resource === undefined ? undefined : query[resource.id]
  const lines = billLines(world, window, ({ kind, resourceId }) => {
    if (resource === undefined) return whole
    return kind === resource.kind && (wantedId ?? resourceId) === resourceId
      ? resourceId
      : undefined
  }).filter((line) => hasCharges(bill, line))
  const records = lines.map((line) => ({ line, amounts: amountsOf(bill, line) }))
  return {
    records: records.map(({ line, amounts }) => ({
      ...toRange(line),
      ...(resource === undefined ? {} : { [resource.id]: line.group }),
      ...amounts,
    })),
    metadata: {
      query: {
        ...toRange(window),
        bucketSize: window.bucketSize,
        ...(resource === undefined || wantedId === undefined ? {} : { [resource.id]: wantedId }),
      },
      recordCount: records.length,
      ...(resource === undefined
        ? {}
        : { [resource.count]: new Set(lines.map(({ group }) => group)).size }),
      totals: totalsOf(
        bill,
        records.map(({ amounts }) => amounts),
      ),
    },
  }
}

/** Assumed: a bucket in which nothing was charged has no record. */
function hasCharges({ amounts }: Bill, { usd }: BillLine): boolean {
  return Object.values(amounts).some((charges) => charges.some((charge) => charge in usd))
}

type Amounts = Readonly<Record<string, number>>

function amountsOf({ amounts }: Bill, { usd }: BillLine): Amounts {
  const named = Object.entries(amounts).map(([name, charges]) => {
    const sum = charges.reduce((total, charge) => total + (usd[charge] ?? 0), 0)
    return [name, rounded(sum)] as const
  })
  return withTotal(Object.fromEntries(named))
}

/** Of the records as they are shown, so that they add up. */
function totalsOf({ amounts }: Bill, records: readonly Amounts[]): Amounts {
  const named = Object.keys(amounts).map((name) => {
    const sum = records.reduce((total, record) => total + (record[name] ?? 0), 0)
    return [name, rounded(sum)] as const
  })
  return withTotal(Object.fromEntries(named))
}

function withTotal(amounts: Amounts): Amounts {
  const totalAmount = rounded(Object.values(amounts).reduce((sum, usd) => sum + usd, 0))
  return { totalAmount, ...amounts }
}

function toRange({ startMs, endMs }: Pick<BillWindow, 'startMs' | 'endMs'>) {
  return { startTime: toIso(startMs), endTime: toIso(endMs) }
}

/** To the nano-dollar, which hides what floats add of their own. */
function rounded(usd: number): number {
  return Math.round(usd * 1e9) / 1e9
}

function queryOf({ resource }: Bill): typeof WindowQuery {
  if (resource === undefined) return WindowQuery
  const filter = { [resource.id]: Type.Optional(Type.String()) }
  return Type.Object({ ...WindowQuery.properties, ...filter }) as typeof WindowQuery
}

function replyOf({ amounts, resource }: Bill): TSchema {
  const range = { startTime: Instant, endTime: Instant }
  const money: Record<string, TSchema> = { totalAmount: Type.Number() }
  for (const name of Object.keys(amounts)) money[name] = Type.Number()
  const id = resource === undefined ? {} : { [resource.id]: Type.String() }
  const echo = resource === undefined ? {} : { [resource.id]: Type.Optional(OrNull(Type.String())) }
  const count = resource === undefined ? {} : { [resource.count]: Type.Integer() }
  return Type.Object({
    records: Type.Array(Type.Object({ ...range, ...id, ...money })),
    metadata: Type.Object({
      query: Type.Object({ ...range, bucketSize: OneOf(bucketSizes), ...echo }),
      recordCount: Type.Integer(),
      ...count,
      totals: Type.Object(money),
    }),
  })
}
