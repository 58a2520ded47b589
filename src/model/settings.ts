/** What a world is made from, besides its seed. Fixed while the world lives, its catalog excepted. */
import type { Catalog } from './catalog.ts'
import type { Fidelity } from './fidelity.ts'
import type { Handler } from './handler.ts'
import type { PodBackend } from './pod.ts'
import type { Profile } from './profile.ts'
import type { StartState } from './start-state.ts'

/** How far along the way out REST v1 is; `by-date`: as far as the world's clock says. */
export const restV1Modes = ['active', 'deprecated', 'retired', 'by-date'] as const
export type RestV1Mode = (typeof restV1Modes)[number]

export interface Settings {
  readonly catalog: Catalog
  readonly profile: Profile
  readonly handlers: readonly Handler[]
  readonly start: StartState
  /** What runs as the pods that callers make. */
  readonly podBackend: PodBackend
  readonly fidelity: Fidelity
  /** Whether rates and payloads of the request address are limited, and the rate of REST v2. */
  readonly limits: boolean
  readonly restV1: RestV1Mode
  /** Whether GraphQL tells what its schema is. */
  readonly introspection: boolean
  /** How much of the past stays readable. */
  readonly keep: {
    /** Entries of the timeline. */
    readonly entries: number
    /** Lines of each log. */
    readonly logLines: number
    /** Webhook deliveries that are finished. */
    readonly deliveries: number
    /** Charges in the ledger; the oldest are remembered as a sum. */
    readonly charges: number
  }
}
