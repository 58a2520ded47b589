/** What a load-balancing worker answers, as its caller gets it: whole, in parts, or over an open line. */
import { isPassedOn } from '../../domain/serverless/forwarding.ts'
import { abandonRequest, noteMessage } from '../../domain/serverless/requests.ts'
import type { CloudEffect } from '../../model/effects.ts'
import type { World } from '../../world/world.ts'
import type { Context, LineListener, LineNews } from '../http/operation.ts'
import type { Conversation, Reply, Streaming, Waiting } from '../http/reply.ts'
import { plainText, wholeReply } from '../http/whole-reply.ts'
import { type Passage, passTo } from './program-answers.ts'

type Ended = Extract<CloudEffect, { kind: 'request.ended' }>
export type AnyContext = Pick<
  Context<unknown, unknown, unknown>,
  | 'world'
  | 'method'
  | 'headers'
  | 'search'
  | 'text'
  | 'upload'
  | 'upgrade'
  | 'openLine'
  | 'forward'
  | 'turn'
>

/** The request has time limits of its own; this one never comes first. */
const neverMs = 3_600_000

export function untilAnswered(context: AnyContext, id: string): Waiting {
  const { world, turn } = context
  let answered = false
  let passage: Passage | undefined
  const reply = (ended: Ended | undefined) => {
    answered = true
    if (ended?.answer?.content.kind === 'program' && passage !== undefined) return passage.reply()
    passage?.breakOff()
    return ended === undefined ? noWorker(world) : toReply(context, ended)
  }
  return {
    waitFor: id,
    limitMs: neverMs,
    answer: (ended) => {
      if (ended !== undefined) return reply(ended as Ended)
      const request = world.requests.find(id)
      // Refused in the very turn that brought it.
      if (request === undefined) return reply(undefined)
      if (passage === undefined && isPassedOn(world, request)) passage = passTo(context, request)
      return undefined
    },
    otherwise: () => reply(undefined),
    // The caller hung up.
    ended: () => {
      if (answered) return
      passage?.breakOff()
      turn(() => abandonRequest(world, id))
    },
  }
}

function toReply(context: AnyContext, { id, answer, workerId }: Ended): Reply {
  if (answer === null) return noWorker(context.world)
  // Spec: every reply of a worker names it.
  const named: Record<string, string> = workerId === null ? {} : { 'x-runpod-worker-id': workerId }
  const headers = { ...answer.headers, ...named }
  const { status, content } = answer
  switch (content.kind) {
    case 'whole':
      return wholeReply(status, content.body, headers)
    case 'echo': {
      const type = context.headers['content-type'] ?? 'application/octet-stream'
      const stream = echo(context)
      return { status, headers: { 'content-type': type, ...headers }, stream, verbatim: true }
    }
    case 'parts': {
      const stream = relay(context, id)
      return { status, headers: { ...plainText, ...headers }, stream, verbatim: true }
    }
    case 'web-socket':
      return { status, headers, conversation: converse(context, id) }
    case 'program':
      throw new Error('what a program answers is on its passage')
  }
}

/** Observed: these words with 400; a third party's fake has the others with 503. Assumed: the form. */
const noWorkerWords = { 400: 'timed out waiting for worker', 503: 'no workers available' } as const

function noWorker({ settings }: World): Reply {
  const status = settings.fidelity.lbNoWorkerStatus
  return { status: Number(status), body: { error: noWorkerWords[status] } }
}

/** Each part of the request goes back as it comes in: neither side waits for the other's end. */
function echo({ upload, text }: AnyContext): Streaming {
  return (sink) => {
    if (upload === undefined) {
      if (text !== undefined) sink.write(text)
      sink.end()
    }
    upload?.read((part) => {
      if (part === null) sink.end()
      else sink.write(part)
    })
    return () => {}
  }
}

function relay(context: AnyContext, id: string): Streaming {
  const line = listen(context, id)
  return (sink) => {
    // The worker takes the request in, whatever it does with it.
    context.upload?.read(() => {})
    line.read((news) => {
      if (news.kind === 'request.part') sink.write(news.text)
      else sink.end(news.cut ? 'cut' : undefined)
    })
    return () => hangUp(context, id, line)
  }
}

/** The worker sends back what it gets. */
function converse(context: AnyContext, id: string): Conversation {
  const { world, turn } = context
  const line = listen(context, id)
  return (caller) => {
    line.read(() => caller.close(1001, 'worker gone'))
    return {
      message: (message) => {
        if (turn(() => noteMessage(world, id))) caller.send(message)
      },
      closed: () => hangUp(context, id, line),
    }
  }
}

export interface Line {
  /** Hands over what came before, and from then on what comes. */
  readonly read: (listener: LineListener) => void
  readonly stop: () => void
}

/** Time may go on between the answer and the moment that its headers are out. */
export function listen({ openLine }: AnyContext, id: string): Line {
  const early: LineNews[] = []
  let listener: LineListener = (news) => void early.push(news)
  const stop = openLine(id, (news) => listener(news))
  return {
    read: (next) => {
      listener = next
      for (const news of early) next(news)
    },
    stop,
  }
}

export function hangUp({ world, turn }: AnyContext, id: string, { stop }: Line): void {
  stop()
  if (world.requests.find(id) !== undefined) turn(() => abandonRequest(world, id))
}
