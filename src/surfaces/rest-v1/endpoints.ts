/** Serverless endpoints as REST v1 spells them: one flat object, linked to its template. */
import * as Type from '@sinclair/typebox'
import { createEndpoint, deleteEndpoint, updateEndpoint } from '../../domain/endpoints.ts'
import { defineOperation, type Operation } from '../http/operation.ts'
import { noContent, ok } from '../http/reply.ts'
import { succeededBy } from '../http/successor.ts'
import { EndpointV1, toEndpointV1 } from './endpoint-replies.ts'
import {
  CreateEndpointRequest,
  toChangedEndpointSpec,
  toEndpointSpec,
  UpdateEndpointRequest,
} from './endpoint-requests.ts'
import { refusals, refusalsOfOne } from './errors.ts'
import { withPostForm } from './post-form.ts'

const tag = 'endpoints'
const path = '/v1/endpoints'
const onePath = '/v1/endpoints/{endpointId}'
const params = Type.Object({ endpointId: Type.String() })
const endpointReply = {
  200: { description: 'The endpoint.', schema: EndpointV1 },
  ...refusalsOfOne,
}
const IncludeQuery = Type.Object({
  includeTemplate: Type.Boolean({ default: false }),
  includeWorkers: Type.Boolean({ default: false }),
})

export const endpointOperations: readonly Operation[] = [
  defineOperation({
    name: 'CreateEndpoint',
    method: 'POST',
    path,
    summary: 'Create a queue endpoint from a serverless template',
    tag,
    needs: 'write',
    body: CreateEndpointRequest,
    replies: endpointReply,
    successor: succeededBy(
      'POST /v2/serverless createEndpoint',
      'nested gpu, workers and scaling; pools',
    ),
    handle: ({ world, body }) =>
      ok(toEndpointV1(world, createEndpoint(world, toEndpointSpec(world, body)))),
  }),
  defineOperation({
    name: 'ListEndpoints',
    method: 'GET',
    path,
    summary: 'List endpoints',
    tag,
    needs: 'read',
    query: IncludeQuery,
    replies: {
      200: { description: 'The endpoints.', schema: Type.Array(EndpointV1) },
      ...refusals,
    },
    successor: succeededBy('GET /v2/serverless listEndpoints', 'wrapped in {endpoints}'),
    handle: ({ world, query }) =>
      ok(world.endpoints.all().map((endpoint) => toEndpointV1(world, endpoint, query))),
  }),
  defineOperation({
    name: 'GetEndpoint',
    method: 'GET',
    path: onePath,
    summary: 'Find an endpoint by its id',
    tag,
    needs: 'read',
    params,
    query: IncludeQuery,
    replies: endpointReply,
    successor: succeededBy('GET /v2/serverless/{id} getEndpoint'),
    handle: ({ world, params: { endpointId }, query }) =>
      ok(toEndpointV1(world, world.endpoints.requireListed(endpointId), query)),
  }),
  ...withPostForm(
    defineOperation({
      name: 'UpdateEndpoint',
      method: 'PATCH',
      path: onePath,
      summary: 'Change an endpoint; what its workers are made from makes a new version of it',
      tag,
      needs: 'write',
      params,
      body: UpdateEndpointRequest,
      replies: endpointReply,
      successor: succeededBy('PATCH /v2/serverless/{id} updateEndpoint'),
      handle: ({ world, params: { endpointId }, body }) => {
        const { spec } = world.endpoints.requireListed(endpointId)
        const changed = toChangedEndpointSpec(world, spec, body)
        return ok(toEndpointV1(world, updateEndpoint(world, endpointId, changed)))
      },
    }),
  ),
  defineOperation({
    name: 'DeleteEndpoint',
    method: 'DELETE',
    path: onePath,
    summary: 'Delete an endpoint with its jobs and workers',
    tag,
    needs: 'write',
    params,
    replies: { 204: { description: 'The endpoint is gone.' }, ...refusalsOfOne },
    successor: succeededBy('DELETE /v2/serverless/{id} deleteEndpoint'),
    handle: ({ world, params: { endpointId } }) => {
      deleteEndpoint(world, endpointId)
      return noContent()
    },
  }),
]
