/** Requests to load-balancing endpoints: each waits for a worker that is up, which then answers. */
import { ruleViolation } from '../../model/errors.ts'
import type { HistoryKind } from '../../model/history.ts'
import {
  isStrict,
  type ProxiedAnswer,
  type ProxiedRequest,
  processingLimitMs,
  strictWaitMs,
  workerWaitMs,
} from '../../model/request.ts'
import type { Worker } from '../../model/worker.ts'
import type { World } from '../../world/world.ts'
import type { EventHandlers } from '../handle-event.ts'
import { awaitsResume, pickWorker, requireAffinity, resumeFor } from './affinity.ts'
import { passOn } from './forwarding.ts'
import { surplusReason } from './job-ends.ts'
import { answerTo, findRoute, plain, serviceMs } from './routes.ts'
import { scaleEndpoint } from './scaling.ts'
import { noteRequest } from './usage.ts'
import { enterWorker, leaveWorker, removeWorker } from './workers.ts'

export function receiveRequest(
  world: World,
  endpointId: string,
  asked: Pick<ProxiedRequest, 'method' | 'path' | 'affinity' | 'upgrade'>,
): ProxiedRequest {
  const endpoint = world.endpoints.require(endpointId)
  if (endpoint.spec.type !== 'LOAD_BALANCER') throw ruleViolation('not allowed for QB API')
  requireAffinity(world, endpointId, asked.affinity)
  noteRequest(world, endpointId)
  const { method, path, affinity, upgrade } = asked
  const id = world.ids.next('request')
  world.timeline.record('request.received', id, { endpointId, method, path })
  const waitMs = isStrict(affinity) ? strictWaitMs : workerWaitMs
  const request: ProxiedRequest = {
    id,
    endpointId,
    method,
    path,
    affinity,
    upgrade,
    status: 'WAITING',
    workerId: null,
    deadlineAtMs: world.nowMs + waitMs,
    paceMs: 0,
    partsSent: null,
    timer: null,
  }
  awaitWorker(world, request)
  scaleEndpoint(world, endpointId)
  return world.requests.find(id) ?? request
}

/** Gives every waiting request of the endpoint to a worker, as far as there is one. */
export function handOverWaiting(world: World, endpointId: string): void {
  const { waiting, pinned } = world.queues.of(endpointId).requests
  if (waiting + pinned === 0) return
  for (const request of world.requests.all()) {
    if (request.endpointId === endpointId && request.status === 'WAITING') handOver(world, request)
  }
}

/** The caller hung up: nobody is left to answer. */
export function abandonRequest(world: World, id: string): void {
  const request = world.requests.find(id)
  if (request === undefined) return
  forget(world, request, 'request.abandoned', {})
  afterwards(world, request)
}

/**
 * A message on an open line; false when the line is closed. Observed: a line that nobody speaks on
 * does not keep its worker from idling out.
 */
export function noteMessage(world: World, id: string): boolean {
  const request = world.requests.find(id)
  if (request?.status !== 'CONNECTED') return false
  noteRequest(world, request.endpointId)
  const worker = world.workers.require(request.workerId ?? '')
  if (worker.status === 'IDLE') leaveWorker(world, enterWorker(world, worker))
  return true
}

/** The worker's container is gone, and with it whatever it had to answer. Spec: no retries. */
export function cutOff(world: World, worker: Worker): void {
  for (const request of world.requests.where(({ workerId }) => workerId === worker.id)) {
    // Assumed: a proxy's own answer to a connection that broke.
    closeOrAnswer(world, request, plain(502, { error: 'worker gone' }))
  }
}

/** The worker will not come back by itself: those who insist on it are told. */
export function refuseAffinity(world: World, worker: Worker): void {
  const insists = ({ status, affinity }: ProxiedRequest) =>
    status === 'WAITING' && affinity?.mode === 'strict' && affinity.workerId === worker.id
  for (const request of world.requests.where(insists)) {
    closeOrAnswer(world, request, plain(404, { error: 'affinity_worker_gone' }))
  }
}

export const requestEventHandlers: EventHandlers<'request.due'> = {
  'request.due': (world, { requestId }) => {
    const request = world.requests.require(requestId)
    const isLate = request.deadlineAtMs <= world.nowMs
    if (isLate) {
      closeOrAnswer(world, request, timeoutOf(request))
      afterwards(world, request)
    } else if (request.status === 'AT_WORKER') {
      proceed(world, request)
    } else {
      awaitWorker(world, request)
    }
  },
}

/** Hands the request over, or lets it wait until its deadline. */
function awaitWorker(world: World, request: ProxiedRequest): void {
  resumeFor(world, request)
  // A worker that has no room to come back is tried again.
  const againMs = awaitsResume(world, request)
    ? world.waitMs('scalerIntervalMs')
    : Number.POSITIVE_INFINITY
  handOver(world, putRequest(world, request, againMs))
}

