/** Requests to load-balancing endpoints: each waits for a worker that is up, which then answers. */
import { ruleViolation } from '../../model/errors.ts'
import type { Handler, HandlerRoute } from '../../model/handler.ts'
import { type ProxiedAnswer, type ProxiedRequest, workerWaitMs } from '../../model/request.ts'
import type { Worker } from '../../model/worker.ts'
import type { World } from '../../world/world.ts'
import type { EventHandlers } from '../handle-event.ts'
import { findHandler } from './handlers.ts'
import { scaleEndpoint } from './scaling.ts'
import { noteRequest } from './usage.ts'
import { enterWorker, leaveWorker } from './workers.ts'

export function receiveRequest(
  world: World,
  endpointId: string,
  { method, path }: { readonly method: string; readonly path: string },
): ProxiedRequest {
  const endpoint = world.endpoints.require(endpointId)
  if (endpoint.spec.type !== 'LOAD_BALANCER') throw ruleViolation('not allowed for QB API')
  noteRequest(world, endpointId)
  const id = world.ids.next('request')
  world.timeline.record('request.received', id, { endpointId, method, path })
  const waiting = put(
    world,
    {
      id,
      endpointId,
      method,
      path,
      status: 'WAITING',
      workerId: null,
      receivedAtMs: world.nowMs,
      timer: null,
    },
    workerWaitMs,
  )
  scaleEndpoint(world, endpointId)
  return handOver(world, waiting) ?? waiting
}

/** Gives every waiting request of the endpoint to a worker, as far as there is one. */
export function handOverWaiting(world: World, endpointId: string): void {
  if (world.queues.of(endpointId).requests.waiting === 0) return
  for (const request of world.requests.all()) {
    if (request.endpointId === endpointId && request.status === 'WAITING') handOver(world, request)
  }
}

export const requestEventHandlers: EventHandlers<'request.due'> = {
  'request.due': (world, { requestId }) => {
    const request = world.requests.require(requestId)
    if (request.status === 'AT_WORKER') {
      finish(world, request, answerOf(world, request))
    } else {
      finish(world, request, null)
    }
  },
}

/** No retries: without an answer, no worker came in time or the worker is gone. */
function finish(world: World, request: ProxiedRequest, answer: ProxiedAnswer | null): void {
  const { id, endpointId, workerId } = request
  world.timeline.cancel(request.timer)
  world.timeline.record('request.ended', id, { status: answer?.status ?? null })
  world.requests.remove(id)
  world.emit({ kind: 'request.ended', id, answer, workerId })
  const worker = workerId === null ? undefined : world.workers.find(workerId)
  if (worker !== undefined) leaveWorker(world, worker)
  scaleEndpoint(world, endpointId)
}

function handOver(world: World, request: ProxiedRequest): ProxiedRequest | undefined {
  const worker = leastLoaded(world, request.endpointId)
  if (worker === undefined) return undefined
  enterWorker(world, worker)
  world.timeline.record('request.at-worker', request.id, { workerId: worker.id })
  const taken = { ...request, status: 'AT_WORKER', workerId: worker.id } as const
  return put(world, taken, serviceMs(world, request))
}

/** Among those that are up; of equals, the one that came first. */
function leastLoaded(world: World, endpointId: string): Worker | undefined {
  let best: Worker | undefined
  for (const id of world.queues.of(endpointId).workerIds) {
    const worker = world.workers.require(id)
    if (worker.status !== 'IDLE' && worker.status !== 'RUNNING') continue
    if (best === undefined || worker.requestsInFlight < best.requestsInFlight) best = worker
  }
  return best
}

function put(world: World, request: ProxiedRequest, dueMs: number): ProxiedRequest {
  world.timeline.cancel(request.timer)
  const timer = world.timeline.after(dueMs, { kind: 'request.due', requestId: request.id })
  return world.requests.put({ ...request, timer })
}

function serviceMs(world: World, request: ProxiedRequest): number {
  const delayMs = routeOf(world, request)?.delayMs
  if (delayMs === undefined) return world.waitMs('requestServiceMs')
  return world.random.stream('handlers').duration(delayMs)
}

/** What the worker's web server says; a path it does not know is its own 404. */
function answerOf(world: World, request: ProxiedRequest): ProxiedAnswer {
  const route = routeOf(world, request)
  if (route === undefined) return { status: 404, headers: {}, body: { detail: 'Not Found' } }
  return { status: route.status, headers: route.headers, body: route.body }
}

function routeOf(world: World, request: ProxiedRequest): HandlerRoute | undefined {
  const { handler } = world.endpoints.require(request.endpointId)
  return routesOf(findHandler(world, handler)).find((route) => matches(route, request))
}

function routesOf({ routes }: Handler): readonly HandlerRoute[] {
  return routes ?? defaultRoutes
}

/** A worker without routes of its own is healthy and says nothing else. */
const defaultRoutes: readonly HandlerRoute[] = [
  { method: 'GET', path: '/ping', status: 200, headers: {}, body: { status: 'healthy' } },
]

function matches(route: HandlerRoute, { method, path }: ProxiedRequest): boolean {
  if (route.method !== undefined && route.method !== method) return false
  if (route.path.endsWith('*')) return path.startsWith(route.path.slice(0, -1))
  return route.path === path
}
