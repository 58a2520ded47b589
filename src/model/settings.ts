/** What a world is made from, besides its seed. Fixed while the world lives. */
import type { Catalog } from './catalog.ts'
import type { Fidelity } from './fidelity.ts'
import type { Handler } from './handler.ts'
import type { Profile } from './profile.ts'
import type { StartState } from './start-state.ts'

export interface Settings {
  readonly catalog: Catalog
  readonly profile: Profile
  readonly handlers: readonly Handler[]
  readonly start: StartState
  readonly fidelity: Fidelity
  /** Whether rates and payloads of the request address are limited, and the rate of REST v2. */
  readonly limits: boolean
  /** How much of the past stays readable. */
  readonly keep: {
    /** Entries of the timeline. */
    readonly entries: number
    /** Lines of each log. */
    readonly logLines: number
    /** Webhook deliveries that are finished. */
    readonly deliveries: number
  }
}
