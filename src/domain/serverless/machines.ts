/** Finds a machine for a worker: which types are looked at in which order, and where. */
import type { Compute, Placement } from '../../model/compute.ts'
import type { Endpoint, EndpointSpec } from '../../model/endpoint.ts'
import type { World } from '../../world/world.ts'
import { findPlacement } from '../capacity.ts'

// Spec: with five workers or more, they are spread over the three types of the highest priority.
const spreadFromWorkers = 5
const spreadOverTypes = 3

/** Undefined while there is no room for one. */
export function findMachine(world: World, endpoint: Endpoint): Placement | undefined {
  const locations = workerLocations(world, endpoint.spec)
  if (locations === undefined) return undefined
  const compute = inOrder(world, endpoint)
  const clouds = ['SECURE', 'COMMUNITY'] as const
  const { compliance } = endpoint.spec
  return findPlacement(world, { compute, clouds, locations, compliance, product: 'serverless' })
}

/**
 * False where no data center that it may be in has any of its types, sold out or not. Observed: such
 * an endpoint has no worker at all, where one whose types are sold out has throttled ones.
 */
export function hasPlace(world: World, { spec }: Endpoint): boolean {
  const { compute } = spec
  const locations = workerLocations(world, spec)
  if (locations === undefined) return false
  return world.stock.dataCenters.some(({ id, countryCode, gpus, cpus }) => {
    if (locations.length > 0 && !locations.includes(id) && !locations.includes(countryCode))
      return false
    return compute.kind === 'GPU'
      ? compute.gpuTypeIds.some((typeId) => Object.hasOwn(gpus, typeId))
      : compute.instances.some(({ flavorId }) => Object.hasOwn(cpus, flavorId))
  })
}

/**
 * Spec: a small endpoint takes the best type that is available, whichever its workers are on. A
 * large one is spread: the type that has the fewest of its workers comes first.
 */
function inOrder(world: World, { id, spec }: Endpoint): Compute {
  const { compute } = spec
  if (compute.kind === 'CPU' || spec.workersMax < spreadFromWorkers) return compute
  const { gpuTypes: used } = world.queues.of(id)
  const first = compute.gpuTypeIds.slice(0, spreadOverTypes)
  const rest = compute.gpuTypeIds.slice(spreadOverTypes)
  const spread = first.toSorted((left, right) => (used.get(left) ?? 0) - (used.get(right) ?? 0))
  return { ...compute, gpuTypeIds: [...spread, ...rest] }
}

/**
 * Spec: network volumes pin an endpoint's workers to the data centers that they are in. Where those
 * are none of the endpoint's own, there is no place for a worker at all: undefined.
 */
function workerLocations(
  world: World,
  { locations, networkVolumeIds }: EndpointSpec,
): readonly string[] | undefined {
  if (networkVolumeIds.length === 0) return locations
  const pinned = networkVolumeIds.map((id) => world.networkVolumes.require(id).dataCenterId)
  if (locations.length === 0) return pinned
  const both = world.stock.dataCenters.filter(
    ({ id, countryCode }) =>
      pinned.includes(id) && (locations.includes(id) || locations.includes(countryCode)),
  )
  return both.length === 0 ? undefined : both.map(({ id }) => id)
}
