/**
 * A push to an endpoint's repository. In the cloud it comes from the host of the repository; here
 * whoever wants a build says so, and how it is to end.
 */
import * as Type from '@sinclair/typebox'
import { startBuild } from '../../domain/serverless/builds.ts'
import { buildOutcomes } from '../../model/build.ts'
import { OneOf } from '../../model/schema.ts'
import { defineOperation } from '../http/operation.ts'
import { created } from '../http/reply.ts'

const Text = Type.Optional(Type.String())
const PushBody = Type.Object(
  {
    endpointId: Type.String({ minLength: 1 }),
    commitHash: Text,
    commitMessage: Text,
    branch: Text,
    outcome: OneOf(buildOutcomes, { default: 'COMPLETED' }),
    tested: Type.Boolean({ default: false, description: 'The repository has tests.' }),
  },
  { additionalProperties: false },
)

export const pushCommit = defineOperation({
  name: 'pushCommit',
  method: 'POST',
  path: '/_emulator/pushes',
  summary: "A push to an endpoint's repository, which sets off a build.",
  tag: 'outside',
  needs: 'nothing',
  body: PushBody,
  replies: {
    201: {
      description: 'The build that began.',
      schema: Type.Object({ buildId: Type.String(), status: Type.String() }),
    },
  },
  handle: ({ world, body }) => {
    const { endpointId, commitHash, commitMessage, branch, outcome, tested } = body
    const commit = {
      hash: commitHash ?? null,
      message: commitMessage ?? null,
      branch: branch ?? null,
      atMs: world.nowMs,
    }
    const { id, status } = startBuild(world, endpointId, { commit, outcome, tested })
    return created({ buildId: id, status })
  },
})
