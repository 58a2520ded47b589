/** The control API's clock: what time it is, and how it passes. */
import * as Type from '@sinclair/typebox'
import { invalidField } from '../../model/errors.ts'
import { OneOf } from '../../model/schema.ts'
import { defineOperation, type Operation } from '../http/operation.ts'
import { ok } from '../http/reply.ts'
import { readCondition } from './conditions.ts'
import { type Controls, clockModes } from './controls.ts'
import { parseDuration } from './duration.ts'

const tag = 'clock'
const strict = { additionalProperties: false }

const Clock = Type.Object({
  now: Type.String(),
  mode: OneOf(clockModes),
  speed: Type.Number(),
  paused: Type.Boolean(),
  pending: Type.Integer({ description: 'Events that are due some time.' }),
  nextEventAt: Type.Union([Type.String(), Type.Null()]),
  waitingFor: Type.Array(Type.String(), { description: 'What holds time, by name.' }),
  waitingCallers: Type.Integer({ description: 'Callers that wait on this clock.' }),
})
const clockReply = { 200: { description: 'The clock.', schema: Clock } }
const advancedReply = {
  200: {
    description: 'The clock afterwards, and how many events happened.',
    schema: Type.Composite([Clock, Type.Object({ events: Type.Integer() })]),
  },
}

const Span = Type.Union([Type.String(), Type.Integer({ minimum: 0 })], {
  description: 'A span such as `90s`, `1h30m`, `250ms`; a number is milliseconds.',
})
const AdvanceBody = Type.Object({ by: Span }, strict)
const SetBody = Type.Object({ to: Type.String({ description: 'RFC 3339.' }) }, strict)
const UntilBody = Type.Object(
  {
    condition: Type.String({
      minLength: 1,
      description: 'Such as `jobs.<id>.status == COMPLETED`, several joined by `and`.',
    }),
    limit: Type.Optional(Span),
  },
  strict,
)
const defaultUntilLimit = '1h'
const ChangeBody = Type.Object(
  {
    mode: Type.Optional(OneOf(clockModes)),
    speed: Type.Optional(Type.Number({ exclusiveMinimum: 0, maximum: 1_000_000 })),
    paused: Type.Optional(Type.Boolean()),
  },
  { ...strict, minProperties: 1 },
)

export function clockOperations(controls: Controls): Operation[] {
  return [
    getClock(controls),
    advanceClock(controls),
    setClock(controls),
    runUntil(controls),
    changeClock(controls),
  ]
}

function getClock(controls: Controls): Operation {
  return defineOperation({
    name: 'getClock',
    method: 'GET',
    path: '/_emulator/clock',
    summary: 'What time it is, how time moves, and what holds it.',
    tag,
    needs: 'nothing',
    replies: clockReply,
    handle: ({ world }) => ok(controls.clock(world)),
  })
}

function advanceClock(controls: Controls): Operation {
  return defineOperation({
    name: 'advanceClock',
    method: 'POST',
    path: '/_emulator/clock/advance',
    summary: 'Lets virtual time pass; everything due on the way happens, in order.',
    tag,
    needs: 'nothing',
    body: AdvanceBody,
    replies: advancedReply,
    handle: async ({ world, body }) => {
      const events = await controls.advance(world, readDuration(body.by))
      return ok({ ...controls.clock(world), events })
    },
  })
}

function setClock(controls: Controls): Operation {
  return defineOperation({
    name: 'setClock',
    method: 'POST',
    path: '/_emulator/clock/set',
    summary: 'Lets virtual time pass until an instant.',
    tag,
    needs: 'nothing',
    body: SetBody,
    replies: advancedReply,
    handle: async ({ world, body }) => {
      const events = await controls.advance(world, readInstant(body.to) - world.nowMs)
      return ok({ ...controls.clock(world), events })
    },
  })
}

function runUntil(controls: Controls): Operation {
  return defineOperation({
    name: 'runUntil',
    method: 'POST',
    path: '/_emulator/clock/run-until',
    summary: 'Lets virtual time pass until a condition holds, at most for a limit.',
    tag,
    needs: 'nothing',
    body: UntilBody,
    replies: {
      200: {
        description: 'The clock afterwards, and whether the condition holds.',
        schema: Type.Composite([
          Clock,
          Type.Object({ events: Type.Integer(), reached: Type.Boolean() }),
        ]),
      },
    },
    handle: async ({ world, body }) => {
      const holds = readCondition(body.condition)
      const limitMs = readDuration(body.limit ?? defaultUntilLimit)
      const outcome = await controls.runUntil(world, () => holds(world), limitMs)
      return ok({ ...controls.clock(world), ...outcome })
    },
  })
}

function changeClock(controls: Controls): Operation {
  return defineOperation({
    name: 'changeClock',
    method: 'PATCH',
    path: '/_emulator/clock',
    summary: 'Changes how time moves: mode, speed, paused.',
    tag,
    needs: 'nothing',
    body: ChangeBody,
    replies: clockReply,
    handle: async ({ world, body }) => {
      controls.changeClock(body)
      return ok(controls.clock(world))
    },
  })
}

function readDuration(by: string | number): number {
  const ms = typeof by === 'number' ? by : parseDuration(by)
  if (ms !== undefined) return ms
  throw invalidField(['by'], `'${by}' is not a span of time; write 90s, 1h30m or 250ms`)
}

function readInstant(to: string): number {
  const ms = Date.parse(to)
  if (Number.isFinite(ms)) return ms
  throw invalidField(['to'], `'${to}' is not an instant; write 2026-01-01T12:00:00Z`)
}
