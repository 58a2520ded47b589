/** The clock of an emulator, in the hands of the program that has one. */
import type { ClockReport } from '../surfaces/control/controls.ts'
import { parseDuration } from '../surfaces/control/duration.ts'
import { createControls } from './controls.ts'
import type { Emulator } from './emulator.ts'
import { OptionError } from './option-error.ts'
import type { EmulatorOptions } from './options.ts'

/** The clock of the default world. */
export interface RunningClock {
  /** Lets a span pass: `90s`, `1h30m`, or ms. Resolves to the number of events on the way. */
  readonly advance: (by: string | number) => Promise<number>
  /** Lets time pass until an instant: RFC 3339, or ms since 1970. */
  readonly set: (to: string | number) => Promise<number>
  /** In ms since 1970. */
  readonly now: () => number
  readonly pause: () => void
  readonly resume: () => void
  readonly status: () => ClockReport
}

/** Throws OptionError for what is no span and no instant. */
export function createRunningClock(
  emulator: Emulator,
  options: Pick<EmulatorOptions, 'seed' | 'profile'>,
): RunningClock {
  const { seed = '0', profile } = options
  const controls = createControls(emulator, { seed: () => seed, profile })
  const { main, clock } = emulator
  const pass = (byMs: number) => clock.advance(main, byMs)
  return {
    advance: async (by) => pass(readSpan(by)),
    set: async (to) => pass(readInstant(to) - main.world.nowMs),
    now: () => main.world.nowMs,
    pause: () => clock.change({ paused: true }),
    resume: () => clock.change({ paused: false }),
    status: () => controls.clock(main.world),
  }
}

function readSpan(by: string | number): number {
  const ms = typeof by === 'number' ? by : parseDuration(by)
  if (ms !== undefined && Number.isFinite(ms)) return ms
  throw new OptionError(`'${by}' is not a span of time; write '90s', '1h30m' or milliseconds`)
}

function readInstant(to: string | number): number {
  const ms = typeof to === 'number' ? to : Date.parse(to)
  if (Number.isFinite(ms)) return ms
  throw new OptionError(`'${to}' is not an instant; write '2026-01-01T12:00:00Z'`)
}
