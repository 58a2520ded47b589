/** How a scenario's time passes: on a clock of its own, or on one that others move. */
import type { Emulator } from '../emulator/emulator.ts'
import type { World } from '../world/world.ts'
import type { Tally } from './tally.ts'

export interface Pace {
  /**
   * Lets time pass to an instant, or until `done`, which is asked after every event. Resolves to
   * whether it was done; with no `done`, to false.
   */
  readonly passTo: (untilMs: number, done?: () => boolean) => Promise<boolean>
}

const never = () => false
/** Events between two looks at whatever else the process has to do. */
const breath = 5_000

/** Nobody else moves this world: each event is taken as soon as the one before is dealt with. */
export function ownPace({ main }: Emulator, tally: Tally, isSomebodyWaiting: () => boolean): Pace {
  const passTo = async (untilMs: number, done: () => boolean = never) => {
    for (let events = 1; ; events++) {
      while (main.held !== undefined) await main.held
      if (done()) return true
      const hasWaiters = isSomebodyWaiting()
      if (!main.step(untilMs)) return done()
      tally.lookInTime()
      // Whoever was answered by this event goes on before the next.
      if (hasWaiters || events % breath === 0) await nextTick()
    }
  }
  return { passTo }
}

/** In virtual time: how often a condition is asked on a clock that others move. */
const lookMs = 100

/** The clock is a running emulator's: a scenario waits on it as a caller does. */
export function livePace({ main, clock }: Emulator, tally: Tally): Pace {
  const { world } = main
  const waitMs = (limitMs: number) => {
    const waiting = { waitFor: 'scenario', limitMs, answer: () => undefined, otherwise: over }
    const waited = main.wait(waiting, { onHangUp: () => {} })
    // A clock that skips idle time has somebody to skip it for.
    clock.afterTurn(main)
    return waited
  }
  const passTo = async (untilMs: number, done?: () => boolean) => {
    for (;;) {
      requireSame(main.world, world)
      clock.catchUp(main)
      tally.look()
      if (done?.() === true) return true
      const leftMs = untilMs - world.nowMs
      if (leftMs <= 0) return false
      await waitMs(done === undefined ? leftMs : Math.min(leftMs, lookMs))
    }
  }
  return { passTo }
}

const over = () => ({ status: 204 })

/** A scenario cannot go on in a world that has begun again without it. */
export class Interrupted extends Error {
  override readonly name = 'Interrupted'
}

function requireSame(now: World, then: World): void {
  if (now !== then) throw new Interrupted('the world was reset, and the scenario with it')
}

export const nextTick = () => new Promise<void>((resolve) => setImmediate(resolve))
