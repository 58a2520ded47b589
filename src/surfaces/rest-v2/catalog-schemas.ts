/** Replies of the catalog. */
import * as Type from '@sinclair/typebox'
import { stockLevels } from '../../domain/offers.ts'
import { CudaVersion, certificates, regions } from '../../model/catalog.ts'
import { OneOf, OrNull } from '../../model/schema.ts'
import { volumeTypes } from '../../model/storage.ts'

const Level = OneOf(stockLevels)
const Available = Type.Object({ id: Type.String(), name: Type.String(), availability: Level })
/** There when it was asked for. */
const offer = {
  availability: Type.Optional(Level),
  dataCenters: Type.Optional(Type.Array(Available)),
}

export const GpuTypeReply = Type.Object({
  id: Type.String(),
  name: Type.String(),
  pool: OrNull(Type.String()),
  manufacturer: OneOf(['NVIDIA', 'AMD', 'UNKNOWN']),
  memory: Type.Integer({ description: 'In GB.' }),
  secure: Type.Boolean(),
  community: Type.Boolean(),
  /** USD per hour and GPU. */
  price: Type.Object({
    secure: Type.Number(),
    community: Type.Number(),
    serverless: Type.Optional(Type.Number()),
  }),
  maxCount: Type.Object({ secure: Type.Integer(), community: Type.Integer() }),
  ...offer,
  cudaVersions: Type.Optional(
    Type.Array(Type.Object({ version: CudaVersion, available: Type.Boolean() })),
  ),
})

export const CpuTypeReply = Type.Object({
  id: Type.String(),
  name: Type.String(),
  group: Type.String(),
  vcpu: Type.Object({ min: Type.Integer(), max: Type.Integer() }),
  ramGbPerVcpu: Type.Number(),
  /** USD per hour. */
  price: Type.Object({ securePerVcpu: Type.Number(), serverlessPerVcpu: Type.Number() }),
  ...offer,
})

export const DataCenterReply = Type.Object({
  id: Type.String(),
  name: Type.String(),
  region: OneOf(regions),
  globalNetwork: Type.Boolean(),
  networkVolumeTypes: Type.Array(OneOf(volumeTypes)),
  compliance: Type.Array(OneOf(certificates)),
  gpuAvailability: Type.Optional(Type.Array(Available)),
  cpuAvailability: Type.Optional(Type.Array(Available)),
})
