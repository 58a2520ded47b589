/**
 * What somebody does in the cloud's console when a stopped pod finds no GPU: no API of the cloud has
 * it, so whoever wants to rehearse it says so here.
 */
import * as Type from '@sinclair/typebox'
import { cancelMigration, migratePod } from '../../domain/pod-migration.ts'
import { defineOperation } from '../http/operation.ts'
import { created, noContent } from '../http/reply.ts'

const shared = {
  path: '/_emulator/pods/{id}/migration',
  tag: 'outside',
  needs: 'nothing',
  params: Type.Object({ id: Type.String() }),
} as const

const startMigration = defineOperation({
  ...shared,
  name: 'migratePod',
  method: 'POST',
  summary: 'Migrates a stopped pod, as the console does: a new pod gets its data.',
  replies: {
    201: {
      description: 'The new pod.',
      schema: Type.Object({ podId: Type.String(), status: Type.String() }),
    },
  },
  handle: ({ world, params }) => {
    const { id, status } = migratePod(world, params.id)
    return created({ podId: id, status })
  },
})

const endMigration = defineOperation({
  ...shared,
  name: 'cancelPodMigration',
  method: 'DELETE',
  summary: 'Cancels the migration of a pod: the new one is terminated.',
  replies: { 204: { description: 'The pod is as it was.' } },
  handle: ({ world, params }) => {
    cancelMigration(world, params.id)
    return noContent()
  },
})

export const podMigrationOperations = [startMigration, endMigration]
