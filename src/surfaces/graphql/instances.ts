/** CPU sizes as GraphQL names them: `cpu3c-2-4` is flavor, vCPUs and GB of memory. */
import type { Catalog, CpuFlavor } from '../../model/catalog.ts'
import type { CpuCompute } from '../../model/compute.ts'
import { ruleViolation } from '../../model/errors.ts'

type Instance = CpuCompute['instances'][number]

/** Refuses names that are no size of a flavor the catalog has. */
export function toInstance(catalog: Catalog, instanceId: string): Instance {
  const [flavorId = '', vcpus = '', ramGb = ''] = instanceId.split('-')
  const flavor = catalog.cpus.find(({ id }) => id === flavorId)
  if (flavor === undefined) throw ruleViolation(`unknown CPU instance '${instanceId}'`)
  const vcpuCount = Number(vcpus)
  if (!sizesOf(flavor).includes(vcpuCount) || Number(ramGb) !== vcpuCount * flavor.ramGbPerVcpu) {
    const known = sizesOf(flavor)
      .map((size) => instanceIdOf(flavor, size))
      .join(', ')
    throw ruleViolation(`CPU flavor ${flavorId} has no instance '${instanceId}'; it has ${known}`)
  }
  return { flavorId, vcpuCount }
}

export function toInstanceId(catalog: Catalog, { flavorId, vcpuCount }: Instance): string {
  const flavor = catalog.cpus.find(({ id }) => id === flavorId)
  return flavor === undefined ? `${flavorId}-${vcpuCount}` : instanceIdOf(flavor, vcpuCount)
}

/** Observed: runpod-python asks for no size. Assumed: it gets the smallest, of any flavor. */
export function smallestInstances({ cpus }: Catalog): Instance[] {
  return cpus.map(({ id, vcpuMin }) => ({ flavorId: id, vcpuCount: vcpuMin }))
}

function instanceIdOf({ id, ramGbPerVcpu }: CpuFlavor, vcpuCount: number): string {
  return `${id}-${vcpuCount}-${vcpuCount * ramGbPerVcpu}`
}

/** Spec: doubling from the smallest to the largest. */
function sizesOf({ vcpuMin, vcpuMax }: CpuFlavor): number[] {
  const sizes: number[] = []
  for (let size = vcpuMin; size <= vcpuMax; size *= 2) sizes.push(size)
  return sizes
}
