/** `/metrics`: how many workers there are, and which of them are ready. No document describes it. */
import type { World } from '../../world/world.ts'
import { defineOperation, type Operation } from '../http/operation.ts'
import { ok } from '../http/reply.ts'
import { toHealth } from './render.ts'

export function metricsOperations(): Operation[] {
  return [
    defineOperation({
      name: 'metrics',
      method: 'GET',
      path: '/v2/{endpointId}/metrics',
      summary: 'How many workers there are, and which are ready.',
      tag: 'jobs',
      needs: 'read',
      replies: { 200: { description: 'Counts of workers, and ids of those that are ready.' } },
      handle: ({ world, params: { endpointId = '' } }) => {
        world.endpoints.require(endpointId)
        const { workers } = toHealth(world, endpointId)
        return ok({ readyWorkers: readyWorkers(world, endpointId), workers })
      },
    }),
  ]
}

/** Assumed: those that `ready` counts, in the order they came. */
function readyWorkers(world: World, endpointId: string): string[] {
  return [...world.queues.of(endpointId).workerIds].filter((id) => {
    const status = world.workers.find(id)?.status
    return status === 'IDLE' || status === 'PARKED'
  })
}
