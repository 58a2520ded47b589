/** What the control API can do to the emulator. The emulator hands it over; no surface reaches in. */
import type { World } from '../../world/world.ts'

export const clockModes = ['real', 'manual', 'auto'] as const
export type ClockMode = (typeof clockModes)[number]

export interface ClockReport {
  readonly now: string
  readonly mode: ClockMode
  readonly speed: number
  readonly paused: boolean
  /** Events that are due some time. */
  readonly pending: number
  readonly nextEventAt: string | null
  /** What has to answer before time moves on: the names of what is outside. */
  readonly waitingFor: readonly string[]
  /** Callers that wait for something on this clock. */
  readonly waitingCallers: number
}

export interface RequestReport {
  readonly seq: number
  readonly method: string
  readonly path: string
  readonly operation: string
  readonly status: number
  readonly at: string
  readonly tookMs: number
  readonly userAgent: string | null
}

export interface Controls {
  readonly version: string
  readonly seed: () => string
  readonly profile: string
  readonly clock: (world: World) => ClockReport
  /** Resolves to the number of events that happened. */
  readonly advance: (world: World, byMs: number) => Promise<number>
  readonly changeClock: (changes: {
    readonly mode?: ClockMode
    readonly speed?: number
    readonly paused?: boolean
  }) => void
  /** Back to the start state, with another seed if one is given. */
  readonly reset: (seed: string | undefined) => void
  /** The last so many requests, oldest first. */
  readonly requests: (count: number) => readonly RequestReport[]
}
