/** A clock in words. */
import type { ClockReport } from '../surfaces/control/controls.ts'
import { counted } from './output.ts'

/** How far the clock is, and how it moves. */
export function describeClock(clock: ClockReport): string {
  return [`It is ${clock.now}; ${describeMode(clock)}`, ...describeHolds(clock)].join('\n')
}

/** After time was made to pass. */
export function describeAdvance(clock: ClockReport & { readonly events: number }): string {
  const happened = `${counted(clock.events, 'event')} happened`
  return [`It is now ${clock.now}; ${happened}.`, ...describeHolds(clock)].join('\n')
}

function describeMode({ mode, speed, paused, nextEventAt }: ClockReport): string {
  const pace = {
    real:
      speed === 1 ? 'the clock follows real time' : `the clock runs at ${speed} times real time`,
    manual: 'the clock moves when told',
    auto: 'the clock jumps from event to event',
  }[mode]
  const next = nextEventAt === null ? 'nothing is due' : `the next event is due at ${nextEventAt}`
  return `${pace}${paused ? ' and is paused' : ''}, and ${next}.`
}

function describeHolds({ waitingFor }: ClockReport): string[] {
  if (waitingFor.length === 0) return []
  return [`Time waits for ${waitingFor.join(', ')}.`]
}