function handOver(world: World, request: ProxiedRequest): void {
  const worker = pickWorker(world, request)
  if (worker === undefined) return
  enterWorker(world, worker)
  world.timeline.record('request.at-worker', request.id, { workerId: worker.id })
  if (worker.backend !== 'simulated') {
    passOn(world, request, worker)
    return
  }
  const route = findRoute(world, world.endpoints.require(request.endpointId), request)
  const intervals = (route?.stream?.length ?? 0) + 1
  const paceMs = Math.round(serviceMs(world, route) / intervals)
  const deadlineAtMs = world.nowMs + processingLimitMs
  const taken = { ...request, workerId: worker.id, deadlineAtMs, paceMs }
  putRequest(world, { ...taken, status: 'AT_WORKER' }, paceMs)
}

/** `afterMs`: until its next step, unless its deadline comes first. */
export function putRequest(world: World, request: ProxiedRequest, afterMs: number): ProxiedRequest {
  world.timeline.cancel(request.timer)
  const leftMs = Math.max(0, request.deadlineAtMs - world.nowMs)
  const event = { kind: 'request.due', requestId: request.id } as const
  return world.requests.put({
    ...request,
    timer: world.timeline.after(Math.min(afterMs, leftMs), event),
  })
}

/** The worker's next step: the whole answer, the next part of one, or an open line. */
function proceed(world: World, request: ProxiedRequest): void {
  const { id, endpointId, workerId, partsSent } = request
  const endpoint = world.endpoints.require(endpointId)
  const route = findRoute(world, endpoint, request)
  if (partsSent !== null) {
    sendPart(world, request, route?.stream?.[partsSent])
    return
  }
  const upAtMs = world.healthChecks.find(workerId ?? '')?.upAtMs ?? world.nowMs
  const answer = answerTo(world, endpoint, request, world.nowMs - upAtMs)
  world.emit({ kind: 'request.ended', id, workerId, answer })
  if (answer.content.kind === 'parts') {
    sendPart(world, { ...request, partsSent: 0 }, route?.stream?.[0])
  } else if (answer.content.kind === 'web-socket') {
    connect(world, request)
  } else {
    forget(world, request, 'request.ended', { status: answer.status })
    afterwards(world, request)
  }
}

function sendPart(world: World, request: ProxiedRequest, part: unknown): void {
  const { id, partsSent } = request
  if (part === undefined) {
    world.emit({ kind: 'request.closed', id, cut: false })
    forget(world, request, 'request.ended', { parts: partsSent })
    afterwards(world, request)
    return
  }
  const text = typeof part === 'string' ? part : JSON.stringify(part)
  world.emit({ kind: 'request.part', id, text })
  putRequest(world, { ...request, partsSent: (partsSent ?? 0) + 1 }, request.paceMs)
}

/** The line is open: from now on it is no work. */
export function connect(world: World, request: ProxiedRequest): void {
  world.timeline.record('request.connected', request.id, { workerId: request.workerId })
  world.timeline.cancel(request.timer)
  world.requests.put({ ...request, status: 'CONNECTED', timer: null })
  afterwards(world, request)
}

/** Over: an answer that has begun is broken off, any other caller gets this one. */
export function closeOrAnswer(
  world: World,
  request: ProxiedRequest,
  answer: ProxiedAnswer | null,
): void {
  const { id, workerId, status, partsSent } = request
  if (status === 'CONNECTED' || partsSent !== null) {
    world.emit({ kind: 'request.closed', id, cut: true })
    forget(world, request, 'request.ended', { cut: true })
  } else {
    world.emit({ kind: 'request.ended', id, workerId, answer })
    forget(world, request, 'request.ended', { status: answer?.status ?? null })
  }
}

/** Null where no worker came in time. */
function timeoutOf({ status, affinity }: ProxiedRequest): ProxiedAnswer | null {
  // Observed: the edge's own status for an origin that takes too long. Assumed: the words.
  if (status === 'AT_WORKER') return plain(524, { error: 'the worker took too long' })
  if (!isStrict(affinity)) return null
  return plain(400, { error: 'worker_timeout', message: 'timed out waiting for worker' })
}

export function forget(
  world: World,
  request: ProxiedRequest,
  kind: HistoryKind,
  detail: Record<string, unknown>,
): void {
  world.timeline.cancel(request.timer)
  world.timeline.record(kind, request.id, detail)
  world.requests.remove(request.id)
}

/** The worker, if the request was at one, has room for another. */
export function afterwards(world: World, { endpointId, workerId, status }: ProxiedRequest): void {
  const worker = world.workers.find(workerId ?? '')
  if (worker !== undefined && status === 'AT_WORKER') {
    const left = leaveWorker(world, worker)
    const why = left.requestsInFlight === 0 ? surplusReason(world, left) : undefined
    if (why !== undefined) removeWorker(world, left, why)
  }
  handOverWaiting(world, endpointId)
  scaleEndpoint(world, endpointId)
}
