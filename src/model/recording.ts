/** What an endpoint was asked to do, and how it was set up: enough to do it again in another way. */
import type { EndpointSpec } from './endpoint.ts'
import type { Profile } from './profile.ts'

/** A job that ran to an end. */
export interface Submission {
  readonly endpointId: string
  /** When it was submitted, in ms since 1970. */
  readonly atMs: number
  readonly executionMs: number
}

export interface Recording {
  readonly endpointId: string
  readonly spec: EndpointSpec
  readonly profile: Profile
  /**
   * How far back what happened is known, in ms since 1970: jobs that were submitted before are not in
   * here. Null where everything is known.
   */
  readonly sinceMs: number | null
  /** In the order in which they were submitted. */
  readonly submissions: readonly Submission[]
}
