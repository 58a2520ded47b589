/** What the control API may do, done with the emulator's parts. */
import type { Controls } from '../surfaces/control/controls.ts'
import { toIso } from '../surfaces/http/reply.ts'
import { version } from '../version.ts'
import type { Emulator } from './emulator.ts'

export function createControls(
  emulator: Emulator,
  run: { readonly seed: () => string; readonly profile: string | undefined },
): Controls {
  return {
    version,
    seed: run.seed,
    profile: run.profile ?? 'fast',
    clock: (world) => {
      const { clock } = emulator
      const session = emulator.sessionOf(world)
      const { nextAtMs, pendingCount } = world.timeline
      return {
        now: toIso(world.nowMs),
        mode: clock.mode,
        speed: clock.speed,
        paused: clock.paused,
        pending: pendingCount,
        nextEventAt: Number.isFinite(nextAtMs) ? toIso(nextAtMs) : null,
        waitingFor: session.holds,
        waitingCallers: session.waits.size,
      }
    },
    advance: (world, byMs) => emulator.clock.advance(emulator.sessionOf(world), byMs),
    changeClock: (changes) => emulator.clock.change(changes),
    reset: (seed) => emulator.reset(seed),
    requests: (count) =>
      emulator.requests.last(count).map(({ atMs, userAgent, ...record }) => ({
        ...record,
        at: toIso(atMs),
        userAgent: userAgent ?? null,
      })),
  }
}
