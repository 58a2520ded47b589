/** The control API's explanations. */
import * as Type from '@sinclair/typebox'
import type { World } from '../../world/world.ts'
import { defineOperation, type Operation } from '../http/operation.ts'
import { ok } from '../http/reply.ts'
import { type Explanation, explainEndpoint, explainJob } from './explain.ts'

const Reply = Type.Object({
  subject: Type.String(),
  status: Type.String(),
  sentences: Type.Array(Type.String(), { description: 'To be read from top to bottom.' }),
  entries: Type.Array(Type.Unknown(), { description: 'The timeline entries behind them.' }),
})

export const explainOperations: readonly Operation[] = [
  define('explainJob', 'jobs', 'Why a job waits, or ended as it did.', explainJob),
  define('explainEndpoint', 'endpoints', 'Why the autoscaler acts, or does not.', explainEndpoint),
]

function define(
  name: string,
  noun: string,
  summary: string,
  explain: (world: World, id: string) => Explanation,
): Operation {
  return defineOperation({
    name,
    method: 'GET',
    path: `/_emulator/explain/${noun}/{id}`,
    summary,
    tag: 'explain',
    needs: 'nothing',
    params: Type.Object({ id: Type.String() }),
    replies: { 200: { description: 'In plain sentences.', schema: Reply } },
    handle: ({ world, params }) => ok(explain(world, params.id)),
  })
}
