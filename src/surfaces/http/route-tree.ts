/**
 * Finds an operation by method and path: a tree of path segments.
 *
 * Our own, because the start of the emulator is measured: the router it replaces took a tenth of the
 * way from start to first answer to load and to compile its routes. Fixed segments go before
 * parameters, and both before a `*` at the end, which takes the rest of the path.
 */

export interface Found<Route> {
  readonly route: Route
  readonly params: Readonly<Record<string, string>>
}

interface Node<Route> {
  readonly fixed: Map<string, Node<Route>>
  parameter: Node<Route> | undefined
  /** By method, where a path may end here. */
  readonly here: Map<string, Leaf<Route>>
  /** By method, for whatever follows. */
  readonly rest: Map<string, Leaf<Route>>
}

interface Leaf<Route> {
  readonly route: Route
  /** Names of the parameters on the way, in order. */
  readonly names: readonly string[]
}

export class RouteTree<Route> {
  readonly #root = createNode<Route>()

  /** `path`: `/v2/pods/{id}`, or with `/*` at its end. */
  add(method: string, path: string, route: Route): void {
    const segments = path.split('/').slice(1)
    const names: string[] = []
    let node = this.#root
    for (const segment of segments) {
      if (segment === '*') {
        node.rest.set(method, { route, names })
        return
      }
      if (segment.startsWith('{')) {
        names.push(segment.slice(1, -1))
        node.parameter ??= createNode()
        node = node.parameter
      } else {
        const next = node.fixed.get(segment) ?? createNode()
        node.fixed.set(segment, next)
        node = next
      }
    }
    node.here.set(method, { route, names })
  }

  /** A slash at the end makes no difference. Undefined also for a segment that cannot be decoded. */
  find(method: string, path: string): Found<Route> | undefined {
    const end = path.length > 1 && path.endsWith('/') ? path.length - 1 : path.length
    return this.#walk(this.#root, method, path, 1, end, [])
  }

  #walk(
    node: Node<Route>,
    method: string,
    path: string,
    start: number,
    end: number,
    values: string[],
  ): Found<Route> | undefined {
    if (start > end) return toFound(leafFor(node.here, method), values, undefined)
    const slash = path.indexOf('/', start)
    const stop = slash === -1 || slash > end ? end : slash
    const segment = path.slice(start, stop)
    const fixed = node.fixed.get(segment)
    const found = fixed && this.#walk(fixed, method, path, stop + 1, end, values)
    if (found !== undefined) return found
    if (node.parameter !== undefined && segment !== '') {
      values.push(segment)
      const below = this.#walk(node.parameter, method, path, stop + 1, end, values)
      if (below !== undefined) return below
      values.pop()
    }
    if (node.rest.size === 0) return undefined
    return toFound(leafFor(node.rest, method), values, path.slice(start))
  }
}

function createNode<Route>(): Node<Route> {
  return { fixed: new Map(), parameter: undefined, here: new Map(), rest: new Map() }
}

function leafFor<Route>(
  leaves: ReadonlyMap<string, Leaf<Route>>,
  method: string,
): Leaf<Route> | undefined {
  return leaves.get(method) ?? leaves.get('*')
}

function toFound<Route>(
  leaf: Leaf<Route> | undefined,
  values: readonly string[],
  rest: string | undefined,
): Found<Route> | undefined {
  if (leaf === undefined) return undefined
  const params: Record<string, string> = {}
  let index = 0
  for (const name of leaf.names) {
    const value = decode(values[index] ?? '')
    if (value === undefined) return undefined
    params[name] = value
    index += 1
  }
  if (rest !== undefined) params['*'] = rest
  return { route: leaf.route, params }
}

function decode(segment: string): string | undefined {
  if (!segment.includes('%')) return segment
  try {
    return decodeURIComponent(segment)
  } catch {
    // Not an address of ours, whatever it was meant to be.
    return undefined
  }
}
