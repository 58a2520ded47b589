/** Puts an operation of the request address under its limits: calls in a window, bytes in a body. */
import { beginCall, countCall, endCall } from '../../domain/serverless/rates.ts'
import { CloudError } from '../../model/errors.ts'
import type { RatedOperation } from '../../model/rates.ts'
import type { World } from '../../world/world.ts'
import type { Context, Operation } from '../http/operation.ts'
import { type Answer, isWaiting, type Reply, type Streaming, type Waiting } from '../http/reply.ts'

/** Spec: 10 MB for /run, 20 MB for /runsync. */
const bodyLimitsMb: Partial<Record<RatedOperation, number>> = { run: 10, runsync: 20 }

type Params = { readonly endpointId: string }

/** The same operation, which first looks whether the caller may call it once more. */
export function limited(operation: Operation, rated: RatedOperation): Operation {
  const { handle } = operation
  if (handle === undefined) return operation
  const within = (context: Context<Params, never, never>): Answer | Promise<Reply> => {
    const { world, params, text } = context
    if (world.endpoints.find(params.endpointId) !== undefined) {
      requireSmallBody(world, rated, text)
      countCall(world, params.endpointId, rated)
    }
    const answer = (handle as unknown as typeof within)(context)
    if (answer instanceof Promise || !isWaiting(answer)) return answer
    beginCall(world, params.endpointId, rated)
    const end = () => context.turn(() => endCall(world, params.endpointId, rated))
    return underWay(answer, end)
  }
  return { ...operation, handle: within as unknown as NonNullable<Operation['handle']> }
}

/** A call is under way while its caller waits, and for as long as it gets parts of its answer. */
function underWay(waiting: Waiting, end: () => void): Waiting {
  let streams = false
  const noted = (reply: Reply): Reply => {
    if (reply.stream === undefined) return reply
    streams = true
    return { ...reply, stream: untilItEnds(reply.stream, end) }
  }
  return {
    ...waiting,
    answer: (what) => {
      const reply = waiting.answer(what)
      return reply && noted(reply)
    },
    otherwise: () => noted(waiting.otherwise()),
    ended: () => {
      if (!streams) end()
      waiting.ended?.()
    },
  }
}

/** `end` is called once, whoever ends the stream. */
function untilItEnds(stream: Streaming, end: () => void): Streaming {
  let ended = false
  const endOnce = () => {
    if (!ended) end()
    ended = true
  }
  return (sink) => {
    const stop = stream({
      write: (part) => sink.write(part),
      end: (cut) => {
        endOnce()
        sink.end(cut)
      },
    })
    return () => {
      endOnce()
      stop()
    }
  }
}

function requireSmallBody(world: World, rated: RatedOperation, text: string | undefined): void {
  const limitMb = bodyLimitsMb[rated]
  if (!world.settings.limits || limitMb === undefined || text === undefined) return
  if (Buffer.byteLength(text) <= limitMb * 1_048_576) return
  // Observed: these words.
  const message = `bad request: body: exceeded max body size of ${limitMb}MiB`
  throw new CloudError('payload_too_large', message)
}
