/** Builds of an endpoint as REST v2 spells them. */
import * as Type from '@sinclair/typebox'
import { type Build, buildStatuses, isOver } from '../../model/build.ts'
import { notFound } from '../../model/errors.ts'
import { OneOf } from '../../model/schema.ts'
import type { World } from '../../world/world.ts'
import { defineOperation, type Operation } from '../http/operation.ts'
import { ok, toIso } from '../http/reply.ts'
import { logOperation } from './logs.ts'
import { PageQuery, Pagination, pageOf } from './pages.ts'
import { readReplies } from './replies.ts'

const tag = 'serverless'
const endpointParam = 'id'
const Text = Type.Optional(Type.String())
const Instant = Type.Optional(Type.String({ format: 'date-time' }))
// Spec: pages of builds are shorter than others.
const defaultLimit = 100
const BuildPageQuery = Type.Composite([
  Type.Omit(PageQuery, ['limit']),
  Type.Object({ limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 100 })) }),
])

/** Spec: what is not known, or not there yet, is left out. */
const BuildReply = Type.Object({
  id: Type.String(),
  status: OneOf(buildStatuses),
  commitHash: Text,
  commitMessage: Text,
  branch: Text,
  commitDate: Instant,
  imageName: Text,
  startedAt: Instant,
  completedAt: Instant,
  error: Text,
})
const List = Type.Object({ builds: Type.Array(BuildReply), pagination: Pagination })

export const buildOperations: readonly Operation[] = [
  defineOperation({
    name: 'listEndpointBuilds',
    method: 'GET',
    path: '/v2/serverless/{id}/builds',
    summary: "Builds of an endpoint's repository, newest first.",
    tag,
    needs: 'read',
    endpointParam,
    params: Type.Object({ id: Type.String() }),
    query: BuildPageQuery,
    replies: readReplies('Builds.', List),
    handle: ({ world, params, query: { cursor, limit = defaultLimit } }) => {
      const { id } = world.endpoints.requireListed(params.id)
      const wish = { ...(cursor && { cursor }), limit }
      const page = pageOf(`listEndpointBuilds ${id}`, world.builds, wish, id)
      return ok({ builds: page.items.map(toBuildV2), pagination: page.pagination })
    },
  }),
  defineOperation({
    name: 'getEndpointBuild',
    method: 'GET',
    path: '/v2/serverless/{id}/builds/{buildId}',
    summary: 'One build.',
    tag,
    needs: 'read',
    endpointParam,
    params: Type.Object({ id: Type.String(), buildId: Type.String() }),
    replies: readReplies('The build.', BuildReply),
    handle: ({ world, params }) => ok(toBuildV2(requireBuild(world, params.id, params.buildId))),
  }),
  logOperation({
    name: 'getBuildLogs',
    path: '/v2/serverless/{id}/builds/{buildId}/logs',
    summary: 'The lines of a build, as events, until it is over.',
    tag,
    endpointParam,
    ownerOf: (world, { id = '', buildId = '' }) => requireBuild(world, id, buildId).id,
    isOver: (world, { buildId = '' }) => isOver(world.builds.require(buildId).status),
  }),
]

function requireBuild(world: World, endpointId: string, buildId: string): Build {
  world.endpoints.requireListed(endpointId)
  const build = world.builds.require(buildId)
  if (build.endpointId !== endpointId) throw notFound('build', buildId)
  return build
}

function toBuildV2({ id, status, commit, image, startedAtMs, endedAtMs, error }: Build) {
  return {
    id,
    status,
    ...(commit.hash === null ? {} : { commitHash: commit.hash }),
    ...(commit.message === null ? {} : { commitMessage: commit.message }),
    ...(commit.branch === null ? {} : { branch: commit.branch }),
    ...(commit.atMs === null ? {} : { commitDate: toIso(commit.atMs) }),
    ...(image === null ? {} : { imageName: image }),
    ...(startedAtMs === null ? {} : { startedAt: toIso(startedAtMs) }),
    ...(endedAtMs === null ? {} : { completedAt: toIso(endedAtMs) }),
    ...(error === null ? {} : { error }),
  }
}
