/** Releases: every change that workers are replaced for is a version of its endpoint. */
import type { Catalog } from '../../model/catalog.ts'
import type { Compute } from '../../model/compute.ts'
import type { Endpoint, EndpointSpec } from '../../model/endpoint.ts'
import type { Release, SettingChange } from '../../model/release.ts'
import type { World } from '../../world/world.ts'
import { poolsOfTypes, typesOfPools } from '../gpu-pools.ts'

/** What workers are made from, under the platform's names. What is not here changes in place. */
export function workerSettings(world: World, spec: EndpointSpec): Record<string, unknown> {
  const { container, compute, locations, networkVolumeIds } = spec
  return {
    ...computeSettings(world, compute),
    locations: locations.join(','),
    networkVolumeIds,
    'template.imageName': container.image,
    'template.dockerArgs': container.args,
    'template.dockerEntrypoint': container.entrypoint,
    'template.dockerStartCmd': container.cmd,
    'template.containerDiskInGb': container.diskGb,
    'template.containerRegistryAuthId': container.registryId,
    'template.env': container.env,
    'template.ports': container.ports,
  }
}

/** What differs between two specs; nothing when the second needs no other workers. */
export function changesBetween(
  world: World,
  before: EndpointSpec,
  after: EndpointSpec,
): SettingChange[] {
  const old = workerSettings(world, before)
  const next = workerSettings(world, after)
  const fields = [...new Set([...Object.keys(old), ...Object.keys(next)])]
  return fields
    .filter((field) => JSON.stringify(old[field]) !== JSON.stringify(next[field]))
    .map((field) => ({ field, old: old[field] ?? null, new: next[field] ?? null }))
}

/** `buildId`: the build that brought it; null for a change by hand. */
export function recordRelease(
  world: World,
  { id: endpointId, version }: Endpoint,
  changes: readonly SettingChange[],
  buildId: string | null = null,
): Release {
  const id = world.ids.next('release')
  world.timeline.record('release.created', id, { endpointId, version })
  const createdAtMs = world.nowMs
  return world.releases.put({ id, endpointId, version, buildId, createdAtMs, changes })
}

function computeSettings(world: World, compute: Compute): Record<string, unknown> {
  if (compute.kind === 'CPU') {
    const { cpus } = world.settings.catalog
    return {
      instanceIds: compute.instances.map(({ flavorId, vcpuCount }) => {
        const flavor = cpus.find(({ id }) => id === flavorId)
        return `${flavorId}-${vcpuCount}-${vcpuCount * (flavor?.ramGbPerVcpu ?? 0)}`
      }),
    }
  }
  const { gpuTypeIds, count, allowedCudaVersions, minCudaVersion } = compute
  return {
    gpuIds: gpuIds(world.settings.catalog, gpuTypeIds),
    gpuCount: count,
    allowedCudaVersions: allowedCudaVersions.join(','),
    minCudaVersion,
  }
}

/** As pools and exclusions where that says the same; as the types themselves where it does not. */
function gpuIds(catalog: Catalog, gpuTypeIds: readonly string[]): string {
  const choice = poolsOfTypes(catalog, gpuTypeIds)
  const { pools, excludedTypeIds } = choice
  const saysTheSame = pools.length > 0 && typesOfPools(catalog, choice).join() === gpuTypeIds.join()
  if (!saysTheSame) return gpuTypeIds.join(',')
  return [...pools, ...excludedTypeIds.map((id) => `-${id}`)].join(',')
}
