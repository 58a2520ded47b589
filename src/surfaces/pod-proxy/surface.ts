/** The proxy as a surface: a pod's own address for each of its HTTP ports, open to everybody. */
import { CloudError } from '../../model/errors.ts'
import type { Pod } from '../../model/pod.ts'
import { hostedPod } from '../../world/hosted.ts'
import { bearerKey } from '../http/access.ts'
import { passBack } from '../http/forward.ts'
import { type Context, defineOperation } from '../http/operation.ts'
import type { Reply } from '../http/reply.ts'
import type { Surface } from '../http/surface.ts'

/** Assumed: what the edge in front of the proxy takes. */
const bodyLimit = 100 * 1_048_576
// Spec: a container has 100 seconds to answer; then the edge does, with 524.
const answerWaitMs = 100_000

type ProxyContext = Context<
  Readonly<Record<string, string>>,
  Readonly<Record<string, never>>,
  undefined
>

const operation = defineOperation({
  name: 'proxyPod',
  method: '*',
  path: '/pods/{podId}/{port}/*',
  summary: 'Passes the request to a port of a pod.',
  tag: 'pod proxy',
  needs: 'nothing',
  takesUpload: true,
  replies: { 200: { description: 'Whatever the container answers.' } },
  handle: passOn,
})

export const podProxySurface: Surface = {
  name: 'proxy',
  operations: [operation],
  // Whoever knows the address is let in; keys are the container's own affair.
  keyOf: () => undefined,
  // Worlds that begin alike give the same ids: the caller's own pod goes before another's.
  guestKeyOf: ({ authorization }) => bearerKey(authorization),
  bodyLimit,
  renderError: (error) => plain(error.code === 'payload_too_large' ? 413 : 404, error.message),
  renderBug: () => plain(500, 'internal error'),
  hosted: (_method, hostedId, path) => {
    const found = hostedPod(hostedId)
    if (found === undefined) throw new Error(`${hostedId} is no port of a pod`)
    return {
      operation,
      params: { podId: found.podId, port: String(found.port), '*': path.slice(1) },
    }
  },
  unknownPath: (method, path) => new CloudError('not_found', `no pod answers ${method} ${path}`),
}

function passOn(context: ProxyContext): Reply | Promise<Reply> {
  const { world, params } = context
  const { podId = '' } = params
  const port = Number(params.port)
  const refusal = whyNot(world.pods.find(podId), port)
  if (refusal !== undefined) return refusal
  return new Promise((resolve) => {
    let hasBegun = false
    const breakOff = context.forward({ podId, port }, toForwarded(context), {
      answered: (answer) => {
        hasBegun = true
        resolve(passBack(answer, breakOff))
      },
      ended: (how) => {
        if (hasBegun) return
        if (how === 'late') resolve(plain(524, 'a timeout occurred'))
        else resolve(plain(502, `nothing answers on port ${port} of pod ${podId}`))
      },
      spoke: () => {},
    })
    context.onHangUp(() => {
      if (!hasBegun) breakOff()
    })
  })
}

/** A pod of another world than the caller is in is looked for further on. */
function whyNot(pod: Pod | undefined, port: number): Reply | undefined {
  if (pod === undefined) return undefined
  const { id, status, ports, container } = pod
  if (!ports.some(({ privatePort, type }) => privatePort === port && type === 'http')) {
    return plain(404, `pod ${id} has no HTTP port ${port}`)
  }
  if (status !== 'RUNNING') return plain(404, `pod ${id} is ${status}`)
  if (container === null)
    return plain(502, `pod ${id} is simulated: nothing answers on port ${port}`)
  return undefined
}

function toForwarded({
  world,
  method,
  params,
  search,
  headers,
  upgrade,
  upload,
  text,
}: ProxyContext) {
  const path = `/${params['*'] ?? ''}`
  return {
    method,
    target: search === '' ? path : `${path}?${search}`,
    headers,
    upgrade,
    upload,
    text,
    waitMs: answerWaitMs / world.pace,
    answerLimit: Number.POSITIVE_INFINITY,
  }
}

function plain(status: number, message: string): Reply {
  return { status, headers: { 'content-type': 'text/plain' }, text: `${message}\n` }
}
