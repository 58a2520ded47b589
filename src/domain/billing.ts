/**
 * Charges as they accrue. A meter runs while something costs; when it stops, or its rates change,
 * what it came to is written into the ledger. The balance goes down with the sum of all rates, so it
 * is known at every moment although nothing is written in between.
 */
import {
  type Amounts,
  chargeParts,
  type LedgerEntry,
  type Meter,
  type Spending,
  type Tariff,
} from '../model/ledger.ts'
import type { TimerId } from '../sim/timeline.ts'
import type { World } from '../world/world.ts'

export const hourMs = 3_600_000
const dayMs = 24 * hourMs
/** A balance that lasts longer is looked at again by then. */
const longestLookMs = 3_650 * dayMs
/** Less than this, in USD, is a rest of rounding. */
const nothingUsd = 1e-9
/** The ledger grows to this many times of what is kept before the oldest entries go. */
const forgetfulness = 1.1

/** From now on this costs so much. Call it after every change: what costs as before runs on. */
export function runMeter(world: World, id: string, tariff: Tariff): void {
  const running = world.meters.find(id)
  if (running !== undefined && isSame(running.tariff, tariff)) return
  const usdPerHour = sum(tariff.usdPerHour)
  if (usdPerHour === 0) {
    stopMeter(world, id)
    return
  }
  let lessUsd = 0
  if (running !== undefined) {
    writeMeterDown(world, running)
    lessUsd = sum(running.tariff.usdPerHour)
  }
  world.meters.put({ id, tariff, sinceMs: world.nowMs })
  changeSpending(world, usdPerHour - lessUsd)
}

/** From now on this costs nothing, if it did. */
export function stopMeter(world: World, id: string): void {
  const running = world.meters.find(id)
  if (running === undefined) return
  writeMeterDown(world, running)
  world.meters.remove(id)
  changeSpending(world, -sum(running.tariff.usdPerHour))
}

/** Something that has a price and takes no time. */
export function chargeOnce(world: World, meterId: string, tariff: Tariff, onceUsd: Amounts): void {
  writeDown(world, { meterId, tariff, fromMs: world.nowMs, toMs: world.nowMs, onceUsd })
  settle(world, balanceOf(world) - sum(onceUsd), world.account.spending.usdPerHour)
}

/** What is left to spend at this moment, in USD. Below zero for what runs on without money. */
export function balanceOf({ account, nowMs }: World): number {
  const { spending } = account
  return account.balanceUsd - (spending.usdPerHour * (nowMs - spending.sinceMs)) / hourMs
}

/** What is left to spend, from outside: nobody was charged, and nothing was paid in. */
export function setBalance(world: World, balanceUsd: number): void {
  world.timeline.record('account.balance-set', world.account.id, { balanceUsd })
  settle(world, balanceUsd, world.account.spending.usdPerHour)
}

export function isUsedUp(world: World): boolean {
  return balanceOf(world) < nothingUsd
}

/** The last look found something left: looks again when it may be used up. */
export function lookAgain(world: World): void {
  changeAccount(world, { timer: null })
  settle(world, balanceOf(world), world.account.spending.usdPerHour)
}

export type Charge = Omit<LedgerEntry, 'id'>

/** What a charge came to, in USD. */
export function usdOf({ tariff, onceUsd, fromMs, toMs }: Charge): number {
  if (onceUsd !== undefined) return sum(onceUsd)
  return (sum(tariff.usdPerHour) * (toMs - fromMs)) / hourMs
}

/** Everything that was ever charged, in USD: also what the ledger has forgotten. */
export function spentUsd(world: World): number {
  let usd = world.account.spending.forgottenUsd
  for (const charge of chargesOf(world)) usd += usdOf(charge)
  return usd
}

/** Up to now: what is written down, as far back as it is kept, and what meters that run have come to. */
export function* chargesOf(world: World): Generator<Charge> {
  yield* world.ledger.values()
  for (const meter of world.meters.values()) yield chargeOf(world, meter)
}

function chargeOf({ nowMs }: World, { id, tariff, sinceMs }: Meter): Charge {
  return { meterId: id, tariff, fromMs: sinceMs, toMs: nowMs }
}

