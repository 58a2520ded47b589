/** Machines and their GPUs as v1 shows them beside a pod. */
import * as Type from '@sinclair/typebox'
import { machineRates } from '../../domain/availability.ts'
import { processorOf, tierKey } from '../../model/catalog.ts'
import type { Placement } from '../../model/compute.ts'
import type { World } from '../../world/world.ts'

export const GpuV1 = Type.Object({
  id: Type.String(),
  count: Type.Integer(),
  displayName: Type.String(),
  securePrice: Type.Number(),
  communityPrice: Type.Number(),
})

const CpuTypeV1 = Type.Object({
  id: Type.String(),
  displayName: Type.String(),
  cores: Type.Number(),
  threadsPerCore: Type.Number(),
  groupId: Type.String(),
})

export const MachineV1 = Type.Object({
  gpuTypeId: Type.String(),
  gpuType: Type.Optional(GpuV1),
  gpuDisplayName: Type.Optional(Type.String()),
  gpuAvailable: Type.Integer(),
  minPodGpuCount: Type.Integer(),
  cpuCount: Type.Integer(),
  cpuTypeId: Type.Optional(Type.String()),
  cpuType: Type.Optional(CpuTypeV1),
  location: Type.String(),
  dataCenterId: Type.String(),
  diskThroughputMBps: Type.Integer(),
  maxDownloadSpeedMbps: Type.Integer(),
  maxUploadSpeedMbps: Type.Integer(),
  supportPublicIp: Type.Boolean(),
  secureCloud: Type.Boolean(),
  costPerHr: Type.Number(),
  currentPricePerGpu: Type.Number(),
})

/** Undefined where there is no GPU. */
export function toGpuV1(world: World, { gpuTypeId, gpuCount }: Placement) {
  const type = world.settings.catalog.gpus.find(({ id }) => id === gpuTypeId)
  if (type === undefined) return undefined
  return {
    id: type.id,
    count: gpuCount,
    displayName: type.name,
    securePrice: type.priceUsd.secure,
    communityPrice: type.priceUsd.community,
  }
}

export function toMachineV1(world: World, placement: Placement) {
  const { dataCenterId, cloud, gpuCount, costPerHourUsd } = placement
  const gpuType = toGpuV1(world, placement)
  const flavor = world.settings.catalog.cpus.find(({ id }) => id === placement.flavorId)
  const dataCenter = world.stock.dataCenters.find(({ id }) => id === dataCenterId)
  return {
    // Observed: the machine of a CPU pod has this type.
    gpuTypeId: gpuType?.id ?? 'unknown',
    gpuType,
    gpuDisplayName: gpuType?.displayName,
    gpuAvailable:
      dataCenter === undefined || gpuType === undefined
        ? 0
        : world.stock.freeGpus(dataCenter, gpuType.id, cloud),
    minPodGpuCount: gpuType === undefined ? 0 : 1,
    cpuCount: placement.vcpuCount,
    cpuTypeId: placement.flavorId ?? undefined,
    cpuType: flavor && processorOf(flavor),
    location: dataCenter?.countryCode ?? '',
    dataCenterId,
    diskThroughputMBps: machineRates.diskMBps,
    maxDownloadSpeedMbps: machineRates.downloadMbps,
    maxUploadSpeedMbps: machineRates.uploadMbps,
    supportPublicIp: true,
    secureCloud: tierKey[cloud] === 'secure',
    costPerHr: costPerHourUsd,
    currentPricePerGpu: gpuCount === 0 ? 0 : costPerHourUsd / gpuCount,
  }
}
