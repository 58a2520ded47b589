/** The request address of load-balancing endpoints: whatever the caller asks, a worker answers. */
import { receiveRequest } from '../../domain/serverless/requests.ts'
import type { Affinity } from '../../model/request.ts'
import { type Context, defineOperation, type Method, type Operation } from '../http/operation.ts'
import { untilAnswered } from './worker-answers.ts'

// Assumed: those that read need a key that may read, all others one that may write.
const methods: readonly Method[] = ['GET', 'HEAD', 'OPTIONS', '*']

/** Every path that no queue operation has. Those answer for their own, and refuse. */
export function proxyOperations(): Operation[] {
  return operations
}

/** By its own host name every path is the worker's, those of queue operations too. */
export function hostedOperation(method: string, endpointId: string, path: string) {
  const params = { endpointId, '*': path.slice(1) }
  const operation = operations.find((row) => row.method === method) ?? anyMethod
  return { operation, params }
}

type Params = Readonly<Record<string, string>>
type ProxyContext = Context<Params, Readonly<Record<string, never>>, undefined>

function proxyOperation(method: Method, path: string): Operation {
  return defineOperation({
    name: `proxy${method === '*' ? '' : method}${path.endsWith('*') ? '' : 'Root'}`,
    method,
    path,
    summary: 'Passes the request to a worker of a load-balancing endpoint.',
    tag: 'load balancing',
    needs: method === '*' ? 'write' : 'read',
    takesUpload: true,
    replies: { 200: { description: 'Whatever the worker answers.' } },
    handle: (context) => {
      const { endpointId = '' } = context.params
      const request = receiveRequest(context.world, endpointId, toAsked(context))
      return untilAnswered(context, request.id)
    },
  })
}

const anyMethod = proxyOperation('*', '/v2/{endpointId}/*')
const operations: Operation[] = [
  ...methods
    .filter((method) => method !== '*')
    .map((method) => proxyOperation(method, '/v2/{endpointId}/*')),
  anyMethod,
  ...methods.map((method) => proxyOperation(method, '/v2/{endpointId}')),
]

function toAsked({ method, params, headers, upgrade }: ProxyContext) {
  const affinity = toAffinity(headers['x-runpod-worker-id'])
  return { method, path: `/${params['*'] ?? ''}`, affinity, upgrade }
}

/** Spec: a worker's id, alone or after `strict` or `strict-resume`. */
function toAffinity(header: string | undefined): Affinity | null {
  const words = header?.trim().split(/\s+/) ?? []
  const [first = '', second] = words
  if (first === '') return null
  if (second === undefined) return { mode: 'soft', workerId: first }
  const mode = first.toLowerCase()
  // Assumed: a word that nobody knows is no affinity.
  if (mode !== 'strict' && mode !== 'strict-resume') return null
  return { mode, workerId: second }
}
