/** The control API's view of the world: its state, what is due, and the way back. */
import * as Type from '@sinclair/typebox'
import { defineOperation, type Operation } from '../http/operation.ts'
import { ok } from '../http/reply.ts'
import type { Controls } from './controls.ts'
import { describePending, describeWorld } from './state.ts'

const tag = 'world'
const LimitQuery = Type.Object({
  limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 10_000 })),
})
const defaultLimit = 100
const ResetBody = Type.Object(
  { seed: Type.Optional(Type.String({ minLength: 1 })) },
  { additionalProperties: false },
)

export function worldOperations(controls: Controls): Operation[] {
  return [getState(controls), reset(controls), listPending]
}

function getState(controls: Controls): Operation {
  return defineOperation({
    name: 'getState',
    method: 'GET',
    path: '/_emulator/state',
    summary: 'What is in the world: counts, and the first hundred of each kind.',
    tag,
    needs: 'nothing',
    replies: { 200: { description: 'The world.' } },
    handle: ({ world }) => {
      const { version, profile } = controls
      return ok({ version, profile, seed: controls.seed(), ...describeWorld(world) })
    },
  })
}

function reset(controls: Controls): Operation {
  return defineOperation({
    name: 'reset',
    method: 'POST',
    path: '/_emulator/reset',
    summary: 'Puts the world back to its start state, in one step.',
    tag,
    needs: 'nothing',
    body: ResetBody,
    bodyRequired: false,
    replies: { 200: { description: 'Done.' } },
    // Answers later than it is called: the turn that is under way belongs to the old world.
    handle: async ({ body }) => {
      controls.reset(body?.seed)
      return ok({ status: 'reset', seed: controls.seed() })
    },
  })
}

const listPending = defineOperation({
  name: 'listPending',
  method: 'GET',
  path: '/_emulator/pending',
  summary: 'What will happen by itself, soonest first.',
  tag,
  needs: 'nothing',
  query: LimitQuery,
  replies: { 200: { description: 'Events and when they are due.' } },
  handle: ({ world, query }) =>
    ok({ pending: describePending(world, query.limit ?? defaultLimit) }),
})
