/** Types and places of the catalog as v1 names them: some have more than one spelling here. */
import type { DataCenter } from '../../model/catalog.ts'
import { invalidRequest, noCapacity } from '../../model/errors.ts'
import { OneOf } from '../../model/schema.ts'
import type { World } from '../../world/world.ts'

/** Spec: a closed list, which no longer grows. */
export const CudaVersionV1 = OneOf([
  '13.0',
  '12.9',
  '12.8',
  '12.7',
  '12.6',
  '12.5',
  '12.4',
  '12.3',
  '12.2',
  '12.1',
  '12.0',
  '11.8',
])

/** Spec: values of v1's own enumeration that stand for a type listed under another name. */
const gpuSpellings: ReadonlyMap<string, string> = new Map([
  ['NVIDIA  RTX A4500', 'NVIDIA RTX A4500'],
  ['NVIDIA  A30', 'NVIDIA A30'],
  ['NVIDIA RTX A30', 'NVIDIA A30'],
  ['NVIDIA GeForce RTX 3080TI', 'NVIDIA GeForce RTX 3080 Ti'],
  ['NVIDIA A5000 Ada', 'NVIDIA RTX 5000 Ada Generation'],
])

/** Spec: in the enumeration, and in no list of what there is. */
const gpusNowhere: ReadonlySet<string> = new Set(['Tesla T4', 'Tesla V100-PCIE-32GB'])

/** Spec: not in v1's enumerations. Assumed: who names one gets it, and nobody gets one unasked. */
const gpusAfterV1: ReadonlySet<string> = new Set([
  'NVIDIA A100-SXM4-40GB',
  'NVIDIA B300 SXM6 AC',
  'NVIDIA RTX PRO 4500 Blackwell',
  'NVIDIA RTX PRO 6000 Blackwell Server Edition MIG 1g.24gb',
  'NVIDIA RTX PRO 6000 Blackwell Server Edition MIG 2g.48gb',
])
const dataCentersAfterV1: ReadonlySet<string> = new Set([
  'US-MD-1',
  'US-MO-1',
  'US-MO-2',
  'US-NC-2',
  'US-NE-1',
])

/** The catalog's ids of the types named; for none, of all that v1 knows. */
export function gpuTypesNamed(world: World, names: readonly string[] = []): string[] {
  const known = world.settings.catalog.gpus.map(({ id }) => id)
  if (names.length === 0) return known.filter((id) => !gpusAfterV1.has(id))
  const found = gpuTypesMeant(world, names).filter((id) => !gpusNowhere.has(id))
  if (found.length === 0) throw noCapacity()
  return [...new Set(found)]
}

/** The catalog's ids of the types named, and the names of those that v1 knows and nobody has. */
export function gpuTypesMeant(world: World, names: readonly string[]): string[] {
  const ids = names.map((name) => gpuSpellings.get(name) ?? name)
  const known = world.settings.catalog.gpus.map(({ id }) => id)
  requireKnown('gpuTypeIds', ids, new Set([...known, ...gpusNowhere]))
  return ids
}

/** The flavors named; all of them for none. */
export function cpuFlavorsNamed(world: World, names: readonly string[] = []): string[] {
  const known = world.settings.catalog.cpus.map(({ id }) => id)
  requireKnown('cpuFlavorIds', names, new Set(known))
  return names.length === 0 ? known : [...new Set(names)]
}

/** Spec: endpoints have no workers with most memory. */
const flavorsOfPodsOnly: ReadonlySet<string> = new Set(['cpu3m', 'cpu5m'])

/** The flavors named for workers of an endpoint; all that v1 has for them, for none. */
export function workerFlavorsNamed(world: World, names: readonly string[] = []): string[] {
  const flavors = world.settings.catalog.cpus.map(({ id }) => id)
  const known = flavors.filter((id) => !flavorsOfPodsOnly.has(id))
  requireKnown('cpuFlavorIds', names, new Set(known))
  return names.length === 0 ? known : [...new Set(names)]
}

/** The data centers named, each once; none for none. */
export function dataCentersNamed(world: World, names: readonly string[] = []): string[] {
  const known = world.settings.catalog.dataCenters.map(({ id }) => id)
  requireKnown('dataCenterIds', names, new Set(known))
  return [...new Set(names)]
}

/** Spec: what may be anywhere lists all that v1 knows; a country is shown by what it has. */
export function dataCentersOf(world: World, locations: readonly string[]): string[] {
  const isShown = ({ id, countryCode }: DataCenter) =>
    locations.length === 0
      ? !dataCentersAfterV1.has(id)
      : locations.includes(id) || locations.includes(countryCode)
  return world.settings.catalog.dataCenters.filter(isShown).map(({ id }) => id)
}

function requireKnown(field: string, names: readonly string[], known: ReadonlySet<string>): void {
  const issues = names.flatMap((name, index) => {
    const message = `unknown value '${name}'`
    return known.has(name) ? [] : [{ path: [field, String(index)], rule: 'enum', message }]
  })
  if (issues.length > 0) throw invalidRequest(issues)
}
