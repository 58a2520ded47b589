/** Snapshots by name, and the document that one is outside of this process. */
import { conflict, notFound, ruleViolation } from '../model/errors.ts'
import type { SnapshotDocument, SnapshotReport } from '../surfaces/control/controls.ts'
import { toIso } from '../surfaces/http/reply.ts'
import { version } from '../version.ts'
import { snapshotFormat, type WorldSnapshot } from '../world/snapshot.ts'

/** Snapshots share what has not changed since, but each keeps what has. */
const snapshotLimit = 100

export class Snapshots {
  readonly #byName = new Map<string, WorldSnapshot>()

  /** Takes the place of an earlier one of that name. */
  save(name: string, snapshot: WorldSnapshot): SnapshotReport {
    if (!this.#byName.has(name) && this.#byName.size >= snapshotLimit) {
      throw conflict(`there are ${snapshotLimit} snapshots already; delete one first`)
    }
    this.#byName.set(name, snapshot)
    return describe(name, snapshot)
  }

  require(name: string): WorldSnapshot {
    const snapshot = this.#byName.get(name)
    if (snapshot === undefined) throw notFound('snapshot', name)
    return snapshot
  }

  delete(name: string): void {
    this.require(name)
    this.#byName.delete(name)
  }

  list(): SnapshotReport[] {
    return [...this.#byName].map(([name, snapshot]) => describe(name, snapshot))
  }
}

export function toDocument(name: string, snapshot: WorldSnapshot): SnapshotDocument {
  const { savedAt } = describe(name, snapshot)
  const world = JSON.parse(JSON.stringify(snapshot)) as unknown
  return { format: snapshotFormat, version, name, savedAt, checksum: checksumOf(world), world }
}

/** Refuses what a newer program wrote, and what has changed since it was written. */
export function readDocument({
  format,
  version: by,
  checksum,
  world,
}: SnapshotDocument): WorldSnapshot {
  if (format > snapshotFormat) {
    throw ruleViolation(
      `the snapshot has format ${format}, written by version ${by}; this is version ${version}, which reads up to format ${snapshotFormat}`,
    )
  }
  if (checksumOf(world) !== checksum) {
    throw ruleViolation('the snapshot is damaged: its checksum does not match what is in it')
  }
  return world as WorldSnapshot
}

/** Loaded here and not at the top: it is a tenth of what an emulator without snapshots loads. */
function checksumOf(world: unknown): string {
  const { createHash } = process.getBuiltinModule('node:crypto')
  return createHash('sha256').update(JSON.stringify(world)).digest('hex')
}

function describe(name: string, { timeline, collections }: WorldSnapshot): SnapshotReport {
  const counts = Object.entries(collections).map(([kind, items]) => [kind, items.length] as const)
  return {
    name,
    savedAt: toIso(timeline.nowMs),
    counts: Object.fromEntries(counts.filter(([, count]) => count > 0)),
  }
}
