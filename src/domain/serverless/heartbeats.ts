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
 * A process is seen to end, so an idle one may be silent. One that never pings is believed while it
 * is at a job; one that was attached, while it asks for jobs.
 */
function isExpected({ status, backend, pings, leases, ask }: Program): boolean {
  if (status !== 'UP') return false
  if (pings) return leases.length > 0 || backend === 'attached'
  return backend === 'attached' && leases.length === 0 && ask === null
}
