/** How often this run's callers used what is deprecated. Counts, and no list: a long run fits. */
import { maskSecrets } from '../model/masking.ts'
import type { DeprecatedOperation } from '../surfaces/control/migration.ts'
import { type Reply, toIso } from '../surfaces/http/reply.ts'
import type { Match } from '../surfaces/http/router.ts'
import type { Successor, Use } from '../surfaces/http/successor.ts'

interface Count {
  count: number
  /** Virtual time, in ms since 1970. */
  lastUsedAtMs: number
}

/** Callers that are told apart for one operation, and letters that are kept of each. */
const callerLimit = 50
const userAgentLength = 200

interface Row extends Count {
  readonly successor: Successor
  readonly callers: Map<string | undefined, Count>
  otherCallersCount: number
}

/** As many rows as there are operations that callers can name. */
export class MigrationLog {
  readonly #rows = new Map<string, Row>()

  add(surface: string, use: Use, userAgent: string | undefined, atMs: number): void {
    const operation = `${surface}.${use.name}`
    const row = this.#rows.get(operation) ?? createRow(use.successor)
    this.#rows.set(operation, row)
    tick(row, atMs)
    const caller = userAgent && maskSecrets(userAgent).slice(0, userAgentLength)
    const count = row.callers.get(caller)
    if (count !== undefined) tick(count, atMs)
    else if (row.callers.size < callerLimit)
      row.callers.set(caller, { count: 1, lastUsedAtMs: atMs })
    else row.otherCallersCount += 1
  }

  /** Most used first, operations and callers. */
  report(): DeprecatedOperation[] {
    const rows = [...this.#rows].sort(byCount)
    return rows.map(([operation, { successor, callers, otherCallersCount, ...use }]) => ({
      operation,
      ...describe(use),
      callers: [...callers]
        .sort(byCount)
        .map(([userAgent = null, count]) => ({ userAgent, ...describe(count) })),
      otherCallersCount,
      becomes: successor.operations,
      note: successor.note ?? null,
    }))
  }
}

const createRow = (successor: Successor): Row => ({
  successor,
  count: 0,
  lastUsedAtMs: 0,
  callers: new Map(),
  otherCallersCount: 0,
})

function tick(count: Count, atMs: number): void {
  count.count += 1
  count.lastUsedAtMs = atMs
}

const describe = ({ count, lastUsedAtMs }: Count) => ({ count, lastUsedAt: toIso(lastUsedAtMs) })

const byCount = (left: [unknown, Count], right: [unknown, Count]): number =>
  right[1].count - left[1].count

/** What was used of deprecated surfaces: the operation, or what the reply says was used of it. */
export function usesOf({ operation }: Match, { uses }: Reply): readonly Use[] {
  if (operation?.successor === undefined) return uses ?? none
  return [{ name: operation.name, successor: operation.successor }]
}

/** Shared by the many replies that have none. */
const none: readonly never[] = []
