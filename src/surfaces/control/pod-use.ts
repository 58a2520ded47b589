/** The control API on how busy pods are: nothing runs in a simulated one, so somebody has to say. */
import * as Type from '@sinclair/typebox'
import { setPodUse } from '../../domain/pod-use.ts'
import { PodUse } from '../../model/pod-use.ts'
import { defineOperation } from '../http/operation.ts'
import { ok } from '../http/reply.ts'

export const putPodUse = defineOperation({
  name: 'setPodUse',
  method: 'PUT',
  path: '/_emulator/pods/{id}/use',
  summary: 'Sets what a pod uses of its machine from now on, in percent; 0 for what is left out.',
  tag: 'world',
  needs: 'nothing',
  params: Type.Object({ id: Type.String() }),
  body: PodUse,
  replies: { 200: { description: 'What it uses while it runs.', schema: PodUse } },
  handle: ({ world, params, body }) => ok(setPodUse(world, params.id, body).use),
})
