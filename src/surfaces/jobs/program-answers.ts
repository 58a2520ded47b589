/** A request on its way through a worker's own program: there with its body, and back with its answer. */
import { answerBegan, answerEnded, answerFailed } from '../../domain/serverless/forwarding.ts'
import { noteMessage } from '../../domain/serverless/requests.ts'
import { answerLimitBytes } from '../../domain/serverless/routes.ts'
import type { ProxiedRequest } from '../../model/request.ts'
import { type Forwarded, type ForwardedAnswer, passBack } from '../http/forward.ts'
import type { Reply } from '../http/reply.ts'
import { type AnyContext, hangUp, type Line, listen } from './worker-answers.ts'

export interface Passage {
  /** Once the program has begun to answer. */
  readonly reply: () => Reply
  /** Nobody wants the answer any more. */
  readonly breakOff: () => void
}

// Assumed: what a proxy says in each of these cases.
const words = {
  refused: 'bad gateway',
  broken: 'worker gone',
  late: 'worker gone',
  'too large': 'response too large',
} as const

export function passTo(context: AnyContext, request: ProxiedRequest): Passage {
  const { world, turn } = context
  const { id, workerId } = request
  let answer: ForwardedAnswer | undefined
  const breakOff = context.forward({ workerId: workerId ?? '' }, toForwarded(context, request), {
    answered: (begun) => {
      answer = begun
      turn(() => answerBegan(world, id, begun.status))
    },
    ended: (how) => {
      if (how === 'complete') turn(() => answerEnded(world, id))
      else turn(() => answerFailed(world, id, words[how]))
    },
    spoke: () => {
      turn(() => noteMessage(world, id))
    },
  })
  return {
    reply: () => {
      if (answer === undefined) throw new Error('a program that has begun to answer has an answer')
      return toReply(context, request, answer, breakOff)
    },
    breakOff,
  }
}

/** Observed: the program never sees the caller's key. Otherwise it sees what its caller sent. */
function toForwarded(
  { world, method, search, headers, upload, text, upgrade }: AnyContext,
  { path }: ProxiedRequest,
): Forwarded {
  const { authorization: _, ...rest } = headers
  const target = search === '' ? path : `${path}?${search}`
  const answerLimit = world.settings.limits ? answerLimitBytes : Number.POSITIVE_INFINITY
  return { method, target, headers: rest, upgrade, upload, text, answerLimit }
}

function toReply(
  context: AnyContext,
  { id, workerId }: ProxiedRequest,
  answer: ForwardedAnswer,
  breakOff: () => void,
): Reply {
  const line = listen(context, id)
  const left = () => leave(context, id, line, breakOff)
  const { tunnel } = answer
  const joined: ForwardedAnswer['tunnel'] =
    tunnel &&
    ((callers, early) => {
      line.read(() => breakOff())
      callers.once('close', left)
      tunnel(callers, early)
    })
  const stream: ForwardedAnswer['stream'] = (sink) => {
    line.read(() => {
      breakOff()
      sink.end('cut')
    })
    return answer.stream(sink)
  }
  // Spec: every reply of a worker names it.
  const headers = { ...answer.headers, 'x-runpod-worker-id': workerId ?? '' }
  return passBack({ ...answer, headers, stream, tunnel: joined }, left)
}

/** The caller has all of it, or has gone. */
function leave(context: AnyContext, id: string, line: Line, breakOff: () => void): void {
  breakOff()
  hangUp(context, id, line)
}
