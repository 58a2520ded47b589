/** Finds a machine: the first type in the caller's order that some allowed data center has free. */
import {
  type Certificate,
  compareCuda,
  type DataCenter,
  type GpuType,
  isCertified,
  priceIn,
  tierKey,
} from '../model/catalog.ts'
import type { CpuCompute, GpuCompute, Placement } from '../model/compute.ts'
import type { CloudTier } from '../model/container.ts'
import { noCapacity, ruleViolation } from '../model/errors.ts'
import type { World } from '../world/world.ts'
import { reclaimableGpus } from './spot-pods.ts'
import { cents, type SpotWish, spotPriceUsd } from './spot-prices.ts'

export interface PlacementRequest {
  readonly compute: GpuCompute | CpuCompute
  /** In order of preference. */
  readonly clouds: readonly CloudTier[]
  /** Data center ids or country codes; empty for anywhere. */
  readonly locations: readonly string[]
  /** True for none but data centers that join the global network. */
  readonly globalNetworking?: boolean
  /** Which price list applies. */
  readonly product: 'pod' | 'serverless'
  /** Machines of one data center that have to be free together; 1 when absent. */
  readonly machines?: number
  /** For GPUs that may be taken away again: at this bid, or at the lowest. */
  readonly spot?: SpotWish | undefined
  /** USD per hour for the whole; whatever costs more will not do. */
  readonly maxCostPerHourUsd?: number | undefined
  /** What the data center has to be certified for; absent for nothing. */
  readonly compliance?: readonly Certificate[] | undefined
}

/** A placement with a machine of its own, or a `no_capacity` refusal. Reserves nothing. */
export function choosePlacement(world: World, request: PlacementRequest): Placement {
  const placement = findPlacement(world, request) ?? findOverSpot(world, request)
  if (placement === undefined) throw noCapacity()
  return placement
}

/** As many placements as asked for, all in one data center, or a refusal. */
export function choosePlacements(
  world: World,
  request: PlacementRequest & { readonly machines: number },
): Placement[] {
  const first = choosePlacement(world, request)
  const others = Array.from({ length: request.machines - 1 }, () => ({
    ...first,
    machineId: world.ids.next('machine'),
  }))
  return [first, ...others]
}

/** For the fixed price, the GPUs of spot pods are as good as free. */
function findOverSpot(world: World, request: PlacementRequest): Placement | undefined {
  const { compute, spot } = request
  if (compute.kind !== 'GPU' || spot !== undefined) return undefined
  const held = reclaimableGpus(world)
  if (held.size === 0) return undefined
  return findGpus(world, request, compute, (place, gpuTypeId, cloud) => {
    const taken = held.get(`${place.id}/${gpuTypeId}/${cloud}`) ?? 0
    return taken + world.stock.freeGpus(place, gpuTypeId, cloud)
  })
}

/** Like `choosePlacement`, for those who can wait: undefined when there is none. */
export function findPlacement(world: World, request: PlacementRequest): Placement | undefined {
  const { compute } = request
  return compute.kind === 'GPU'
    ? findGpus(world, request, compute)
    : findCpus(world, request, compute)
}

/** Refuses types that the catalog does not know, before anything is looked for. */
export function requireKnownTypes(world: World, compute: GpuCompute | CpuCompute): void {
  const { gpus, cpus } = world.settings.catalog
  if (compute.kind === 'GPU') {
    for (const id of compute.gpuTypeIds) {
      if (!gpus.some((gpu) => gpu.id === id)) throw ruleViolation(`unknown GPU type '${id}'`)
    }
    return
  }
  for (const { flavorId, vcpuCount } of compute.instances) {
    const flavor = cpus.find(({ id }) => id === flavorId)
    if (flavor === undefined) throw ruleViolation(`unknown CPU flavor '${flavorId}'`)
    const { vcpuMin, vcpuMax } = flavor
    if (vcpuCount >= vcpuMin && vcpuCount <= vcpuMax) continue
    throw ruleViolation(`${flavorId} comes with ${vcpuMin} to ${vcpuMax} vCPUs, not ${vcpuCount}`)
  }
}

/** True when a stopped pod's own data center still has what it needs. */
export function hasRoomAgain(world: World, placement: Placement): boolean {
  const dataCenter = world.stock.dataCenters.find(({ id }) => id === placement.dataCenterId)
  if (dataCenter === undefined) return false
  const { gpuTypeId, gpuCount, flavorId, vcpuCount, cloud } = placement
  if (gpuTypeId !== null) return world.stock.freeGpus(dataCenter, gpuTypeId, cloud) >= gpuCount
  return flavorId !== null && world.stock.freeVcpus(dataCenter, flavorId) >= vcpuCount
}

type CountFree = (place: DataCenter, gpuTypeId: string, cloud: CloudTier) => number

