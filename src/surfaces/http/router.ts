/** Which surface and operation answers at which address. The only place that knows all addresses. */
import { CloudError, notEmulated } from '../../model/errors.ts'
import { maskSecrets } from '../../model/masking.ts'
import { KnownPaths } from './known-paths.ts'
import type { LazySurface } from './lazy-surface.ts'
import type { Method, Operation } from './operation.ts'
import { RouteTree } from './route-tree.ts'
import type { Surface } from './surface.ts'

export interface Match {
  readonly surface: Surface
  /** Undefined where the surface has no such operation; `refusal` says so. */
  readonly operation: Operation | undefined
  readonly params: Readonly<Record<string, string>>
  readonly refusal: CloudError | undefined
}

/** Bytes that the body of such a request may have. */
export function bodyLimitOf({ surface, operation }: Match): number {
  return operation?.bodyLimit ?? surface.bodyLimit
}

/** `v2.createPod` */
export function fullName({ surface, operation }: Match): string {
  return `${surface.name}.${operation?.name ?? 'unknown'}`
}

/**
 * `hostedId`: the endpoint, or the port of a pod, whose own address was called, by its host name.
 *
 * A promise for a surface that has to be loaded first. Requests keep their order all the same: while
 * one waits for that, so do those after it.
 */
export type Router = (method: string, path: string, hostedId?: string) => Match | Promise<Match>

type SurfaceRouter = RouteTree<Operation>

const methods: readonly Method[] = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE']

/**
 * An address belongs to the first surface that claims it; the last claims everything. Each surface
 * finds its operation in a tree of its own, which is made when it is first asked. `onLoading` is told of
 * each request that waits for its surface.
 */
export function createRoutes(
  surfaces: readonly LazySurface[],
  onLoading: (loading: Promise<unknown>) => void,
): Router {
  const routers = new Map<Surface, SurfaceRouter>()
  const find = (surface: Surface, method: string, path: string, hostedId?: string): Match => {
    if (hostedId !== undefined) return matchHosted(surface, method, path, hostedId)
    const router = routers.get(surface) ?? compile(surface)
    routers.set(surface, router)
    const found = router.find(method, path)
    if (found === undefined) return unknown(surface, router, method, path)
    const { route: operation, params } = found
    return { surface, operation, params, refusal: refusalOf(operation) }
  }
  const known = new KnownPaths()
  let last: Promise<Match> | undefined
  return (method, path, hostedId) => {
    const isShared = hostedId === undefined
    const before = isShared && last === undefined ? known.find(method, path) : undefined
    if (before !== undefined) return before
    const claimant = claimantOf(surfaces, path, hostedId)
    const { loaded } = claimant
    if (last === undefined && loaded !== undefined) {
      const match = find(loaded, method, path, hostedId)
      if (isShared) known.add(method, path, match)
      return match
    }
    const surface = Promise.all([claimant.load(), last?.catch(() => undefined)])
    const match = surface.then(([there]) => find(there, method, path, hostedId))
    last = match
    onLoading(match)
    const settled = () => {
      if (last === match) last = undefined
    }
    match.then(settled, settled)
    return match
  }
}

function claimantOf(
  surfaces: readonly LazySurface[],
  path: string,
  hostedId: string | undefined,
): LazySurface {
  const claimant = surfaces.find(({ owns, hosts }) => {
    return hostedId === undefined ? owns(path) : hosts(hostedId)
  })
  if (claimant === undefined) throw new Error('the last surface claims every path')
  return claimant
}

/** No path there is an operation of the platform: all of them are the worker's. */
function matchHosted(surface: Surface, method: string, path: string, hostedId: string): Match {
  const found = surface.hosted?.(method, hostedId, path)
  if (found === undefined) throw new Error(`${surface.name} answers at no address of its own`)
  return { surface, ...found, refusal: undefined }
}

function compile({ operations }: Surface): SurfaceRouter {
  const router: SurfaceRouter = new RouteTree()
  for (const operation of operations) router.add(operation.method, operation.path, operation)
  return router
}

function refusalOf(operation: Operation): CloudError | undefined {
  if (operation.handle !== undefined) return undefined
  return notEmulated(`${operation.method} ${operation.path} (${operation.name})`)
}

function unknown(surface: Surface, router: SurfaceRouter, method: string, path: string): Match {
  const allowed = methods.filter((other) => router.find(other, path) !== undefined)
  const refusal =
    allowed.length === 0
      ? surface.unknownPath(method, maskSecrets(path))
      : wrongMethod(allowed.join(', '))
  return { surface, operation: undefined, params: {}, refusal }
}

function wrongMethod(allowed: string): CloudError {
  return new CloudError('method_not_allowed', `this path takes ${allowed}`, { id: allowed })
}
