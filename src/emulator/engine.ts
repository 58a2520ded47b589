/** What surfaces need of the emulator that runs them, done with its parts. */
import type { Engine } from '../surfaces/http/serve.ts'
import type { Emulator } from './emulator.ts'

/** `wait`: holds a caller until its answer is there. */
export function createEngine(
  emulator: Emulator,
  { jsonDepth, wait }: Pick<Engine, 'jsonDepth' | 'wait'>,
): Engine {
  const { accounts, clock } = emulator
  return {
    keyRing: (key) => accounts.access(key),
    worldOfKnown: (key) => accounts.findKnown(key)?.session.world,
    mayBeStruck: () => accounts.mayBeStruck,
    anonymous: {
      get world() {
        return accounts.main.world
      },
      key: undefined,
      anonymous: true,
      keysOf: accounts.keysOf,
    },
    turn: (world, change) => {
      const session = emulator.sessionOf(world)
      clock.catchUp(session)
      return session.turn(change)
    },
    catchUp: (world) => clock.catchUp(emulator.sessionOf(world)),
    wait,
    follow: (world, logId, listener) => emulator.sessionOf(world).follow(logId, listener),
    watch: (world, id, listener) => emulator.sessionOf(world).watchers.add(id, listener),
    openLine: (world, id, listener) => emulator.sessionOf(world).lines.open(id, listener),
    jsonDepth,
    forward: (world, place, request, to) =>
      emulator.programs.forward(emulator.sessionOf(world), place, request, to),
    reportBug: emulator.reportBug,
  }
}
