/** What a deprecated operation becomes, so that its callers can be told. */
import type { Method } from './operation.ts'

export interface Successor {
  /** What takes its place, the likeliest first; empty where nothing does. */
  readonly operations: readonly NewOperation[]
  /** What has to be said differently there, or done instead. */
  readonly note?: string
}

export interface NewOperation {
  /** `v2.createPod` */
  readonly operation: string
  readonly method: Method
  /** `/v2/pods/{id}` */
  readonly path: string
}

/** One use of a deprecated operation. */
export interface Use {
  /** Within its surface: `CreatePod`, `myself.pods`. */
  readonly name: string
  readonly successor: Successor
}

/** Operations of v2 in a row's words: `POST /v2/pods createPod`. */
export function succeededBy(rows: string | readonly string[], note?: string): Successor {
  const operations = [rows].flat().map((row) => {
    const [method, path, name] = row.split(' ') as [Method, string, string]
    return { operation: `v2.${name}`, method, path }
  })
  return note === undefined ? { operations } : { operations, note }
}

/** Nothing takes its place. `note`: what to do instead. */
export const noSuccessor = (note: string): Successor => ({ operations: [], note })
