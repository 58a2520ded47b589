/** Pods as GraphQL asks for them: rented, stopped, resumed, changed, terminated. */
import { changed } from '../../domain/containers.ts'
import {
  applyPodAction,
  createPod,
  resetPod,
  resumePod,
  stopPod,
  updatePod,
} from '../../domain/pods.ts'
import { CloudError, noCapacity, ruleViolation } from '../../model/errors.ts'
import { type Pod, PodSpec } from '../../model/pod.ts'
import type { World } from '../../world/world.ts'
import { validate } from '../http/validate.ts'
import { type Caller, requireRight } from './caller.ts'
import { type ContainerInput, toContainerChanges } from './containers.ts'
import { refuseUnemulated, said, saidList, type Wire } from './inputs.ts'
import { type PodInput, toCpuCompute, toGpuCompute, toPodSpec } from './pod-input.ts'
import { toPod } from './pod-view.ts'
import { defaultMountPath } from './templates.ts'

interface ResumeInput {
  readonly podId: string
  readonly gpuCount?: Wire<number>
  readonly allowedCudaVersions?: Wire<readonly Wire<string>[]>
  readonly computeType?: Wire<'CPU' | 'GPU'>
  readonly bidPerGpu?: Wire<number>
}

interface EditInput extends ContainerInput {
  readonly podId: string
  readonly volumeInGb?: Wire<number>
  readonly volumeMountPath?: Wire<string>
}

interface PodArgs {
  readonly input: { readonly podId: string }
}

interface StopArgs {
  readonly input: { readonly podId: string; readonly incrementVersion?: Wire<boolean> }
}

export const podQueries = {
  pod({ input }: { input?: Wire<{ podId: string }> }, caller: Caller) {
    const { world, access } = caller
    if (access.anonymous) return null
    requireRight(caller, 'read')
    const pod = world.pods.find(input?.podId ?? '')
    return pod === undefined ? null : toPod(pod)
  },
}

export const podMutations = {
  podFindAndDeployOnDemand({ input }: { input: Wire<PodInput> }, { world }: Caller) {
    const wish = input ?? {}
    const compute =
      wish.computeType === 'CPU'
        ? toCpuCompute(world, saidList(wish.instanceIds))
        : toGpuCompute(wish)
    return toPod(createPod(world, toPodSpec(world, wish, compute)))
  },

  podRentInterruptable(
    { input }: { input: PodInput & { bidPerGpu?: Wire<number> } },
    { world }: Caller,
  ) {
    const spec = toPodSpec(world, input, toGpuCompute(input))
    const bidPerGpuUsd = said(input.bidPerGpu)
    const bid = bidPerGpuUsd === undefined ? {} : { bidPerGpuUsd }
    return toPod(createPod(world, { ...spec, interruptible: true, ...bid }))
  },

  deployCpuPod({ input }: { input: PodInput & { instanceId?: Wire<string> } }, { world }: Caller) {
    const instanceId = said(input.instanceId)
    const compute = toCpuCompute(world, instanceId === undefined ? undefined : [instanceId])
    return toPod(createPod(world, toPodSpec(world, input, compute)))
  },

  podStop({ input: { podId, incrementVersion } }: StopArgs, { world }: Caller) {
    const pod = world.pods.require(podId)
    // Spec: a pod only has to exist to be stopped.
    if (pod.status === 'EXITED') return toPod(pod)
    return toPod(stopPod(world, podId, incrementVersion === true))
  },

  podResume: ({ input }: { input: ResumeInput }, { world }: Caller) => resume(world, input),

  podBidResume: ({ input }: { input: ResumeInput }, { world }: Caller) => resume(world, input),

  podTerminate({ input: { podId } }: PodArgs, { world }: Caller) {
    // Observed: clients compare these words to tell that it is gone already.
    if (world.pods.find(podId) === undefined) {
      const subject = { resource: 'pod', id: podId }
      throw new CloudError('not_found', 'pod not found to terminate', subject)
    }
    applyPodAction(world, podId, 'terminate')
    return null
  },

  podEditJob({ input }: { input: EditInput }, { world }: Caller) {
    const { spec } = world.pods.require(input.podId)
    return toPod(updatePod(world, input.podId, toChangedSpec(spec, input)))
  },

  podReset({ input }: PodArgs, { world }: Caller) {
    refuseUnemulated('podReset', input)
    return toPod(resetPod(world, input.podId))
  },
}

function resume(world: World, input: ResumeInput) {
  refuseUnemulated('podResume', input)
  const pod = world.pods.require(input.podId)
  requireKind(pod, said(input.computeType))
  requireCuda(pod, saidList(input.allowedCudaVersions))
  const wish = { gpuCount: said(input.gpuCount), bidPerGpuUsd: said(input.bidPerGpu) }
  return toPod(resumePod(world, pod.id, wish))
}

function requireKind({ spec }: Pod, kind: 'CPU' | 'GPU' | undefined): void {
  if (kind === undefined || kind === spec.compute.kind) return
  throw ruleViolation(`a ${spec.compute.kind} pod cannot be resumed as a ${kind} pod`)
}

/** Spec: the filter applies to a resumed pod too. A stopped pod stays on its machine. */
function requireCuda({ placement }: Pod, allowed: readonly string[] | undefined): void {
  if (allowed === undefined) return
  if (placement.cudaVersion === null || !allowed.includes(placement.cudaVersion)) throw noCapacity()
}

/** Observed: only what is named changes. */
function toChangedSpec(spec: PodSpec, input: EditInput): PodSpec {
  const { persistent } = spec
  const sizeGb = said(input.volumeInGb) ?? persistent?.sizeGb
  const path = said(input.volumeMountPath)
  const edited: PodSpec = {
    ...spec,
    container: changed(spec.container, toContainerChanges(input)),
    persistent:
      sizeGb === undefined || spec.network !== null
        ? persistent
        : { sizeGb, path: path ?? persistent?.path ?? defaultMountPath },
    network: spec.network && { ...spec.network, path: path ?? spec.network.path },
  }
  validate(PodSpec, edited, 'bodies')
  return edited
}
