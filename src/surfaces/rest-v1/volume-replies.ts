/** Network volumes as v1 shows them. */
import * as Type from '@sinclair/typebox'
import type { NetworkVolume } from '../../model/storage.ts'

/** Observed: clients refuse any further key. */
export const NetworkVolumeV1 = Type.Object({
  id: Type.String(),
  name: Type.String(),
  size: Type.Integer(),
  dataCenterId: Type.String(),
})

export function toNetworkVolumeV1({ id, name, sizeGb, dataCenterId }: NetworkVolume) {
  return { id, name, size: sizeGb, dataCenterId }
}
