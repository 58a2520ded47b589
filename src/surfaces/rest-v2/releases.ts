/** Releases of an endpoint as REST v2 spells them. */
import * as Type from '@sinclair/typebox'
import type { Release } from '../../model/release.ts'
import { OneOf, OrNull } from '../../model/schema.ts'
import type { World } from '../../world/world.ts'
import { defineOperation, type Operation } from '../http/operation.ts'
import { ok, toIso } from '../http/reply.ts'
import { PageQuery, Pagination, pageOf } from './pages.ts'
import { readReplies } from './replies.ts'

const Count = Type.Integer({ minimum: 0 })

const ReleaseList = Type.Object({
  endpointVersion: OrNull(Type.Integer()),
  rollout: Type.Object({
    inProgress: Type.Boolean(),
    workersOnLatest: Count,
    workersTotal: Count,
    percentOnLatest: Type.Integer({ minimum: 0, maximum: 100 }),
  }),
  releases: Type.Array(
    Type.Object({
      id: Type.String(),
      version: OrNull(Type.Integer()),
      source: OneOf(['GIT_BUILD', 'MANUAL']),
      buildId: OrNull(Type.String()),
      createdByUserId: OrNull(Type.String()),
      workerCount: Count,
      createdAt: Type.String({ format: 'date-time' }),
      diff: Type.Array(
        Type.Object({ field: Type.String(), old: Type.Unknown(), new: Type.Unknown() }),
      ),
    }),
  ),
  pagination: Pagination,
})

export const releaseOperations: readonly Operation[] = [
  defineOperation({
    name: 'listEndpointReleases',
    method: 'GET',
    path: '/v2/serverless/{id}/releases',
    summary: 'What changed from version to version, and how far the present one is rolled out.',
    tag: 'serverless',
    needs: 'read',
    endpointParam: 'id',
    params: Type.Object({ id: Type.String() }),
    query: PageQuery,
    replies: readReplies('Releases, newest first.', ReleaseList),
    handle: ({ world, params, query }) => {
      const { id, version } = world.endpoints.requireListed(params.id)
      const list = `listEndpointReleases ${id}`
      const { items, pagination } = pageOf(list, world.releases, query, id)
      const releases = items.map((release) => toRelease(world, release))
      return ok({ endpointVersion: version, rollout: toRollout(world, id), releases, pagination })
    },
  }),
]

function toRelease(world: World, release: Release) {
  const { id, endpointId, version, buildId, createdAtMs, changes } = release
  return {
    id,
    version,
    source: buildId === null ? 'MANUAL' : 'GIT_BUILD',
    buildId,
    createdByUserId: world.account.id,
    workerCount: versionsOf(world, endpointId).filter((other) => other === version).length,
    createdAt: toIso(createdAtMs),
    diff: changes,
  }
}

/** Spec: always of the present, whatever page is asked for. */
function toRollout(world: World, endpointId: string) {
  const { version } = world.endpoints.requireListed(endpointId)
  const versions = versionsOf(world, endpointId)
  const workersOnLatest = versions.filter((other) => other === version).length
  const workersTotal = versions.length
  return {
    inProgress: workersOnLatest < workersTotal,
    workersOnLatest,
    workersTotal,
    percentOnLatest: workersTotal === 0 ? 0 : Math.round((workersOnLatest / workersTotal) * 100),
  }
}

function versionsOf(world: World, endpointId: string): number[] {
  return world.queues.workersOf(endpointId).map(({ version }) => version)
}
