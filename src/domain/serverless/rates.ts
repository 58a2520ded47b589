/** Counts calls to the request address and refuses those that are too many. */
import { rateLimited } from '../../model/errors.ts'
import {
  callsPerWorker,
  type RatedOperation,
  type RateWindow,
  rateLimits,
  rateWindowMs,
} from '../../model/rates.ts'
import type { World } from '../../world/world.ts'

/** One more call, or a `rate_limited` refusal that says when to come back. */
export function countCall(world: World, endpointId: string, operation: RatedOperation): void {
  if (!world.settings.limits) return
  const window = windowOf(world, endpointId, operation)
  const limit = rateLimits[operation]
  const calls = Math.max(limit.calls, runningWorkers(world, endpointId) * callsPerWorker)
  if (window.calls >= calls) {
    throw rateLimited(operation, window.startMs + rateWindowMs - world.nowMs)
  }
  if (limit.atOnce !== null && window.underWay >= limit.atOnce) throw rateLimited(operation, 1_000)
  world.rates.put({ ...window, calls: window.calls + 1 })
}

/** A call that waits is under way until `endCall`. */
export function beginCall(world: World, endpointId: string, operation: RatedOperation): void {
  if (!world.settings.limits) return
  const window = windowOf(world, endpointId, operation)
  world.rates.put({ ...window, underWay: window.underWay + 1 })
}

export function endCall(world: World, endpointId: string, operation: RatedOperation): void {
  const window = world.rates.find(`${endpointId}/${operation}`)
  if (window === undefined) return
  world.rates.put({ ...window, underWay: Math.max(0, window.underWay - 1) })
}

/** The endpoint is gone. Callers that still wait there are told elsewhere. */
export function forgetCalls(world: World, endpointId: string): void {
  for (const operation of Object.keys(rateLimits)) world.rates.remove(`${endpointId}/${operation}`)
}

function windowOf(world: World, endpointId: string, operation: RatedOperation): RateWindow {
  const id = `${endpointId}/${operation}`
  const known = world.rates.find(id)
  if (known !== undefined && world.nowMs < known.startMs + rateWindowMs) return known
  return { id, startMs: world.nowMs, calls: 0, underWay: known?.underWay ?? 0 }
}

function runningWorkers(world: World, endpointId: string): number {
  return world.queues.of(endpointId).workers.RUNNING
}