function writeDown(world: World, charge: Charge): void {
  const written = world.account.spending.written + 1
  changeAccount(world, { written })
  world.ledger.put({ id: String(written), ...charge })
  const { charges } = world.settings.keep
  if (world.ledger.size > charges * forgetfulness) forgetOldest(world, charges)
}

/** Many at a time: each look for the oldest passes over all that went before it. */
function forgetOldest(world: World, charges: number): void {
  let { forgottenUsd } = world.account.spending
  for (const entry of world.ledger.values()) {
    if (world.ledger.size <= charges) break
    forgottenUsd += usdOf(entry)
    world.ledger.remove(entry.id)
  }
  changeAccount(world, { forgottenUsd })
}

function changeAccount(world: World, changes: Partial<Spending>): void {
  const spending = { ...world.account.spending, ...changes }
  world.account = { ...world.account, spending }
}

function writeMeterDown(world: World, meter: Meter): void {
  if (meter.sinceMs < world.nowMs) writeDown(world, chargeOf(world, meter))
}

function changeSpending(world: World, byUsdPerHour: number): void {
  // Sums of floats keep a rest where nothing is left.
  const usdPerHour = world.meters.size === 0 ? 0 : world.account.spending.usdPerHour + byUsdPerHour
  settle(world, balanceOf(world), usdPerHour)
}

function settle(world: World, balanceUsd: number, usdPerHour: number): void {
  const timer = watchBalance(world, balanceUsd, usdPerHour)
  const { written, forgottenUsd } = world.account.spending
  const spending = { usdPerHour, written, forgottenUsd, timer, sinceMs: world.nowMs }
  // A spread would take three times as long, of an object with sums in it that become fractions.
  world.account = Object.assign({}, world.account, { balanceUsd, spending })
}

/**
 * Sees to it that the balance is looked at when it may be used up. A look that turns out to be too
 * early finds the next one, so that it is moved only when it would come too late.
 */
function watchBalance(world: World, balanceUsd: number, usdPerHour: number): TimerId | null {
  const { timeline, account } = world
  const { timer } = account.spending
  const wasUsedUp = timer === null && balanceUsd < nothingUsd && isUsedUp(world)
  if (usdPerHour <= 0 || wasUsedUp) {
    timeline.cancel(timer)
    return null
  }
  const leftMs = Math.max(0, Math.ceil((balanceUsd / usdPerHour) * hourMs))
  const lookInMs = Math.min(untilTick(world, leftMs), longestLookMs)
  if (timer !== null) {
    const dueAtMs = timeline.dueAtMs(timer)
    if (dueAtMs !== undefined && dueAtMs <= world.nowMs + lookInMs) return timer
    timeline.cancel(timer)
  }
  return timeline.after(lookInMs, { kind: 'balance.due' })
}

/** Spec: the balance is looked at every few minutes, and not in between. Assumed: by the clock. */
function untilTick(world: World, leftMs: number): number {
  const tickMs = world.waitMs('balanceTickMs')
  if (tickMs === 0) return leftMs
  return Math.ceil((world.nowMs + leftMs) / tickMs) * tickMs - world.nowMs
}

function sum(amounts: Amounts): number {
  let usd = 0
  for (const part in amounts) usd += amounts[part as keyof Amounts] ?? 0
  return usd
}

/** Field by field: it is asked for every step of every worker and pod. */
function isSame(left: Tariff, right: Tariff): boolean {
  for (const field of tariffFields) if (left[field] !== right[field]) return false
  return chargeParts.every((part) => left.usdPerHour[part] === right.usdPerHour[part])
}

/** All but the rates; the compiler sees to it that none is forgotten. */
const tariffFields = Object.keys({
  kind: true,
  resourceId: true,
  diskGb: true,
  active: true,
  gpuTypeId: true,
  dataCenterId: true,
  image: true,
  templateId: true,
} satisfies Record<Exclude<keyof Tariff, 'usdPerHour'>, true>) as Exclude<
  keyof Tariff,
  'usdPerHour'
>[]
