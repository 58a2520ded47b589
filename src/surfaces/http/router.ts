/** Which surface and operation answers at which address. The only place that knows all addresses. */
import createRouter from 'find-my-way'
import { CloudError, notEmulated } from '../../model/errors.ts'
import type { Method, Operation } from './operation.ts'
import type { Surface } from './surface.ts'

export interface Match {
  readonly surface: Surface
  /** Undefined where the surface has no such operation; `refusal` says so. */
  readonly operation: Operation | undefined
  readonly params: Readonly<Record<string, string>>
  readonly refusal: CloudError | undefined
}

export type Router = (method: string, path: string) => Match

type SurfaceRouter = ReturnType<typeof createRouter>

const methods: readonly Method[] = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE']

/**
 * An address belongs to the first surface that `owns` it; the last owns everything. Each surface
 * finds its operation in a router of its own, which is made when it is first asked: compiling the
 * routes of them all would be a tenth of the way from start to first answer.
 */
export function createRoutes(surfaces: readonly Surface[]): Router {
  const routers = new Map<Surface, SurfaceRouter>()
  return (method, path) => {
    const surface = surfaces.find((candidate) => candidate.owns(path))
    if (surface === undefined) throw new Error('the last surface owns every path')
    const router = routers.get(surface) ?? compile(surface)
    routers.set(surface, router)
    const found = router.find(method as Method, path)
    if (found === null) return unknown(surface, router, method, path)
    const operation = found.store as Operation
    const params = found.params as Record<string, string>
    return { surface, operation, params, refusal: refusalOf(operation) }
  }
}

function compile({ operations }: Surface): SurfaceRouter {
  const router = createRouter({ ignoreTrailingSlash: true, maxParamLength: 1_000 })
  for (const operation of operations) {
    router.on(operation.method, operation.path.replace(/\{(\w+)\}/g, ':$1'), nothing, operation)
  }
  return router
}

const nothing = () => {}

function refusalOf(operation: Operation): CloudError | undefined {
  if (operation.handle !== undefined) return undefined
  return notEmulated(`${operation.method} ${operation.path} (${operation.name})`)
}

function unknown(surface: Surface, router: SurfaceRouter, method: string, path: string): Match {
  const allowed = methods.filter((other) => router.find(other, path) !== null)
  const refusal =
    allowed.length === 0 ? surface.unknownPath(method, path) : wrongMethod(allowed.join(', '))
  return { surface, operation: undefined, params: {}, refusal }
}

function wrongMethod(allowed: string): CloudError {
  return new CloudError('method_not_allowed', `this path takes ${allowed}`, { id: allowed })
}
