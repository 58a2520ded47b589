/** The control API's look into a pod: the variables its container sees. */
import * as Type from '@sinclair/typebox'
import { readableEnvironmentOf } from '../../domain/environment.ts'
import { defineOperation } from '../http/operation.ts'
import { ok } from '../http/reply.ts'

export const getEnvironment = defineOperation({
  name: 'getEnvironment',
  method: 'GET',
  path: '/_emulator/pods/{id}/environment',
  summary: "A pod's variables, the platform's own included; values of secrets are starred out.",
  tag: 'world',
  needs: 'nothing',
  params: Type.Object({ id: Type.String() }),
  replies: {
    200: {
      description: 'Variables by name.',
      schema: Type.Object({ environment: Type.Record(Type.String(), Type.String()) }),
    },
  },
  handle: ({ world, params }) =>
    ok({ environment: readableEnvironmentOf(world, world.pods.require(params.id)) }),
})
