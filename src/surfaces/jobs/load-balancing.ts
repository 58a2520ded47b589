/** The request address of load-balancing endpoints: whatever the caller asks, a worker answers. */
import { receiveRequest } from '../../domain/serverless/requests.ts'
import type { CloudEffect } from '../../model/effects.ts'
import { workerWaitMs } from '../../model/request.ts'
import type { World } from '../../world/world.ts'
import { defineOperation, type Method, type Operation } from '../http/operation.ts'
import type { Reply, Waiting } from '../http/reply.ts'

const methods: readonly Method[] = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'HEAD', 'OPTIONS']

type Ended = Extract<CloudEffect, { kind: 'request.ended' }>

/** Every path that no queue operation has. */
export function proxyOperations(): Operation[] {
  return methods.map((method) =>
    defineOperation({
      name: `proxy${method}`,
      method,
      path: '/v2/{endpointId}/*',
      summary: 'Passes the request to a worker of a load-balancing endpoint.',
      tag: 'load balancing',
      needs: method === 'GET' || method === 'HEAD' || method === 'OPTIONS' ? 'read' : 'write',
      replies: { 200: { description: 'Whatever the worker answers.' } },
      handle: ({ world, params }) => {
        const { endpointId = '', '*': path = '' } = params
        return untilAnswered(world, receiveRequest(world, endpointId, { method, path: `/${path}` }))
      },
    }),
  )
}

function untilAnswered(world: World, { id }: { readonly id: string }): Waiting {
  return {
    waitFor: id,
    // The request has a time limit of its own; this one never comes first.
    limitMs: workerWaitMs * 10,
    answer: (ended) => (ended === undefined ? undefined : toReply(world, ended as Ended)),
    otherwise: () => noWorker(world),
  }
}

function toReply(world: World, { answer, workerId }: Ended): Reply {
  if (answer === null || workerId === null) return noWorker(world)
  // Spec: every reply names its worker.
  const headers = { ...answer.headers, 'x-runpod-worker-id': workerId }
  const { status, body } = answer
  if (typeof body === 'string') {
    return { status, headers: { 'content-type': 'text/plain', ...headers }, text: body }
  }
  return body === undefined ? { status, headers } : { status, headers, body }
}

function noWorker(world: World): Reply {
  const status = Number(world.settings.fidelity.lbNoWorkerStatus)
  return { status, body: { error: 'no workers available' } }
}
