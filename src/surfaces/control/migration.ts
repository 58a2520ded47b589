/** What this run's callers have to change: which deprecated operations they use, and what comes next. */
import { defineOperation, type Operation } from '../http/operation.ts'
import { ok } from '../http/reply.ts'
import type { NewOperation } from '../http/successor.ts'
import type { Controls } from './controls.ts'

export interface MigrationReport {
  /** Most used first; empty when nothing deprecated was used. */
  readonly operations: readonly DeprecatedOperation[]
}

export interface DeprecatedOperation {
  /** `v1.CreatePod`, `graphql.podStop`, `graphql.myself.pods` */
  readonly operation: string
  readonly count: number
  /** Virtual time. */
  readonly lastUsedAt: string
  readonly callers: readonly {
    /** Null for callers that do not say who they are. */
    readonly userAgent: string | null
    readonly count: number
    readonly lastUsedAt: string
  }[]
  /** Uses by callers beyond those that are told apart. */
  readonly otherCallersCount: number
  /** Empty where v2 has nothing in its place. */
  readonly becomes: readonly NewOperation[]
  readonly note: string | null
}

export function defineMigration(controls: Controls): Operation {
  return defineOperation({
    name: 'getMigration',
    method: 'GET',
    path: '/_emulator/migration',
    summary: 'Which operations of REST v1 and GraphQL were used, and what each becomes in v2.',
    tag: 'world',
    needs: 'nothing',
    replies: { 200: { description: 'Uses since the emulator was started, resets included.' } },
    handle: () => ok(controls.migration()),
  })
}
