/**
 * Charges as they accrue. A meter runs while something costs; when it stops, or its rates change,
 * what it came to is written into the ledger. The balance goes down with the sum of all rates, so it
 * is known at every moment although nothing is written in between.
 */
import type { Amounts, LedgerEntry, Spending, Tariff } from '../model/ledger.ts'
import type { World } from '../world/world.ts'

export const hourMs = 3_600_000
const dayMs = 24 * hourMs
/** A balance that lasts longer is looked at again by then. */
const longestLookMs = 3_650 * dayMs
/** Less than this, in USD, is a rest of rounding. */
const nothingUsd = 1e-9

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
    writeDown(world, { meterId: id, tariff: running.tariff, fromMs: running.sinceMs })
    lessUsd = sum(running.tariff.usdPerHour)
  }
  world.meters.put({ id, tariff, sinceMs: world.nowMs })
  changeSpending(world, usdPerHour - lessUsd)
}

/** From now on this costs nothing, if it did. */
export function stopMeter(world: World, id: string): void {
  const running = world.meters.find(id)
  if (running === undefined) return
  writeDown(world, { meterId: id, tariff: running.tariff, fromMs: running.sinceMs })
  world.meters.remove(id)
  changeSpending(world, -sum(running.tariff.usdPerHour))
}

/** Something that has a price and takes no time. */
export function chargeOnce(world: World, meterId: string, tariff: Tariff, onceUsd: Amounts): void {
  const { nowMs } = world
  world.ledger.push({ meterId, tariff, fromMs: nowMs, toMs: nowMs, onceUsd })
  const balanceUsd = balanceOf(world) - sum(onceUsd)
  settle(world, balanceUsd, world.spending.usdPerHour)
}

/** What is left to spend at this moment, in USD. Below zero for what runs on without money. */
export function balanceOf({ account, spending, nowMs }: World): number {
  return account.balanceUsd - (spending.usdPerHour * (nowMs - spending.sinceMs)) / hourMs
}

export function isUsedUp(world: World): boolean {
  return balanceOf(world) < nothingUsd
}

/** The last look found something left: looks again when it may be used up. */
export function lookAgain(world: World): void {
  world.spending = { ...world.spending, timer: null }
  settle(world, balanceOf(world), world.spending.usdPerHour)
}

/** What every meter has come to that is running still, as it would be written down now. */
export function openEntries(world: World): LedgerEntry[] {
  const toMs = world.nowMs
  return world.meters
    .all()
    .map(({ id, tariff, sinceMs }) => ({ meterId: id, tariff, fromMs: sinceMs, toMs }))
}

function writeDown(world: World, span: Omit<LedgerEntry, 'toMs'>): void {
  if (span.fromMs < world.nowMs) world.ledger.push({ ...span, toMs: world.nowMs })
}

function changeSpending(world: World, byUsdPerHour: number): void {
  // Sums of floats keep a rest where nothing is left.
  const usdPerHour = world.meters.size === 0 ? 0 : world.spending.usdPerHour + byUsdPerHour
  settle(world, balanceOf(world), usdPerHour)
}

function settle(world: World, balanceUsd: number, usdPerHour: number): void {
  const watch = watchBalance(world, balanceUsd, usdPerHour)
  if (balanceUsd !== world.account.balanceUsd) world.account = { ...world.account, balanceUsd }
  world.spending = { usdPerHour, sinceMs: world.nowMs, ...watch }
}

/**
 * Sees to it that the balance is looked at when it may be used up. A look that turns out to be too
 * early finds the next one, so that it is moved only when it would come too late.
 */
function watchBalance(
  world: World,
  balanceUsd: number,
  usdPerHour: number,
): Pick<Spending, 'timer' | 'lookAtMs'> {
  const { timer, lookAtMs } = world.spending
  const isOver = balanceUsd < nothingUsd && isUsedUp(world)
  if (usdPerHour <= 0 || (timer === null && isOver)) {
    world.timeline.cancel(timer)
    return { timer: null, lookAtMs: Number.POSITIVE_INFINITY }
  }
  const leftMs = Math.max(0, Math.ceil((balanceUsd / usdPerHour) * hourMs))
  const nextAtMs = world.nowMs + Math.min(leftMs, longestLookMs)
  if (timer !== null && lookAtMs <= nextAtMs) return { timer, lookAtMs }
  world.timeline.cancel(timer)
  const next = world.timeline.after(nextAtMs - world.nowMs, { kind: 'balance.due' })
  return { timer: next, lookAtMs: nextAtMs }
}

function sum(amounts: Amounts): number {
  let usd = 0
  for (const part in amounts) usd += amounts[part as keyof Amounts] ?? 0
  return usd
}

function isSame(left: Tariff, right: Tariff): boolean {
  return JSON.stringify(left) === JSON.stringify(right)
}
