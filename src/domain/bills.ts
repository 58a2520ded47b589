/** Bills: what the ledger and the meters that run have to say, cut into buckets and grouped. */
import { type BucketSize, bucketStart } from '../model/buckets.ts'
import { invalidField, ruleViolation } from '../model/errors.ts'
import type { ChargeKind, ChargePart, Tariff } from '../model/ledger.ts'
import type { World } from '../world/world.ts'
import { type Charge, chargesOf, hourMs } from './billing.ts'

/** Spec: the last 30 days when nothing is said. */
const defaultSpanMs = 30 * 24 * hourMs
/** The years 1 to 9999, which RFC 3339 and those who read it can write. */
const calendar = { fromMs: -62_135_596_800_000, toMs: 253_402_300_800_000 }

export interface WindowWish {
  readonly startMs?: number | undefined
  readonly endMs?: number | undefined
  /** So many buckets up to the one that is in progress. */
  readonly lastN?: number | undefined
  readonly bucketSize?: BucketSize | undefined
}

/** From the beginning of a bucket to the end of one; the end is not in it. */
export interface BillWindow {
  readonly startMs: number
  readonly endMs: number
  readonly bucketSize: BucketSize
}

/** One group in one bucket. */
export interface BillLine {
  readonly startMs: number
  readonly endMs: number
  readonly group: string
  /** USD, by what it was for: `pod/gpu`. What is absent is nothing. */
  readonly usd: Readonly<Partial<Record<Charged, number>>>
  /** Compute that was paid for, of all units together. */
  readonly computeMs: number
  /** Disk that was paid for: of each unit the most at a time. */
  readonly diskGb: number
}
export type Charged = `${ChargeKind}/${ChargePart}`

/** What a line is for; undefined for what is not in the bill. */
export type GroupOf = (tariff: Tariff, meterId: string) => string | undefined

/** Spec: snapped outwards to whole buckets. `rule_violation` for what contradicts itself. */
export function billWindow({ nowMs }: World, wish: WindowWish): BillWindow {
  const { lastN, bucketSize = 'day' } = wish
  if (lastN === undefined) return explicitWindow(nowMs, wish, bucketSize)
  if (wish.startMs !== undefined || wish.endMs !== undefined) {
    throw ruleViolation('lastN cannot be combined with startTime or endTime')
  }
  const startMs = bucketStart(nowMs, bucketSize, 1 - lastN)
  if (!(startMs >= calendar.fromMs)) throw invalidField(['lastN'], 'reaches back before the year 1')
  return { startMs, endMs: bucketStart(nowMs, bucketSize, 1), bucketSize }
}

/** Lines by time, and within a bucket in the order in which charges began to be written down. */
export function billLines(world: World, window: BillWindow, groupOf: GroupOf): BillLine[] {
  const lines = new Map<string, OpenLine>()
  for (const charge of chargesOf(world)) {
    const group = groupOf(charge.tariff, charge.meterId)
    if (group !== undefined) addCharge(lines, window, charge, group)
  }
  return [...lines.values()]
    .sort((left, right) => left.startMs - right.startMs)
    .map(({ diskGbOf, ...line }) => {
      const diskGb = [...diskGbOf.values()].reduce((sum, gb) => sum + gb, 0)
      return { ...line, diskGb }
    })
}

interface OpenLine extends Omit<BillLine, 'usd' | 'diskGb' | 'computeMs'> {
  usd: Partial<Record<Charged, number>>
  computeMs: number
  readonly diskGbOf: Map<string, number>
}

function explicitWindow(nowMs: number, wish: WindowWish, bucketSize: BucketSize): BillWindow {
  const { startMs = nowMs - defaultSpanMs, endMs = nowMs } = wish
  // Assumed: the documents do not say what becomes of a window that is empty or upside down.
  if (startMs >= endMs) throw ruleViolation('startTime must be before endTime')
  const window = {
    startMs: bucketStart(startMs, bucketSize),
    // A boundary is its own end: the bucket of the instant before it ends there.
    endMs: bucketStart(endMs - 1, bucketSize, 1),
    bucketSize,
  }
  if (window.startMs < calendar.fromMs) throw invalidField(['startTime'], 'is before the year 1')
  if (window.endMs > calendar.toMs) throw invalidField(['endTime'], 'is after the year 9999')
  return window
}

function addCharge(
  lines: Map<string, OpenLine>,
  { startMs, endMs, bucketSize }: BillWindow,
  charge: Charge,
  group: string,
): void {
  if (charge.onceUsd !== undefined) {
    if (charge.fromMs < startMs || charge.fromMs >= endMs) return
    add(lineAt(lines, charge.fromMs, bucketSize, group), charge, 0)
    return
  }
  const untilMs = Math.min(charge.toMs, endMs)
  for (let fromMs = Math.max(charge.fromMs, startMs); fromMs < untilMs; ) {
    const line = lineAt(lines, fromMs, bucketSize, group)
    const toMs = Math.min(untilMs, line.endMs)
    add(line, charge, toMs - fromMs)
    fromMs = toMs
  }
}

function lineAt(
  lines: Map<string, OpenLine>,
  ms: number,
  bucketSize: BucketSize,
  group: string,
): OpenLine {
  const startMs = bucketStart(ms, bucketSize)
  const key = `${startMs}/${group}`
  const known = lines.get(key)
  if (known !== undefined) return known
  const endMs = bucketStart(ms, bucketSize, 1)
  const line = { startMs, endMs, group, usd: {}, computeMs: 0, diskGbOf: new Map() }
  lines.set(key, line)
  return line
}

function add(line: OpenLine, { meterId, tariff, onceUsd }: Charge, forMs: number): void {
  const { kind, usdPerHour, diskGb } = tariff
  const amounts = onceUsd ?? usdPerHour
  const factor = onceUsd === undefined ? forMs / hourMs : 1
  for (const [part, usd] of Object.entries(amounts)) {
    const charged = `${kind}/${part as ChargePart}` as const
    line.usd[charged] = (line.usd[charged] ?? 0) + usd * factor
  }
  if (usdPerHour.gpu !== undefined || usdPerHour.cpu !== undefined) line.computeMs += forMs
  line.diskGbOf.set(meterId, Math.max(line.diskGbOf.get(meterId) ?? 0, diskGb))
}
