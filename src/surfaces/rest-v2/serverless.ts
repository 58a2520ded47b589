/** Endpoints and their workers as REST v2 spells them. */
import * as Type from '@sinclair/typebox'
import { createEndpoint, deleteEndpoint, updateEndpoint } from '../../domain/endpoints.ts'
import { notFound } from '../../model/errors.ts'
import { defineOperation, type Operation } from '../http/operation.ts'
import { created, noContent, ok } from '../http/reply.ts'
import { logOperation } from './logs.ts'
import { PageQuery, Pagination, pageOf } from './pages.ts'
import { readReplies, writeReplies } from './replies.ts'
import { toEndpointSpec, toUpdatedSpec } from './serverless-input.ts'
import { toEndpointV2, toWorkerList } from './serverless-render.ts'
import {
  CreateEndpointBody,
  EndpointReply,
  UpdateEndpointBody,
  WorkerListReply,
} from './serverless-schemas.ts'

const tag = 'serverless'
const one = Type.Object({ id: Type.String() })
// A key may be restricted to some endpoints.
const endpointParam = 'id'
const EndpointList = Type.Object({ endpoints: Type.Array(EndpointReply), pagination: Pagination })

export const serverlessOperations: readonly Operation[] = [
  defineOperation({
    name: 'listEndpoints',
    method: 'GET',
    path: '/v2/serverless',
    summary: 'Endpoints of the account, newest first.',
    tag,
    needs: 'read',
    query: PageQuery,
    replies: readReplies('Endpoints.', EndpointList),
    handle: ({ world, query, origin }) => {
      const page = pageOf('listEndpoints', world.endpoints, query)
      const endpoints = page.items.map((endpoint) => toEndpointV2(world, endpoint, origin))
      return ok({ endpoints, pagination: page.pagination })
    },
  }),
  defineOperation({
    name: 'createEndpoint',
    method: 'POST',
    path: '/v2/serverless',
    summary: 'Makes an endpoint; its workers come with its jobs.',
    tag,
    needs: 'write',
    body: CreateEndpointBody,
    replies: writeReplies(201, 'The new endpoint.', EndpointReply),
    handle: ({ world, body, origin }) => {
      const endpoint = createEndpoint(world, toEndpointSpec(world, body))
      return created(toEndpointV2(world, endpoint, origin))
    },
  }),
  defineOperation({
    name: 'getEndpoint',
    method: 'GET',
    path: '/v2/serverless/{id}',
    summary: 'One endpoint.',
    tag,
    needs: 'read',
    params: one,
    endpointParam,
    replies: readReplies('The endpoint.', EndpointReply),
    handle: ({ world, params, origin }) =>
      ok(toEndpointV2(world, world.endpoints.requireListed(params.id), origin)),
  }),
  defineOperation({
    name: 'updateEndpoint',
    method: 'PATCH',
    path: '/v2/serverless/{id}',
    summary: 'Changes an endpoint; what workers are made from rolls them over.',
    tag,
    needs: 'write',
    params: one,
    endpointParam,
    body: UpdateEndpointBody,
    replies: writeReplies(200, 'The endpoint as it is now.', EndpointReply),
    handle: ({ world, params, body, origin }) => {
      const { spec } = world.endpoints.requireListed(params.id)
      const changedSpec = toUpdatedSpec(world, spec, body)
      const endpoint = updateEndpoint(world, params.id, changedSpec)
      return ok(toEndpointV2(world, endpoint, origin))
    },
  }),
  defineOperation({
    name: 'deleteEndpoint',
    method: 'DELETE',
    path: '/v2/serverless/{id}',
    summary: 'Ends an endpoint, its workers and its jobs.',
    tag,
    needs: 'write',
    params: one,
    endpointParam,
    replies: writeReplies(204, 'Gone.'),
    handle: ({ world, params }) => {
      deleteEndpoint(world, params.id)
      return noContent()
    },
  }),
  defineOperation({
    name: 'listEndpointWorkers',
    method: 'GET',
    path: '/v2/serverless/{id}/workers',
    summary: 'Workers of an endpoint, and how many there are of each status.',
    tag,
    needs: 'read',
    params: one,
    endpointParam,
    replies: readReplies('Workers.', WorkerListReply),
    handle: ({ world, params }) =>
      ok(toWorkerList(world, world.endpoints.requireListed(params.id))),
  }),
  logOperation({
    name: 'getWorkerLogs',
    path: '/v2/serverless/{id}/workers/{workerId}/logs',
    summary: 'The lines of a worker, as events, for as long as it lives.',
    tag,
    endpointParam,
    ownerOf: (world, { id: endpointId = '', workerId = '' }) => {
      world.endpoints.requireListed(endpointId)
      const worker = world.workers.require(workerId)
      if (worker.endpointId !== endpointId) throw notFound('worker', workerId)
      return worker.id
    },
  }),
]
