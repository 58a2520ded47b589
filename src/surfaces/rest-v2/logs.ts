/** Logs as server-sent events: the last lines, then each new one, for as long as their owner lives. */
import type { Static } from '@sinclair/typebox'
import * as Type from '@sinclair/typebox'
import type { LogLine } from '../../model/effects.ts'
import { OneOf } from '../../model/schema.ts'
import type { World } from '../../world/world.ts'
import { readInstant } from '../http/instant.ts'
import { type Context, defineOperation, type Operation } from '../http/operation.ts'
import { type Reply, toIso } from '../http/reply.ts'
import { problem, readReplies } from './replies.ts'

const LogQuery = Type.Object({
  source: Type.Optional(OneOf(['container', 'system'])),
  // Spec: 0 to 5000 lines, 100 when nothing is said.
  tail: Type.Optional(Type.Integer({ minimum: 0, maximum: 5_000, default: 100 })),
  since: Type.Optional(Type.String({ format: 'date-time' })),
})
const LogHeaders = Type.Object({
  'Last-Event-ID': Type.Optional(Type.String({ format: 'date-time' })),
})
type LogQuery = Static<typeof LogQuery>

type Params = Readonly<Record<string, string | undefined>>

interface LogDefinition {
  readonly name: string
  readonly path: string
  readonly summary: string
  readonly tag: string
  readonly endpointParam?: string
  /** Whose log it is; refuses where there is nobody. */
  readonly ownerOf: (world: World, params: Params) => string
  /** True when nothing more will be written, though the lines are kept. */
  readonly isOver?: (world: World, params: Params) => boolean
}

export function logOperation({ ownerOf, isOver, ...definition }: LogDefinition): Operation {
  return defineOperation({
    ...definition,
    method: 'GET',
    needs: 'read',
    query: LogQuery,
    headers: LogHeaders,
    replies: {
      ...readReplies('Lines.', Type.String()),
      200: { description: 'Lines.', schema: Type.String(), contentType: 'text/event-stream' },
      422: problem('The query or the event id is not well formed.'),
    },
    handle: (context) => {
      const { world, params } = context
      const ownerId = ownerOf(world, params)
      return streamLog(context, ownerId, isOver?.(world, params) === true)
    },
  })
}

function streamLog(
  { world, query, headers, follow }: Context<Params, LogQuery, undefined>,
  ownerId: string,
  over: boolean,
): Reply {
  const wanted = ({ source }: LogLine) => query.source === undefined || source === query.source
  const lines = selectLines(world.logs.of(ownerId).filter(wanted), query, headers['last-event-id'])
  return {
    status: 200,
    headers: {
      'content-type': 'text/event-stream',
      'cache-control': 'no-cache',
      connection: 'keep-alive',
      'x-accel-buffering': 'no',
    },
    stream: (sink) => {
      sink.write(lines.map(toFrame).join(''))
      if (over) {
        sink.end()
        return () => {}
      }
      return follow(ownerId, (line) => {
        if (line === null) sink.end()
        else if (wanted(line)) sink.write(toFrame(line))
      })
    },
  }
}

/** Spec: an event id wins over `since`, and either of them over `tail`. */
function selectLines(
  lines: readonly LogLine[],
  { tail = 100, since }: LogQuery,
  lastEventId: string | undefined,
): readonly LogLine[] {
  if (lastEventId !== undefined) {
    const { afterMs, afterSeq } = readEventId(lastEventId)
    return lines.filter(
      (line) => line.atMs > afterMs || (line.atMs === afterMs && line.seq > afterSeq),
    )
  }
  if (since !== undefined) {
    const fromMs = readInstant('since', since)
    return lines.filter(({ atMs }) => atMs >= fromMs)
  }
  return tail === 0 ? [] : lines.slice(-tail)
}

/** Observed: the instant and a number. Spec: the instant alone, which stands for all of it. */
function readEventId(text: string): { afterMs: number; afterSeq: number } {
  const [, instant = text, seq] = /^(.*)\/(\d+)$/.exec(text) ?? []
  const afterSeq = seq === undefined ? Number.POSITIVE_INFINITY : Number(seq)
  return { afterMs: readInstant('Last-Event-ID', instant), afterSeq }
}

function toFrame({ seq, atMs, source, text }: LogLine): string {
  const ts = toIso(atMs)
  const data = JSON.stringify({ ts, source, line: text })
  return `id: ${ts}/${String(seq).padStart(12, '0')}\ndata: ${data}\n\n`
}
