/** Container registry credentials. */
import type { ContainerSpec } from '../model/container.ts'
import { ruleViolation } from '../model/errors.ts'
import type { Registry } from '../model/registry.ts'
import type { World } from '../world/world.ts'

export type RegistrySpec = Pick<Registry, 'name' | 'username' | 'password'>

/** Spec: v2 lists 400 among the refusals, and no 409. */
export function createRegistry(world: World, spec: RegistrySpec): Registry {
  return createRegistryWithId(world, world.ids.next('registry'), spec)
}

/** For fixtures, which choose ids. */
export function createRegistryWithId(world: World, id: string, spec: RegistrySpec): Registry {
  for (const { name } of world.registries.values()) {
    if (name === spec.name) throw ruleViolation(`a registry named '${name}' exists already`)
  }
  world.timeline.record('registry.created', id)
  return world.registries.put({ ...spec, id, createdAtMs: world.nowMs })
}

export function updateRegistry(
  world: World,
  registryId: string,
  credentials: Pick<Registry, 'username' | 'password'>,
): Registry {
  const registry = world.registries.require(registryId)
  world.timeline.record('registry.updated', registryId)
  return world.registries.put({ ...registry, ...credentials })
}

/** A container's registry, if it names one, has to be there. */
export function requireRegistry(world: World, registryId: string | null): void {
  if (registryId !== null) world.registries.require(registryId)
}

/** Spec: refused while a pod uses it; templates silently lose it. Assumed: endpoints are as pods. */
export function deleteRegistry(world: World, registryId: string): void {
  const registry = world.registries.require(registryId)
  const uses = ({ spec }: { spec: { container: ContainerSpec } }) =>
    spec.container.registryId === registry.id
  const user = world.pods.where(uses).at(0) ?? world.endpoints.where(uses).at(0)
  if (user !== undefined) throw ruleViolation(`registry is in use by ${user.id}`)
  world.timeline.record('registry.deleted', registry.id)
  for (const template of world.templates.all()) {
    const { spec } = template
    if (spec.container.registryId !== registry.id) continue
    const container = { ...spec.container, registryId: null }
    world.templates.put({ ...template, spec: { ...spec, container } })
  }
  world.registries.remove(registry.id)
}
