/** The timeline: as lines, as events while it grows, and as a trace for viewers. */
import * as Type from '@sinclair/typebox'
import { OneOf } from '../../model/schema.ts'
import type { Entry } from '../../sim/timeline.ts'
import type { World } from '../../world/world.ts'
import { defineOperation, type Operation } from '../http/operation.ts'
import { ok, type Reply } from '../http/reply.ts'
import type { Controls } from './controls.ts'
import { toTrace } from './trace.ts'

const tag = 'world'
const TimelineQuery = Type.Object({
  format: Type.Optional(OneOf(['ndjson', 'perfetto'])),
  after: Type.Optional(Type.Integer({ minimum: 0, description: 'Only entries after this `seq`.' })),
})
const FollowQuery = Type.Object({
  after: Type.Optional(
    Type.Integer({
      minimum: 0,
      description: 'Begins after this `seq`; with what comes next when absent.',
    }),
  ),
})

export function timelineOperations(controls: Controls): Operation[] {
  return [getTimeline, followTimeline(controls)]
}

const getTimeline = defineOperation({
  name: 'getTimeline',
  method: 'GET',
  path: '/_emulator/timeline',
  summary: 'What happened, oldest first: one JSON object a line, or a trace that Perfetto opens.',
  tag,
  needs: 'nothing',
  query: TimelineQuery,
  replies: { 200: { description: 'Entries.', contentType: 'application/x-ndjson' } },
  handle: ({ world, query: { format = 'ndjson', after = 0 } }) => {
    const entries = world.timeline.since(after)
    if (format === 'perfetto') return ok(toTrace(entries))
    const text = entries.map((entry) => `${JSON.stringify(entry)}\n`).join('')
    return { status: 200, headers: { 'content-type': 'application/x-ndjson' }, text }
  },
})

function followTimeline({ onTurn }: Controls): Operation {
  return defineOperation({
    name: 'followTimeline',
    method: 'GET',
    path: '/_emulator/timeline/follow',
    summary: 'Each entry as a server-sent event, as it happens.',
    tag,
    needs: 'nothing',
    query: FollowQuery,
    replies: { 200: { description: 'Entries.', contentType: 'text/event-stream' } },
    handle: ({ world, query, headers }) => {
      const lastId = Number(headers['last-event-id'] ?? Number.NaN)
      const after = Number.isInteger(lastId) ? lastId : (query.after ?? world.timeline.entryCount)
      return stream(world, after, onTurn)
    },
  })
}

function stream(world: World, after: number, onTurn: Controls['onTurn']): Reply {
  return {
    status: 200,
    headers: { 'content-type': 'text/event-stream', 'cache-control': 'no-cache' },
    stream: (sink) => {
      let seen = after
      const send = () => {
        const entries = world.timeline.since(seen)
        seen = world.timeline.entryCount
        if (entries.length > 0) sink.write(entries.map(toFrame).join(''))
      }
      send()
      return onTurn(world, send)
    },
  }
}

const toFrame = (entry: Entry): string => `id: ${entry.seq}\ndata: ${JSON.stringify(entry)}\n\n`
