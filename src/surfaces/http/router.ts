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

const methods: readonly Method[] = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE']

/**
 * Surfaces come in order of precedence: an address that none of them has is refused by the first
 * that `owns` it, in its own form. The last owns everything.
 */
export function createRoutes(surfaces: readonly Surface[]): Router {
  const router = createRouter({ ignoreTrailingSlash: true, maxParamLength: 1_000 })
  for (const surface of surfaces) {
    for (const operation of surface.operations) {
      const path = operation.path.replace(/\{(\w+)\}/g, ':$1')
      router.on(operation.method, path, nothing, { surface, operation })
    }
  }
  return (method, path) => {
    const found = router.find(method as Method, path)
    if (found === null) return unknown(surfaces, method, path, wrongMethod(router, path))
    const { surface, operation } = found.store as { surface: Surface; operation: Operation }
    // A catch-all takes what is left over, and not what somebody else owns.
    if (operation.path.endsWith('*') && ownerOf(surfaces, path) !== surface) {
      return unknown(surfaces, method, path, undefined)
    }
    const params = found.params as Record<string, string>
    return { surface, operation, params, refusal: refusalOf(operation) }
  }
}

function refusalOf(operation: Operation): CloudError | undefined {
  if (operation.handle !== undefined) return undefined
  return notEmulated(`${operation.method} ${operation.path} (${operation.name})`)
}

function ownerOf(surfaces: readonly Surface[], path: string): Surface {
  const owner = surfaces.find((surface) => surface.owns(path))
  if (owner === undefined) throw new Error('the last surface owns every path')
  return owner
}

function unknown(
  surfaces: readonly Surface[],
  method: string,
  path: string,
  wrong: CloudError | undefined,
): Match {
  const surface = ownerOf(surfaces, path)
  const refusal = wrong ?? surface.unknownPath(method, path)
  return { surface, operation: undefined, params: {}, refusal }
}

const nothing = () => {}

function wrongMethod(
  router: ReturnType<typeof createRouter>,
  path: string,
): CloudError | undefined {
  const allowed = methods.filter((method) => router.find(method, path) !== null)
  if (allowed.length === 0) return undefined
  const message = `this path takes ${allowed.join(', ')}`
  return new CloudError('method_not_allowed', message, { id: allowed.join(', ') })
}
