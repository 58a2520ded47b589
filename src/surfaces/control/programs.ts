/** The control API on worker programs: what one needs to join an endpoint, and when its code is new. */
import * as Type from '@sinclair/typebox'
import { releaseProgram } from '../../domain/endpoints.ts'
import { requireQueue } from '../../domain/serverless/submit.ts'
import { defineOperation, type Operation } from '../http/operation.ts'
import { ok } from '../http/reply.ts'
import type { Controls } from './controls.ts'

const tag = 'workers'
const Endpoint = Type.Object({ endpointId: Type.String() })
const WorkerQuery = Type.Object({
  worker: Type.Optional(
    Type.String({ pattern: '^[a-z0-9][a-z0-9-]*$', description: 'The name it joins by.' }),
  ),
})
const ReleaseBody = Type.Object(
  { change: Type.Optional(Type.String({ description: 'What is new, in words.' })) },
  { additionalProperties: false },
)

export function programOperations(controls: Controls): Operation[] {
  return [getEnvironment(controls), release]
}

function getEnvironment(controls: Controls): Operation {
  return defineOperation({
    name: 'getWorkerEnvironment',
    method: 'GET',
    path: '/_emulator/endpoints/{endpointId}/worker-env',
    summary: 'The variables with which a program that somebody starts joins as a worker.',
    tag,
    needs: 'nothing',
    params: Endpoint,
    query: WorkerQuery,
    replies: { 200: { description: 'Variables by name.' } },
    handle: ({ world, params: { endpointId }, query, origin }) => {
      requireQueue(world, endpointId)
      const workerId = query.worker ?? freeName((id) => world.workers.find(id) !== undefined)
      return ok({
        workerId,
        variables: controls.workerEnvironment(world, endpointId, workerId, origin),
      })
    },
  })
}

const release = defineOperation({
  name: 'releaseEndpoint',
  method: 'POST',
  path: '/_emulator/endpoints/{endpointId}/release',
  summary: 'The program of the workers has changed: a new version replaces them.',
  tag,
  needs: 'nothing',
  params: Endpoint,
  body: ReleaseBody,
  bodyRequired: false,
  replies: { 200: { description: 'The new version.' } },
  handle: ({ world, params: { endpointId }, body }) => {
    const change = { field: 'program', old: null, new: body?.change ?? 'changed' }
    const { version } = releaseProgram(world, endpointId, change)
    return ok({ endpointId, version })
  },
})

/** The first of `attached-1`, `attached-2`, ... that no worker has. */
function freeName(isTaken: (id: string) => boolean): string {
  for (let number = 1; ; number++) {
    const name = `attached-${number}`
    if (!isTaken(name)) return name
  }
}
