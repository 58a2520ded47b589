/** Every surface, in the order in which they claim an address that none of them has. */
import type { Controls } from './control/controls.ts'
import { controlSurface } from './control/surface.ts'
import { graphqlSurface } from './graphql/surface.ts'
import { hapiSurface } from './hapi/surface.ts'
import type { Surface } from './http/surface.ts'
import { jobsSurface } from './jobs/surface.ts'
import { podProxySurface } from './pod-proxy/surface.ts'
import { restV1 } from './rest-v1/surface.ts'
import { reservedNouns, restV2 } from './rest-v2/surface.ts'
import { uploadsSurface } from './uploads/surface.ts'

export { reservedNouns }

const cloudSurfaces: readonly Surface[] = [
  hapiSurface,
  restV1,
  restV2,
  graphqlSurface,
  jobsSurface,
  uploadsSurface,
  podProxySurface,
]

/** The full names of what the cloud can be asked for: `v2.createPod`, `graphql.podStop`. */
export async function operationNames(): Promise<string[]> {
  const named = cloudSurfaces.map(async ({ name, operations, innerOperations }) => {
    const inner = (await innerOperations?.()) ?? []
    return [...operations.map((operation) => operation.name), ...inner].map(
      (operation) => `${name}.${operation}`,
    )
  })
  return (await Promise.all(named)).flat()
}

export function createSurfaces(controls: Controls): Surface[] {
  return [...cloudSurfaces, controlSurface(controls)]
}
