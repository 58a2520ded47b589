/** The machine of a pod as GraphQL shows it: what is looked up only when it is asked for. */
import { machineRates } from '../../domain/availability.ts'
import type { Placement } from '../../model/compute.ts'
import type { World } from '../../world/world.ts'
import { findGpuType, toGpuType } from './gpu-types.ts'

export function toMachine(world: World, placement: Placement, hostId: string | null) {
  const { machineId, dataCenterId, gpuTypeId, gpuCount, costPerHourUsd } = placement
  const gpuType = () => (gpuTypeId === null ? undefined : findGpuType(world, gpuTypeId))
  const dataCenter = () => world.stock.dataCenters.find(({ id }) => id === dataCenterId)
  return {
    id: machineId,
    podHostId: hostId,
    // Observed: a machine without GPUs has a type called unknown.
    gpuDisplayName: () => gpuType()?.name ?? 'unknown',
    gpuTypeId: gpuTypeId ?? 'unknown',
    gpuType() {
      const type = gpuType()
      return type && toGpuType(world, type)
    },
    gpuAvailable() {
      const place = dataCenter()
      if (gpuTypeId === null || place === undefined) return 0
      return world.stock.freeGpus(place, gpuTypeId, placement.cloud)
    },
    minPodGpuCount: 1,
    cpuCount: placement.vcpuCount,
    machineType: gpuTypeId === null ? 'CPU' : 'GPU',
    listed: true,
    location: () => dataCenter()?.countryCode,
    dataCenterId,
    secureCloud: placement.cloud === 'SECURE',
    costPerHr: costPerHourUsd,
    currentPricePerGpu: gpuCount === 0 ? null : costPerHourUsd / gpuCount,
    diskMBps: machineRates.diskMBps,
    maxDownloadSpeedMbps: machineRates.downloadMbps,
    maxUploadSpeedMbps: machineRates.uploadMbps,
    supportPublicIp: true,
    globalNetwork: () => dataCenter()?.globalNetwork,
    machineSystem: { cudaVersion: placement.cudaVersion },
  }
}
