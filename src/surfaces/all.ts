/**
 * Every surface, in the order in which they claim an address.
 *
 * All but REST v2 are loaded when they are first asked: the shapes of their bodies take longer to
 * make than a world does, and few runs ask all of them.
 */
import { hostedPod } from '../world/hosted.ts'
import type { Controls } from './control/controls.ts'
import { type Claim, LazySurface } from './http/lazy-surface.ts'
import type { Surface } from './http/surface.ts'
import { loadCompilers } from './http/validate.ts'
import { isOfRestV2, reservedNouns, restV2 } from './rest-v2/surface.ts'

export { reservedNouns }

const under = (root: string): Claim => ({
  owns: (path) => path === root || path.startsWith(`${root}/`),
})
const below = (root: string): Claim => ({ owns: (path) => path.startsWith(`${root}/`) })

const jobsClaim: Claim = { ...below('/v2'), hosts: (id) => hostedPod(id) === undefined }
const podProxyClaim: Claim = { owns: () => false, hosts: (id) => hostedPod(id) !== undefined }

const cloudSurfaces: readonly LazySurface[] = [
  new LazySurface(below('/v1/pod'), async () => (await import('./hapi/surface.ts')).hapiSurface),
  new LazySurface(under('/v1'), async () => (await import('./rest-v1/surface.ts')).restV1),
  LazySurface.of({ owns: isOfRestV2 }, restV2),
  new LazySurface(
    under('/graphql'),
    async () => (await import('./graphql/surface.ts')).graphqlSurface,
  ),
  new LazySurface(jobsClaim, async () => (await import('./jobs/surface.ts')).jobsSurface),
  new LazySurface(
    below('/uploads'),
    async () => (await import('./uploads/surface.ts')).uploadsSurface,
  ),
  new LazySurface(
    podProxyClaim,
    async () => (await import('./pod-proxy/surface.ts')).podProxySurface,
  ),
]

type ControlModule = typeof import('./control/surface.ts')
let controlModule: ControlModule | undefined

async function loadControl(): Promise<ControlModule> {
  controlModule ??= await import('./control/surface.ts')
  return controlModule
}

/** For emulators that are made afterwards: none of their requests waits in real time. */
export async function loadSurfaces(): Promise<void> {
  await Promise.all([loadCloud(), loadControl(), loadCompilers()])
}

function loadCloud(): Promise<readonly Surface[]> {
  return Promise.all(cloudSurfaces.map((surface) => surface.load()))
}

/** The full names of what the cloud can be asked for: `v2.createPod`, `graphql.podStop`. */
export async function operationNames(): Promise<string[]> {
  return (await loadCloud()).flatMap(({ name, operations, innerOperations = [] }) => {
    const own = operations.map((operation) => operation.name)
    return [...own, ...innerOperations].map((operation) => `${name}.${operation}`)
  })
}

/** The control API claims whatever is left. */
export function createSurfaces(controls: Controls): LazySurface[] {
  const claim: Claim = { owns: () => true }
  const control =
    controlModule === undefined
      ? new LazySurface(claim, async () => (await loadControl()).controlSurface(controls))
      : LazySurface.of(claim, controlModule.controlSurface(controls))
  return [...cloudSurfaces, control]
}
