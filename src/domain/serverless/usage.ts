/** How an endpoint is used: what it has done so far, and when it was last asked for anything. */
import { draftOfUsage } from '../../model/usage.ts'
import type { World } from '../../world/world.ts'
import type { EventHandlers } from '../handle-event.ts'
import { scaleEndpoint } from './scaling.ts'

const minuteMs = 60_000
const dayMs = 86_400_000
// Spec: after 3 days without a request at most 2 workers are left, after 7 none, until it is raised.
const idleSteps = [
  { afterMs: 7 * dayMs, workersMax: 0 },
  { afterMs: 3 * dayMs, workersMax: 2 },
] as const

export function beginUsage(world: World, endpointId: string): void {
  world.usage.put({
    id: endpointId,
    completed: 0,
    failed: 0,
    retried: 0,
    lastRequestAtMs: world.nowMs,
    timer: lookAfter(world, endpointId, 3 * dayMs),
  })
}

export function endUsage(world: World, endpointId: string): void {
  world.timeline.cancel(world.usage.require(endpointId).timer)
  world.usage.remove(endpointId)
}

/** Somebody asked the endpoint for something. Noted to the minute, which is enough for days. */
export function noteRequest(world: World, endpointId: string): void {
  const usage = world.usage.require(endpointId)
  if (world.nowMs - usage.lastRequestAtMs < minuteMs) return
  world.usage.put({ ...usage, lastRequestAtMs: world.nowMs })
}

export function count(
  world: World,
  endpointId: string,
  what: 'completed' | 'failed' | 'retried',
): void {
  const usage = draftOfUsage(world.usage.require(endpointId))
  usage[what] += 1
  world.usage.put(usage)
}

/** One more run of a handler that counts them; returns how many there are now. */
export function countCall(world: World, endpointId: string, caseIndex: number): number {
  const usage = world.usage.require(endpointId)
  const calls = (usage.handlerCalls?.[caseIndex] ?? 0) + 1
  world.usage.put({ ...usage, handlerCalls: { ...usage.handlerCalls, [caseIndex]: calls } })
  return calls
}

export const usageEventHandlers: EventHandlers<'endpoint.unused-due'> = {
  'endpoint.unused-due': (world, { endpointId }) => {
    const usage = world.usage.require(endpointId)
    const unusedMs = world.nowMs - usage.lastRequestAtMs
    const step = idleSteps.find(({ afterMs }) => unusedMs >= afterMs)
    if (step !== undefined) limitWorkers(world, endpointId, step.workersMax)
    world.usage.put({ ...usage, timer: lookAfter(world, endpointId, nextLookMs(unusedMs)) })
  },
}

/** The timer does not move with each request: it looks, and looks again when there is time left. */
function nextLookMs(unusedMs: number): number {
  const next = idleSteps.findLast(({ afterMs }) => afterMs > unusedMs)
  return next === undefined ? 7 * dayMs : next.afterMs - unusedMs
}

function limitWorkers(world: World, endpointId: string, workersMax: number): void {
  const endpoint = world.endpoints.require(endpointId)
  const { spec } = endpoint
  // The platform's own endpoints are used by others, too.
  if (spec.workersMax <= workersMax || endpoint.public) return
  world.timeline.record('endpoint.scaled-down', endpointId, { workersMax, why: 'not used' })
  const workersMin = Math.min(spec.workersMin, workersMax)
  world.endpoints.put({ ...endpoint, spec: { ...spec, workersMin, workersMax } })
  scaleEndpoint(world, endpointId)
}

function lookAfter(world: World, endpointId: string, delayMs: number) {
  return world.timeline.after(delayMs, { kind: 'endpoint.unused-due', endpointId })
}