function findGpus(
  world: World,
  request: PlacementRequest,
  compute: GpuCompute,
  free: CountFree = (place, gpuTypeId, cloud) => world.stock.freeGpus(place, gpuTypeId, cloud),
): Placement | undefined {
  const { catalog } = world.settings
  const wanted = compute.count * (request.machines ?? 1)
  for (const wantedId of compute.gpuTypeIds) {
    const gpu = catalog.gpus.find(({ id }) => id === wantedId)
    if (gpu === undefined) continue
    // The catalog's own text: what is looked up by it is found sooner, and all placements share it.
    const { id: gpuTypeId } = gpu
    if (gpu.vcpuPerGpu < compute.minVcpuPerGpu || gpu.ramGbPerGpu < compute.minRamGbPerGpu) continue
    for (const cloud of request.clouds) {
      if (compute.count > gpu.maxCount[tierKey[cloud]]) continue
      for (const dataCenter of allowed(world, request)) {
        if (free(dataCenter, gpuTypeId, cloud) < wanted) continue
        const cudaVersion = chooseCuda(dataCenter, compute)
        if (cudaVersion === undefined) continue
        const usdPerGpu = priceOfGpu(dataCenter, gpu, cloud, request)
        if (usdPerGpu === undefined) continue
        const costPerHourUsd = cents(usdPerGpu * compute.count)
        if (costPerHourUsd > (request.maxCostPerHourUsd ?? Infinity)) continue
        return {
          dataCenterId: dataCenter.id,
          cloud,
          machineId: world.ids.next('machine'),
          gpuTypeId,
          gpuCount: compute.count,
          flavorId: null,
          vcpuCount: gpu.vcpuPerGpu * compute.count,
          memoryGb: gpu.ramGbPerGpu * compute.count,
          cudaVersion,
          costPerHourUsd,
        }
      }
    }
  }
  return undefined
}

function findCpus(
  world: World,
  request: PlacementRequest,
  compute: CpuCompute,
): Placement | undefined {
  for (const { flavorId, vcpuCount } of compute.instances) {
    const flavor = world.settings.catalog.cpus.find(({ id }) => id === flavorId)
    if (flavor === undefined) continue
    for (const dataCenter of allowed(world, request)) {
      if (world.stock.freeVcpus(dataCenter, flavorId) < vcpuCount) continue
      const tier = request.product === 'serverless' ? 'serverless' : 'secure'
      const costPerHourUsd = cents(priceIn(dataCenter, flavor, tier) * vcpuCount)
      if (costPerHourUsd > (request.maxCostPerHourUsd ?? Infinity)) continue
      return {
        dataCenterId: dataCenter.id,
        cloud: 'SECURE',
        machineId: world.ids.next('machine'),
        gpuTypeId: null,
        gpuCount: 0,
        flavorId,
        vcpuCount,
        memoryGb: vcpuCount * flavor.ramGbPerVcpu,
        cudaVersion: null,
        costPerHourUsd,
      }
    }
  }
  return undefined
}

/** USD per hour; undefined where the bid is too low. */
function priceOfGpu(
  dataCenter: DataCenter,
  gpu: GpuType,
  cloud: CloudTier,
  { product, spot }: PlacementRequest,
): number | undefined {
  if (product === 'serverless') return priceIn(dataCenter, gpu, 'serverless')
  const fixed = priceIn(dataCenter, gpu, tierKey[cloud])
  return spot === undefined ? fixed : spotPriceUsd(fixed, spot)
}

/** Data centers in the caller's order, or in the catalog's when any will do. */
function allowed(
  world: World,
  { locations, globalNetworking = false, compliance }: PlacementRequest,
): readonly DataCenter[] {
  const { dataCenters: everywhere } = world.stock
  const dataCenters =
    compliance === undefined
      ? everywhere
      : everywhere.filter((place) => isCertified(place, compliance))
  const all = globalNetworking
    ? dataCenters.filter(({ globalNetwork }) => globalNetwork)
    : dataCenters
  if (locations.length === 0) return all
  return locations.flatMap((location) =>
    all.filter(({ id, countryCode }) => id === location || countryCode === location),
  )
}

/** The newest version of the data center that the caller allows; undefined for none. */
function chooseCuda(dataCenter: DataCenter, compute: GpuCompute): string | undefined {
  const { allowedCudaVersions, minCudaVersion } = compute
  // The catalog lists them oldest first.
  if (allowedCudaVersions.length === 0 && minCudaVersion === null) {
    return dataCenter.cudaVersions.at(-1)
  }
  return dataCenter.cudaVersions
    .filter((version) => allowedCudaVersions.length === 0 || allowedCudaVersions.includes(version))
    .filter((version) => minCudaVersion === null || compareCuda(version, minCudaVersion) >= 0)
    .sort(compareCuda)
    .at(-1)
}
