/** The requests of this run, as far back as they are kept. */
import { maskSecrets } from '../model/masking.ts'
import { Ring } from '../sim/ring.ts'

export interface RequestRecord {
  readonly seq: number
  readonly method: string
  /** Without the query: a key may be in it. */
  readonly path: string
  /** `v2.createPod` */
  readonly operation: string
  /** Of a GraphQL request: `podStop`, `myself.pods`. */
  readonly rootFields: readonly string[]
  /** 0 when the connection was reset in place of an answer. */
  readonly status: number
  /** Ids of the faults that struck it. */
  readonly faults: readonly string[]
  /** Virtual time, in ms since 1970. */
  readonly atMs: number
  /** Real time from the request's arrival to its answer. */
  readonly tookMs: number
  readonly userAgent: string | undefined
}

export class RequestLog {
  readonly #records: Ring<RequestRecord>
  readonly #listeners = new Set<(record: RequestRecord) => void>()

  constructor(keep: number) {
    this.#records = new Ring(keep)
  }

  get total(): number {
    return this.#records.total
  }

  /** `record.seq`: one more than `total`. Keys in its path or its user agent are masked. */
  add(given: RequestRecord): void {
    const record = maskRecord(given)
    this.#records.push(record)
    for (const listener of this.#listeners) listener(record)
  }

  onRecord(listener: (record: RequestRecord) => void): void {
    this.#listeners.add(listener)
  }

  /** The last so many, oldest first. */
  last(count: number): RequestRecord[] {
    return this.#records.toArray().slice(-count)
  }
}

/** Most have nothing to mask, and stay as they are. */
function maskRecord(record: RequestRecord): RequestRecord {
  const path = maskSecrets(record.path)
  const userAgent = record.userAgent && maskSecrets(record.userAgent)
  if (path === record.path && userAgent === record.userAgent) return record
  return { ...record, path, userAgent }
}
