/** Network volumes as GraphQL spells them. */
import { createVolume, deleteVolume, updateVolume } from '../../domain/volumes.ts'
import { CloudError, invalidField } from '../../model/errors.ts'
import type { NetworkVolume } from '../../model/storage.ts'
import type { World } from '../../world/world.ts'
import type { Caller } from './caller.ts'
import { toDataCenter } from './data-centers.ts'
import { said, type Wire } from './inputs.ts'

interface VolumeInput {
  readonly name?: Wire<string>
  readonly size?: Wire<number>
  readonly dataCenterId?: Wire<string>
}

export const storageMutations = {
  createNetworkVolume({ input }: { input: VolumeInput }, { world }: Caller) {
    const name = required(input, 'name')
    const sizeGb = requirePositive(required(input, 'size'))
    const dataCenterId = required(input, 'dataCenterId')
    return toVolume(world, createVolume(world, { name, sizeGb, dataCenterId }))
  },

  updateNetworkVolume({ input }: { input: VolumeInput & { id: string } }, { world }: Caller) {
    const changes = { name: said(input.name), sizeGb: said(input.size) }
    return toVolume(world, updateVolume(world, input.id, changes))
  },

  deleteNetworkVolume({ input: { id } }: { input: { id: string } }, { world }: Caller) {
    if (world.networkVolumes.find(id) === undefined) throw nonexistent(id)
    deleteVolume(world, id)
    return null
  },
}

export function toVolume(world: World, { id, name, sizeGb, dataCenterId }: NetworkVolume) {
  return {
    id,
    name,
    size: sizeGb,
    dataCenterId,
    dataCenter() {
      const dataCenter = world.stock.dataCenters.find((place) => place.id === dataCenterId)
      return dataCenter && toDataCenter(world, dataCenter)
    },
  }
}

/** Observed: clients look for these words to tell that it is gone already. */
const nonexistent = (id: string): CloudError =>
  new CloudError('not_found', `Tried to delete nonexistent network volume ${id}`, {
    resource: 'network volume',
    id,
  })

function required<Field extends keyof VolumeInput>(input: VolumeInput, field: Field) {
  const value = said(input[field])
  if (value === undefined) throw invalidField(['input', field], 'is required')
  return value as NonNullable<VolumeInput[Field]>
}

function requirePositive(sizeGb: number): number {
  if (sizeGb < 1) throw invalidField(['input', 'size'], 'must be at least 1')
  return sizeGb
}
