/** Which pods and workers a v1 caller asks to see. */
import type { Static, TObject } from '@sinclair/typebox'
import * as Type from '@sinclair/typebox'
import type { Placement } from '../../model/compute.ts'
import type { Pod } from '../../model/pod.ts'
import { OneOf } from '../../model/schema.ts'
import type { Worker } from '../../model/worker.ts'
import type { World } from '../../world/world.ts'
import { desiredStatuses, toDesiredStatus } from './pod-replies.ts'

const Text = Type.Optional(Type.String())
const Name = Type.Optional(Type.String({ maxLength: 191 }))
const Texts = Type.Optional(Type.Array(Type.String()))

/** Spec: each is optional, and what is listed passes all that are given. */
export const podFilters = {
  computeType: Type.Optional(OneOf(['GPU', 'CPU'])),
  cpuFlavorId: Texts,
  dataCenterId: Texts,
  desiredStatus: Type.Optional(OneOf(desiredStatuses)),
  endpointId: Name,
  gpuTypeId: Texts,
  id: Text,
  imageName: Text,
  name: Name,
  networkVolumeId: Text,
  templateId: Text,
}
export type PodFilters = Static<TObject<typeof podFilters>>

/** What filters look at. */
interface Rental {
  readonly id: string
  readonly name: string
  readonly image: string
  readonly desiredStatus: string
  readonly computeType: 'GPU' | 'CPU'
  readonly placement: Placement | null
  readonly templateId: string | null
  readonly networkVolumeIds: readonly string[]
  readonly endpointId: string | null
}

export function podPasses(pod: Pod, filters: PodFilters): boolean {
  const { id, spec, placement } = pod
  return passes(filters, {
    id,
    placement,
    name: spec.name,
    image: spec.container.image,
    desiredStatus: toDesiredStatus(pod.status),
    computeType: spec.compute.kind,
    templateId: spec.templateId,
    networkVolumeIds: spec.network === null ? [] : [spec.network.volumeId],
    endpointId: null,
  })
}

export function workerPasses(world: World, worker: Worker, filters: PodFilters): boolean {
  const { id, image, placement, endpointId } = worker
  const { spec } = world.endpoints.require(endpointId)
  return passes(filters, {
    id,
    image,
    placement,
    endpointId,
    name: spec.name,
    desiredStatus: 'RUNNING',
    computeType: spec.compute.kind,
    templateId: spec.templateId,
    networkVolumeIds: spec.networkVolumeIds,
  })
}

function passes(filters: PodFilters, { placement, networkVolumeIds, ...rental }: Rental): boolean {
  const volume = filters.networkVolumeId
  return (
    same(filters.id, rental.id) &&
    same(filters.name, rental.name) &&
    same(filters.imageName, rental.image) &&
    same(filters.desiredStatus, rental.desiredStatus) &&
    same(filters.computeType, rental.computeType) &&
    same(filters.templateId, rental.templateId) &&
    same(filters.endpointId, rental.endpointId) &&
    (volume === undefined || networkVolumeIds.includes(volume)) &&
    among(filters.cpuFlavorId, placement?.flavorId) &&
    among(filters.dataCenterId, placement?.dataCenterId) &&
    among(filters.gpuTypeId, placement?.gpuTypeId)
  )
}

function same(wanted: string | undefined, actual: string | null): boolean {
  return wanted === undefined || wanted === actual
}

function among(wanted: readonly string[] | undefined, actual: string | null | undefined): boolean {
  return wanted === undefined || wanted.some((one) => one === actual)
}
