/** Snapshots by name, and the document that one is outside of this process. */
import { conflict, notFound, ruleViolation } from '../../model/errors.ts'
import { addPart, type Part, partsOf, type Tree } from '../../sim/parts.ts'
import type { SnapshotDocument, SnapshotReport } from '../../surfaces/control/controls.ts'
import { toIso } from '../../surfaces/http/reply.ts'
import { version } from '../../version.ts'
import { snapshotFormat, type WorldSnapshot } from '../../world/snapshot.ts'
import type { SnapshotFiles } from './snapshot-files.ts'

/** Snapshots share what has not changed since, but each keeps what has. */
const snapshotLimit = 100

interface Kept {
  readonly report: SnapshotReport
  /** Undefined for one that is in a file and was not asked for yet. */
  readonly snapshot: WorldSnapshot | undefined
}

export class Snapshots {
  readonly #byName = new Map<string, Kept>()
  readonly #files: SnapshotFiles | undefined

  /** `files`: where they are kept as well, and those that are there already. */
  constructor(files?: SnapshotFiles) {
    this.#files = files
    for (const report of files?.reports ?? []) {
      this.#byName.set(report.name, { report, snapshot: undefined })
    }
  }

  /** Takes the place of an earlier one of that name. */
  save(name: string, snapshot: WorldSnapshot): SnapshotReport {
    if (!this.#byName.has(name) && this.#byName.size >= snapshotLimit) {
      throw conflict(`there are ${snapshotLimit} snapshots already; delete one first`)
    }
    const report = describe(name, snapshot)
    this.#files?.write(report, snapshot)
    this.#byName.set(name, { report, snapshot })
    return report
  }

  require(name: string): WorldSnapshot {
    const kept = this.#byName.get(name)
    if (kept === undefined) throw notFound('snapshot', name)
    const snapshot = kept.snapshot ?? this.#files?.read(name)
    if (snapshot === undefined) throw new Error('a snapshot is in memory or in a file')
    this.#byName.set(name, { ...kept, snapshot })
    return snapshot
  }

  delete(name: string): void {
    if (!this.#byName.delete(name)) throw notFound('snapshot', name)
    this.#files?.delete(name)
  }

  list(): SnapshotReport[] {
    return [...this.#byName.values()].map(({ report }) => report)
  }
}

/** A document as JSON, piece by piece: a large one is never there as a whole. */
export function* toDocument(name: string, snapshot: WorldSnapshot): Generator<string, void> {
  const { savedAt } = describe(name, snapshot)
  const head = JSON.stringify({ format: snapshotFormat, version, name, savedAt })
  yield `${head.slice(0, -1)},"world":[`
  const checksum = startChecksum()
  let separator = ''
  for (const part of partsOf(snapshot)) {
    const text = JSON.stringify(part)
    checksum.update(text)
    yield separator + text
    separator = ','
  }
  yield `],"checksum":"${checksum.digest('hex')}"}`
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
  // Format 1 had the world as one piece.
  const parts = format === 1 ? [world] : (world as readonly Part[])
  const found = startChecksum()
  for (const part of parts) found.update(JSON.stringify(part))
  if (found.digest('hex') !== checksum) {
    throw ruleViolation('the snapshot is damaged: its checksum does not match what is in it')
  }
  if (format === 1) return world as WorldSnapshot
  const tree: Tree = {}
  for (const part of parts) addPart(tree, part as Part)
  return tree as unknown as WorldSnapshot
}

/** Loaded here and not at the top: it is a tenth of what an emulator without snapshots loads. */
const startChecksum = () => process.getBuiltinModule('node:crypto').createHash('sha256')

function describe(name: string, { timeline, collections }: WorldSnapshot): SnapshotReport {
  const counts = Object.entries(collections).map(([kind, items]) => [kind, items.length] as const)
  return {
    name,
    savedAt: toIso(timeline.nowMs),
    counts: Object.fromEntries(counts.filter(([, count]) => count > 0)),
  }
}
