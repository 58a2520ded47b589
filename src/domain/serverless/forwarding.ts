/** Requests that a worker's own program answers: handed on to it, begun, ended, broken off. */
import { type ProxiedRequest, processingLimitMs } from '../../model/request.ts'
import type { Worker } from '../../model/worker.ts'
import type { World } from '../../world/world.ts'
import { afterwards, closeOrAnswer, connect, forget, putRequest } from './requests.ts'
import { plain } from './routes.ts'

/** It is the program's now, and whoever holds its caller sends it there. */
export function passOn(world: World, request: ProxiedRequest, worker: Worker): void {
  const deadlineAtMs = world.nowMs + processingLimitMs
  const taken = { ...request, workerId: worker.id, deadlineAtMs, status: 'AT_WORKER' as const }
  putRequest(world, taken, Number.POSITIVE_INFINITY)
  world.emit({ kind: 'changed', id: request.id })
}

/** Whether it is at a worker that answers for itself, and has not begun to. */
export function isPassedOn(world: World, { status, workerId, partsSent }: ProxiedRequest): boolean {
  if (status !== 'AT_WORKER' || partsSent !== null) return false
  const worker = world.workers.find(workerId ?? '')
  return worker !== undefined && worker.backend !== 'simulated'
}

/** The program answers with this status; 101 opens a line. What follows goes past the world. */
export function answerBegan(world: World, id: string, status: number): void {
  const request = world.requests.find(id)
  if (request === undefined || !isPassedOn(world, request)) return
  const { workerId } = request
  const answer = { status, headers: {}, content: { kind: 'program' } } as const
  world.emit({ kind: 'request.ended', id, workerId, answer })
  if (status === 101) connect(world, request)
  else putRequest(world, { ...request, partsSent: 0 }, Number.POSITIVE_INFINITY)
}

/** All of the answer is out, or the line was closed by the program. */
export function answerEnded(world: World, id: string): void {
  const request = world.requests.find(id)
  if (request === undefined) return
  forget(world, request, 'request.ended', {})
  afterwards(world, request)
}

/** Nobody took the request, or the answer broke off. Spec: no retries. Assumed: the words. */
export function answerFailed(world: World, id: string, why: string): void {
  const request = world.requests.find(id)
  if (request === undefined) return
  closeOrAnswer(world, request, plain(502, { error: why }))
  afterwards(world, request)
}
