/** Batches at the request address: collected as drafts, then queued together. */
import * as Type from '@sinclair/typebox'
import {
  addRequests,
  cancelBatch,
  createBatch,
  finalizeBatch,
  removeRequest,
  renameBatch,
  requireBatch,
} from '../../domain/serverless/batches.ts'
import { requireQueue } from '../../domain/serverless/submit.ts'
import type { Batch } from '../../model/batch.ts'
import type { World } from '../../world/world.ts'
import { defineOperation, type Method, type Operation } from '../http/operation.ts'
import { ok } from '../http/reply.ts'
import { toBatch, toRequestPage } from './batch-render.ts'
import {
  AttributesBody,
  BatchBody,
  PageQuery,
  RequestsBody,
  requireSmall,
  toSubmissions,
} from './batch-schemas.ts'

const tag = 'batches'
const OfEndpoint = Type.Object({ endpointId: Type.String() })
const OfBatch = Type.Object({ endpointId: Type.String(), batchId: Type.String() })
const OfRequest = Type.Object({ ...OfBatch.properties, requestId: Type.String() })
const Identified = Type.Object({ id: Type.String() })
const oneBatch = { 200: { description: 'The batch.', schema: Identified } }
const base = '/v2/{endpointId}/batch'

export function batchOperations(): Operation[] {
  return [createOperation(), ...readOperations(), ...draftOperations(), ...stepOperations()]
}

function createOperation(): Operation {
  return defineOperation({
    name: 'createBatch',
    method: 'POST',
    path: base,
    summary: 'Makes a draft of a batch, with or without requests.',
    tag,
    needs: 'write',
    params: OfEndpoint,
    body: BatchBody,
    replies: oneBatch,
    handle: ({ world, params, body, text }) => {
      requireSmall(text)
      const submissions = toSubmissions(body, world.settings.fidelity)
      const { id, status } = createBatch(world, params.endpointId, submissions)
      return ok({ id, status })
    },
  })
}

function readOperations(): Operation[] {
  const shared = { method: 'GET', tag, needs: 'read' } as const
  return [
    defineOperation({
      ...shared,
      name: 'listBatches',
      path: base,
      summary: 'The batches of an endpoint, the newest first.',
      params: OfEndpoint,
      replies: { 200: { description: 'Batches.' } },
      handle: ({ world, params: { endpointId } }) => {
        requireQueue(world, endpointId)
        const batches = world.batches.where((batch) => batch.endpointId === endpointId)
        return ok({ batches: batches.reverse().map((batch) => toBatch(world, batch)) })
      },
    }),
    onBatch(
      { ...shared, name: 'getBatch', path: '', summary: 'A batch and its counts.' },
      (_, b) => b,
    ),
    defineOperation({
      ...shared,
      name: 'listBatchRequests',
      path: `${base}/{batchId}/requests`,
      summary: 'The requests of a batch: failed ones, then those that run, wait, and are done.',
      params: OfBatch,
      query: PageQuery,
      replies: { 200: { description: 'One page of requests.' } },
      handle: ({ world, params, query }) => {
        const batch = requireBatch(world, params.endpointId, params.batchId)
        return ok(toRequestPage(world, batch, query))
      },
    }),
  ]
}

function draftOperations(): Operation[] {
  const shared = { tag, needs: 'write', replies: oneBatch } as const
  return [
    defineOperation({
      ...shared,
      name: 'updateBatch',
      method: 'PUT',
      path: `${base}/{batchId}`,
      summary: 'Names a batch.',
      params: OfBatch,
      body: AttributesBody,
      handle: ({ world, params, body }) => {
        const batch = requireBatch(world, params.endpointId, params.batchId)
        return ok(toBatch(world, renameBatch(world, batch, body.name)))
      },
    }),
    defineOperation({
      ...shared,
      name: 'addBatchRequests',
      method: 'POST',
      path: `${base}/{batchId}/requests`,
      summary: 'Adds requests to a draft.',
      params: OfBatch,
      body: RequestsBody,
      handle: ({ world, params, body, text }) => {
        requireSmall(text)
        const batch = requireBatch(world, params.endpointId, params.batchId)
        const submissions = toSubmissions(body.requests, world.settings.fidelity)
        return ok(toBatch(world, addRequests(world, batch, submissions)))
      },
    }),
    defineOperation({
      ...shared,
      name: 'removeBatchRequest',
      method: 'DELETE',
      path: `${base}/{batchId}/requests/{requestId}`,
      summary: 'Takes a request out of a draft.',
      params: OfRequest,
      handle: ({ world, params }) => {
        const batch = requireBatch(world, params.endpointId, params.batchId)
        return ok(toBatch(world, removeRequest(world, batch, params.requestId)))
      },
    }),
  ]
}

function stepOperations(): Operation[] {
  const shared = { method: 'POST', tag, needs: 'write' } as const
  const summaries = {
    finalize: 'Locks a draft and puts its requests in the queue.',
    cancel: 'Ends what waits; what runs may finish.',
  }
  return [
    onBatch(
      { ...shared, name: 'finalizeBatch', path: '/finalize', summary: summaries.finalize },
      finalizeBatch,
    ),
    onBatch(
      { ...shared, name: 'cancelBatch', path: '/cancel', summary: summaries.cancel },
      cancelBatch,
    ),
  ]
}

interface BatchDefinition {
  readonly name: string
  readonly method: Method
  /** Below the batch's own address. */
  readonly path: string
  readonly summary: string
  readonly tag: string
  readonly needs: 'read' | 'write'
}

/** An operation that takes nothing but the batch. */
function onBatch(
  definition: BatchDefinition,
  change: (world: World, batch: Batch) => Batch,
): Operation {
  return defineOperation({
    ...definition,
    path: `${base}/{batchId}${definition.path}`,
    params: OfBatch,
    replies: oneBatch,
    handle: ({ world, params }) => {
      const batch = requireBatch(world, params.endpointId, params.batchId)
      return ok(toBatch(world, change(world, batch)))
    },
  })
}
