/** The proxy as a surface: a pod's own address for each of its HTTP ports, open to everybody. */
import { askPod, type PodAnswer, serverOf } from '../../domain/pod-service.ts'
import { CloudError } from '../../model/errors.ts'
import { holdsCompute, type Pod } from '../../model/pod.ts'
import { hostedPod } from '../../world/hosted.ts'
import { bearerKey } from '../http/access.ts'
import { passBack } from '../http/forward.ts'
import { type Context, defineOperation } from '../http/operation.ts'
import type { Answer, Reply } from '../http/reply.ts'
import type { Surface } from '../http/surface.ts'
import { wholeReply } from '../http/whole-reply.ts'

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

function passOn(context: ProxyContext): Answer | Promise<Reply> {
  const { world, params } = context
  const { podId = '' } = params
  const port = Number(params.port)
  const pod = world.pods.find(podId)
  const refusal = whyNot(pod, port)
  if (refusal !== undefined) return refusal
  if (pod?.container === null) return askSimulated(context, pod, port)
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
        else resolve(nobodyAnswers(podId, port))
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
  const { id, status, ports } = pod
  if (!ports.some(({ privatePort, type }) => privatePort === port && type === 'http')) {
    return plain(404, `pod ${id} has no HTTP port ${port}`)
  }
  // Spec: 502 until something listens there. Assumed: a stopped pod has no address.
  if (status !== 'RUNNING') return plain(holdsCompute(status) ? 502 : 404, `pod ${id} is ${status}`)
  return undefined
}

/** What its handler fixture says, if it has one, and its server is up. */
function askSimulated({ world, method, params }: ProxyContext, pod: Pod, port: number): Answer {
  const { id } = pod
  if (serverOf(world, pod) === undefined) {
    return plain(502, `pod ${id} is simulated: nothing answers on port ${port}`)
  }
  const found = askPod(world, pod, port, { method, path: `/${params['*'] ?? ''}` })
  if (found === undefined) return nobodyAnswers(id, port)
  const { startedAtMs } = pod
  return {
    waitFor: id,
    limitMs: Math.min(found.afterMs, answerWaitMs),
    // Who was asked is gone when the pod was stopped in the meantime.
    answer: () => {
      const now = world.pods.find(id)
      const isThere = now?.status === 'RUNNING' && now.startedAtMs === startedAtMs
      return isThere ? undefined : nobodyAnswers(id, port)
    },
    otherwise: () => inTime(found),
  }
}

function inTime({ answer, afterMs }: PodAnswer): Reply {
  if (afterMs > answerWaitMs) return plain(524, 'a timeout occurred')
  const { status, headers, content } = answer
  return wholeReply(status, content.kind === 'whole' ? content.body : undefined, headers)
}

// Assumed: the words.
const nobodyAnswers = (podId: string, port: number): Reply =>
  plain(502, `nothing answers on port ${port} of pod ${podId}`)

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
