/** Snapshots in the data directory: one file each, found by name and read when it is needed. */
import { createHash } from 'node:crypto'
import { mkdirSync, readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { readHead, StateFile } from '../../adapters/data/state-file.ts'
import { conflict, ruleViolation } from '../../model/errors.ts'
import type { SnapshotReport } from '../../surfaces/control/controls.ts'
import { version } from '../../version.ts'
import { snapshotFormat, type WorldSnapshot } from '../../world/snapshot.ts'

interface SnapshotHead extends SnapshotReport {
  readonly format: number
  readonly version: string
}

export class SnapshotFiles {
  readonly #directory: string
  /** What is there at the beginning. */
  readonly reports: readonly SnapshotReport[]

  constructor(directory: string, notices: string[]) {
    this.#directory = directory
    mkdirSync(directory, { recursive: true, mode: 0o700 })
    this.reports = readdirSync(directory).flatMap((file) => {
      if (!file.endsWith('.ndjson')) return []
      const head = readHead<SnapshotHead>(join(directory, file))
      if (head !== undefined) return [toReport(head)]
      notices.push(`${join(directory, file)} is damaged: that snapshot cannot be loaded.`)
      return []
    })
  }

  /** Refuses one that is damaged, or that a newer program wrote. */
  read(name: string): WorldSnapshot {
    const file = this.#file(name)
    const document = file.read()
    if (document === null) throw ruleViolation(`the snapshot is damaged: ${file.file}`)
    const { format, version: by } = document.head
    if (format <= snapshotFormat) return document.state
    throw ruleViolation(
      `the snapshot has format ${format}, written by version ${by}; this is version ${version}, which reads up to format ${snapshotFormat}`,
    )
  }

  /** Refuses what the system has no room for. */
  write(report: SnapshotReport, state: WorldSnapshot): void {
    const head = { format: snapshotFormat, version, ...report }
    try {
      this.#file(report.name).write({ head, state })
    } catch (error) {
      throw conflict(`the snapshot cannot be written: ${(error as Error).message}`)
    }
  }

  delete(name: string): void {
    rmSync(this.#file(name).file, { force: true })
  }

  #file(name: string): StateFile<SnapshotHead, WorldSnapshot> {
    // Some systems take names for the same that differ in case.
    const digest = createHash('sha256').update(name).digest('hex').slice(0, 8)
    return new StateFile(join(this.#directory, `${name}-${digest}.ndjson`))
  }
}

function toReport({ name, savedAt, counts }: SnapshotHead): SnapshotReport {
  return { name, savedAt, counts }
}
