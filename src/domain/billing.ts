/** Charges, as they accrue on the world's clock: into the ledger, and off the balance. */
import type { ChargeKind, ChargePart, LedgerRow } from '../model/ledger.ts'
import type { World } from '../world/world.ts'

const hourMs = 3_600_000

export interface Charge {
  readonly kind: ChargeKind
  readonly resourceId: string
  readonly part: ChargePart
  readonly usdPerHour: number
  readonly fromMs: number
  readonly toMs: number
  /** Time of a worker that is always there; false for everything else, and for disks no time at all. */
  readonly active?: boolean
}

/** Writes a charge down in every hour that it touches. */
export function charge(world: World, { fromMs, toMs, ...rest }: Charge): void {
  for (let startMs = fromMs; startMs < toMs; ) {
    const endMs = Math.min(toMs, hourOf(startMs) + hourMs)
    chargeWithinHour(world, { ...rest, fromMs: startMs, toMs: endMs })
    startMs = endMs
  }
}

function chargeWithinHour(world: World, charged: Charge): void {
  const { kind, resourceId, part, fromMs, toMs, active = false } = charged
  const usd = (charged.usdPerHour * (toMs - fromMs)) / hourMs
  const row = rowOf(world, kind, resourceId, hourOf(fromMs))
  const timeMs = part === 'disk' ? 0 : toMs - fromMs
  world.ledger.put({
    ...row,
    gpuUsd: row.gpuUsd + (part === 'gpu' ? usd : 0),
    cpuUsd: row.cpuUsd + (part === 'cpu' ? usd : 0),
    diskUsd: row.diskUsd + (part === 'disk' ? usd : 0),
    activeMs: row.activeMs + (active ? timeMs : 0),
    flexMs: row.flexMs + (active ? 0 : timeMs),
  })
  world.account = { ...world.account, balanceUsd: world.account.balanceUsd - usd }
}

function rowOf(world: World, kind: ChargeKind, resourceId: string, hour: number): LedgerRow {
  const id = `${resourceId}/${hour}`
  const known = world.ledger.find(id)
  if (known !== undefined) return known
  const nothing = { gpuUsd: 0, cpuUsd: 0, diskUsd: 0, activeMs: 0, flexMs: 0 }
  return { id, kind, resourceId, hourMs: hour, ...nothing }
}

function hourOf(ms: number): number {
  return Math.floor(ms / hourMs) * hourMs
}
