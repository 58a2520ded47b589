/** Pods as REST v1 spells them: one flat object, a path for each action, bare lists. */
import type { Static } from '@sinclair/typebox'
import * as Type from '@sinclair/typebox'
import { applyPodAction, createPod, resetPod, updatePod } from '../../domain/pods.ts'
import type { Pod } from '../../model/pod.ts'
import type { World } from '../../world/world.ts'
import { defineOperation, type Operation } from '../http/operation.ts'
import { created, noContent, ok } from '../http/reply.ts'
import { noSuccessor, type Successor, succeededBy } from '../http/successor.ts'
import { refusals, refusalsOfOne, refusalsOfRent } from './errors.ts'
import { podFilters, podPasses, workerPasses } from './pod-filters.ts'
import { includeFlags, PodV1, toPodV1, toWorkerV1 } from './pod-replies.ts'
import { CreatePodRequest, toChangedPodSpec, toPodSpec, UpdatePodRequest } from './pod-requests.ts'
import { withPostForm } from './post-form.ts'

const tag = 'pods'
const path = '/v1/pods'
const onePath = '/v1/pods/{podId}'
const params = Type.Object({ podId: Type.String() })
const podReply = { 200: { description: 'The pod.', schema: PodV1 }, ...refusalsOfOne }

const GetQuery = Type.Object({
  ...includeFlags,
  includeWorkers: Type.Boolean({ default: false }),
})

const ListQuery = Type.Object({ ...GetQuery.properties, ...podFilters })

export const podOperations: readonly Operation[] = [
  defineOperation({
    name: 'CreatePod',
    method: 'POST',
    path,
    summary: 'Create a pod',
    tag,
    needs: 'write',
    body: CreatePodRequest,
    replies: { 201: { description: 'The new pod.', schema: PodV1 }, ...refusalsOfRent },
    successor: succeededBy(
      'POST /v2/pods createPod',
      'one GPU type, not a list; gpu, cpu and mounts are objects',
    ),
    handle: ({ world, body }) => created(toPodV1(world, createPod(world, toPodSpec(world, body)))),
  }),
  defineOperation({
    name: 'ListPods',
    method: 'GET',
    path,
    summary: 'List pods',
    tag,
    needs: 'read',
    query: ListQuery,
    replies: { 200: { description: 'The pods.', schema: Type.Array(PodV1) }, ...refusals },
    successor: succeededBy('GET /v2/pods listPods', 'wrapped in {pods}; status, not desiredStatus'),
    handle: ({ world, query }) => ok(listPods(world, query)),
  }),
  defineOperation({
    name: 'GetPod',
    method: 'GET',
    path: onePath,
    summary: 'Find a pod by its id',
    tag,
    needs: 'read',
    params,
    query: GetQuery,
    replies: podReply,
    successor: succeededBy('GET /v2/pods/{id} getPod', 'status, not desiredStatus'),
    handle: ({ world, params: { podId }, query }) => {
      const worker = query.includeWorkers ? world.workers.find(podId) : undefined
      if (worker !== undefined) return ok(toWorkerV1(world, worker, query))
      return ok(toPodV1(world, world.pods.require(podId), query))
    },
  }),
  ...withPostForm(
    defineOperation({
      name: 'UpdatePod',
      method: 'PATCH',
      path: onePath,
      summary: 'Change a pod; all but its name and lock make its container anew',
      tag,
      needs: 'write',
      params,
      body: UpdatePodRequest,
      replies: podReply,
      successor: succeededBy('PATCH /v2/pods/{id} updatePod'),
      handle: ({ world, params: { podId }, body }) => {
        const { spec } = world.pods.require(podId)
        return ok(toPodV1(world, updatePod(world, podId, toChangedPodSpec(spec, body))))
      },
    }),
  ),
  defineOperation({
    name: 'DeletePod',
    method: 'DELETE',
    path: onePath,
    summary: 'Delete a pod and its volume disk',
    tag,
    needs: 'write',
    params,
    replies: { 204: { description: 'The pod is gone.' }, ...refusalsOfOne },
    successor: succeededBy('DELETE /v2/pods/{id} deletePod'),
    handle: ({ world, params: { podId } }) => {
      applyPodAction(world, podId, 'terminate')
      return noContent()
    },
  }),
  defineAction('StartPod', 'start', 'Start a stopped pod'),
  defineAction('StopPod', 'stop', 'Stop a pod: its GPUs are released, its volume disk is kept'),
  defineAction('ResetPod', 'reset', 'Make the container anew and keep the volume disk'),
  defineAction('RestartPod', 'restart', 'Restart a pod'),
]

function defineAction(
  name: string,
  action: 'start' | 'stop' | 'restart' | 'reset',
  summary: string,
): Operation {
  const act = (world: World, podId: string): Pod =>
    action === 'reset' ? resetPod(world, podId) : applyPodAction(world, podId, action)
  return defineOperation({
    name,
    method: 'POST',
    path: `${onePath}/${action}`,
    summary,
    tag,
    needs: 'write',
    params,
    // Observed: clients read the pod from each of these, also where the documents show no body.
    replies: { ...podReply, ...(action === 'start' ? refusalsOfRent : {}) },
    successor: successorOf(action),
    handle: ({ world, params: { podId } }) => ok(toPodV1(world, act(world, podId))),
  })
}

/** Spec: v2 has one operation for all actions, and reset is not among them. */
function successorOf(action: string): Successor {
  if (action === 'reset') return noSuccessor('v2 has no reset; stop and start the pod')
  return succeededBy('POST /v2/pods/{id}/action podAction', `with {"action": "${action}"}`)
}

function listPods(world: World, query: Static<typeof ListQuery>) {
  const pods = world.pods.where((pod) => podPasses(pod, query))
  const workers = query.includeWorkers
    ? world.workers.where((worker) => workerPasses(world, worker, query))
    : []
  return [
    ...pods.map((pod) => toPodV1(world, pod, query)),
    ...workers.map((worker) => toWorkerV1(world, worker, query)),
  ]
}
