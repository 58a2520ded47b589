/** Network volumes: made in one data center, grown, deleted when nothing uses them. */
import { conflict, ruleViolation } from '../model/errors.ts'
import type { NetworkVolume, VolumeType } from '../model/storage.ts'
import type { World } from '../world/world.ts'
import { stopMeter } from './billing.ts'
import { meterVolume } from './volume-billing.ts'

export interface VolumeSpec {
  readonly name: string
  readonly sizeGb: number
  readonly dataCenterId: string
  /** The data center's first tier when absent. */
  readonly type?: VolumeType | undefined
}

export function createVolume(world: World, spec: VolumeSpec): NetworkVolume {
  const type = volumeType(world, spec)
  const id = world.ids.next('volume')
  world.timeline.record('volume.created', id, { dataCenterId: spec.dataCenterId })
  return putVolume(world, { ...spec, id, type, createdAtMs: world.nowMs })
}

/** Keeps a volume as it now is; from now on it is paid for as such. */
export function putVolume(world: World, volume: NetworkVolume): NetworkVolume {
  meterVolume(world, volume)
  return world.networkVolumes.put(volume)
}

/** Spec: a volume can grow; it cannot shrink, move or change its tier. */
export function updateVolume(
  world: World,
  volumeId: string,
  changes: { readonly name?: string | undefined; readonly sizeGb?: number | undefined },
): NetworkVolume {
  const volume = world.networkVolumes.require(volumeId)
  const sizeGb = changes.sizeGb ?? volume.sizeGb
  if (sizeGb < volume.sizeGb) {
    throw ruleViolation(`a network volume cannot shrink: it has ${volume.sizeGb} GB`)
  }
  world.timeline.record('volume.updated', volumeId)
  return putVolume(world, { ...volume, name: changes.name ?? volume.name, sizeGb })
}

export function deleteVolume(world: World, volumeId: string): void {
  const volume = world.networkVolumes.require(volumeId)
  const pod = world.pods.where(({ spec }) => spec.network?.volumeId === volume.id).at(0)
  if (pod !== undefined) throw conflict(`network volume is attached to pod ${pod.id}`)
  const uses = ({ spec }: { spec: { networkVolumeIds: string[] } }) =>
    spec.networkVolumeIds.includes(volume.id)
  const endpoint = world.endpoints.where(uses).at(0)
  if (endpoint !== undefined) {
    throw conflict(`network volume is attached to endpoint ${endpoint.id}`)
  }
  world.timeline.record('volume.deleted', volume.id)
  stopMeter(world, volume.id)
  world.networkVolumes.remove(volume.id)
}

/** The tier asked for, or the data center's first; refuses where there is none. */
export function volumeType(
  world: World,
  { dataCenterId, type }: Pick<VolumeSpec, 'dataCenterId' | 'type'>,
): VolumeType {
  const { dataCenters } = world.settings.catalog
  const dataCenter = dataCenters.find(({ id }) => id === dataCenterId)
  const [primary] = dataCenter?.volumeTypes ?? []
  if (dataCenter === undefined || primary === undefined) {
    const withVolumes = dataCenters.filter(({ volumeTypes }) => volumeTypes.length > 0)
    const ids = withVolumes.map(({ id }) => id).join(', ')
    throw ruleViolation(`data center '${dataCenterId}' has no network volumes; these do: ${ids}`)
  }
  if (type === undefined) return primary
  if (dataCenter.volumeTypes.includes(type)) return type
  throw ruleViolation(`data center '${dataCenterId}' has no ${type} volumes`)
}
