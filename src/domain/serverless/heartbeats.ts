/** Signs of life: how often a program is to send one, and when it is taken for lost. */
import { leastPingMs, missedPings, type Program } from '../../model/program.ts'
import type { TimerId } from '../../sim/timeline.ts'
import type { World } from '../../world/world.ts'

/** What a program is told, in ms of its own time, which is real: whole seconds, and at least one. */
export function pingIntervalMs(world: World): number {
  const wanted = world.waitMs('workerPingMs') / world.pace
  return Math.ceil(Math.max(leastPingMs, wanted) / 1_000) * 1_000
}

/** How long a program may be silent, in virtual ms. */
export function silenceLimitMs(world: World): number {
  const missedMs = missedPings * pingIntervalMs(world) * world.pace
  return Math.max(world.waitMs('workerLostMs'), missedMs)
}

export function isSilent(world: World, program: Program): boolean {
  return isExpected(program) && world.nowMs - program.heardAtMs >= silenceLimitMs(world)
}

/** The timer for the next look; none while nothing has to be heard. */
export function lookAfter(world: World, program: Program): TimerId | null {
  if (!isExpected(program)) return null
  const dueAtMs = program.heardAtMs + silenceLimitMs(world)
  const event = { kind: 'program.due', workerId: program.id } as const
  return world.timeline.after(Math.max(0, dueAtMs - world.nowMs), event)
}

/**
 * A process is seen to end, so one that never pings is believed, and an idle one may be silent.
 * Observed: of one that is attached the platform knows only what it says, so it loses its jobs like
 * any other when it says nothing. Asking for jobs is a sign of life.
 */
function isExpected({ status, backend, frozen, pings, leases, ask }: Program): boolean {
  if (status !== 'UP' || frozen) return false
  if (backend !== 'attached') return pings && leases.length > 0
  return pings || leases.length > 0 || ask === null
}
