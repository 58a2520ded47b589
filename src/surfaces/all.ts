/** Every surface, in the order in which they claim an address that none of them has. */
import type { Controls } from './control/controls.ts'
import { controlSurface } from './control/surface.ts'
import { graphqlSurface } from './graphql/surface.ts'
import type { Surface } from './http/surface.ts'
import { jobsSurface } from './jobs/surface.ts'
import { restV1 } from './rest-v1/surface.ts'
import { reservedNouns, restV2 } from './rest-v2/surface.ts'
import { uploadsSurface } from './uploads/surface.ts'

export { reservedNouns }

export function createSurfaces(controls: Controls): Surface[] {
  return [restV1, restV2, graphqlSurface, jobsSurface, uploadsSurface, controlSurface(controls)]
}
