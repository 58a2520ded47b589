/** Pods as REST v2 spells them: nested compute, enum actions, wrapped lists. */
import * as Type from '@sinclair/typebox'
import { applyPodAction, createPod, updatePod } from '../../domain/pods.ts'
import { defineOperation, type Operation } from '../http/operation.ts'
import { created, noContent, ok } from '../http/reply.ts'
import { logOperation } from './logs.ts'
import { PageQuery, Pagination, pageOf } from './pages.ts'
import { toPodSpec, toUpdatedSpec } from './pod-input.ts'
import { toPodV2 } from './pod-render.ts'
import { CreatePodBody, PodActionBody, PodReply, UpdatePodBody } from './pod-schemas.ts'
import { readReplies, writeReplies } from './replies.ts'

const tag = 'pods'
const one = Type.Object({ id: Type.String() })
const PodList = Type.Object({ pods: Type.Array(PodReply), pagination: Pagination })

export const podOperations: readonly Operation[] = [
  defineOperation({
    name: 'listPods',
    method: 'GET',
    path: '/v2/pods',
    summary: 'Pods of the account, newest first.',
    tag,
    needs: 'read',
    query: Type.Composite([
      PageQuery,
      Type.Object({ includeClusterPods: Type.Optional(Type.Boolean({ default: false })) }),
    ]),
    replies: readReplies('Pods.', PodList),
    handle: ({ world, query }) => {
      const list = query.includeClusterPods ? 'listPods of clusters too' : 'listPods'
      const { items, pagination } = pageOf(list, world.pods, query)
      // Spec: members of clusters are left out after the page is cut, so a page may be short.
      const pods = items.filter(({ cluster }) => query.includeClusterPods || cluster === null)
      return ok({ pods: pods.map((pod) => toPodV2(pod, world.nowMs)), pagination })
    },
  }),
  defineOperation({
    name: 'createPod',
    method: 'POST',
    path: '/v2/pods',
    summary: 'Rents a machine and starts a container on it.',
    tag,
    needs: 'write',
    body: CreatePodBody,
    replies: writeReplies(201, 'The new pod.', PodReply),
    handle: ({ world, body }) => {
      const pod = createPod(world, toPodSpec(world, body))
      return created(toPodV2(pod, world.nowMs))
    },
  }),
  defineOperation({
    name: 'getPod',
    method: 'GET',
    path: '/v2/pods/{id}',
    summary: 'One pod.',
    tag,
    needs: 'read',
    params: one,
    replies: readReplies('The pod.', PodReply),
    handle: ({ world, params }) => ok(toPodV2(world.pods.require(params.id), world.nowMs)),
  }),
  defineOperation({
    name: 'updatePod',
    method: 'PATCH',
    path: '/v2/pods/{id}',
    summary: 'Changes a pod; what its container is made from makes it anew.',
    tag,
    needs: 'write',
    params: one,
    body: UpdatePodBody,
    replies: writeReplies(200, 'The pod as it is now.', PodReply),
    handle: ({ world, params, body }) => {
      const { spec } = world.pods.require(params.id)
      const pod = updatePod(world, params.id, toUpdatedSpec(world, spec, body))
      return ok(toPodV2(pod, world.nowMs))
    },
  }),
  defineOperation({
    name: 'deletePod',
    method: 'DELETE',
    path: '/v2/pods/{id}',
    summary: 'Ends a pod and destroys its disk.',
    tag,
    needs: 'write',
    params: one,
    replies: writeReplies(204, 'Gone.'),
    handle: ({ world, params }) => {
      applyPodAction(world, params.id, 'terminate')
      return noContent()
    },
  }),
  defineOperation({
    name: 'podAction',
    method: 'POST',
    path: '/v2/pods/{id}/action',
    summary: 'Starts, stops, restarts or ends a pod, where its status allows it.',
    tag,
    needs: 'write',
    params: one,
    body: PodActionBody,
    replies: {
      ...writeReplies(200, 'The pod as it is now.', PodReply),
      204: { description: 'Gone.' },
    },
    handle: ({ world, params, body }) => {
      const pod = applyPodAction(world, params.id, body.action)
      return body.action === 'terminate' ? noContent() : ok(toPodV2(pod, world.nowMs))
    },
  }),
  logOperation({
    name: 'getPodLogs',
    path: '/v2/pods/{id}/logs',
    summary: 'The lines of a pod, as events, for as long as it lives.',
    tag,
    ownerOf: (world, { id }) => world.pods.require(id ?? '').id,
  }),
]
