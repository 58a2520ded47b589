/** Which surface and operation answers at which address. The only place that knows all addresses. */
import { CloudError, notEmulated } from '../../model/errors.ts'
import { maskSecrets } from '../../model/masking.ts'
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

/** `hostedId`: the endpoint whose own address was called, by its host name. */
export type Router = (method: string, path: string, hostedId?: string) => Match

type SurfaceRouter = RouteTree<Operation>

const methods: readonly Method[] = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE']

/**
 * An address belongs to the first surface that `owns` it; the last owns everything. Each surface
 * finds its operation in a tree of its own, which is made when it is first asked.
 */
export function createRoutes(surfaces: readonly Surface[]): Router {
  const routers = new Map<Surface, SurfaceRouter>()
  return (method, path, hostedId) => {
    if (hostedId !== undefined) return matchHosted(surfaces, method, path, hostedId)
    const surface = surfaces.find((candidate) => candidate.owns(path))
    if (surface === undefined) throw new Error('the last surface owns every path')
    const router = routers.get(surface) ?? compile(surface)
    routers.set(surface, router)
    const found = router.find(method, path)
    if (found === undefined) return unknown(surface, router, method, path)
    const { route: operation, params } = found
    return { surface, operation, params, refusal: refusalOf(operation) }
  }
}

/** No path there is an operation of the platform: all of them are the worker's. */
function matchHosted(
  surfaces: readonly Surface[],
  method: string,
  path: string,
  endpointId: string,
): Match {
  for (const surface of surfaces) {
    const found = surface.hosted?.(method, endpointId, path)
    if (found !== undefined) return { surface, ...found, refusal: undefined }
  }
  throw new Error('one surface answers at the addresses of endpoints')
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
