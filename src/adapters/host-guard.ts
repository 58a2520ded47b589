/**
 * Which Host and Origin headers are let in: names of this machine and those the user listed.
 *
 * A page on the web can make a browser send requests to this machine, under a name of the page's
 * choosing. It cannot choose the names here, so it gets nothing.
 */
import { CloudError } from '../model/errors.ts'
import type { World } from '../world/world.ts'
import { hostname } from './entrance.ts'

/** A refusal, or undefined for a caller that is let in. */
export type HostGuard = (
  host: string | undefined,
  origin: string | undefined,
) => CloudError | undefined

const ownNames = new Set(['localhost', '127.0.0.1', '[::1]'])

/** `*` in `allowed` lets everybody in. */
export function createHostGuard(allowed: readonly string[]): HostGuard {
  const names = new Set([...ownNames, ...allowed])
  const isAllowed = (name: string) => {
    if (names.has('*') || names.has(name)) return true
    // Endpoints and pods have names of their own below an allowed one.
    const parent = name.slice(name.indexOf('.') + 1)
    return parent !== name && names.has(parent)
  }
  let lastHost: string | undefined
  return (host, origin) => {
    if (origin === undefined && host !== undefined && host === lastHost) return undefined
    const name = hostname(host)
    if (name === '' || !isAllowed(name)) return refused('Host', host)
    if (origin !== undefined && !isAllowed(originName(origin))) return refused('Origin', origin)
    lastHost = host
    return undefined
  }
}

/** `<endpointId>.<name>` is an endpoint's own address, in whichever of the worlds it is. */
export function hostedEndpointId(
  host: string | undefined,
  worlds: () => Iterable<World>,
): string | undefined {
  if (host === undefined || !host.includes('.') || host.startsWith('127.0.0.1')) return undefined
  const name = hostname(host)
  const label = name.slice(0, name.indexOf('.'))
  for (const world of worlds()) {
    if (world.endpoints.find(label) !== undefined) return label
  }
  return undefined
}

function refused(header: string, value: string | undefined): CloudError {
  return new CloudError(
    'forbidden',
    `${header} '${value ?? ''}' is not allowed; start with --allow-host to let it in`,
  )
}

function originName(origin: string): string {
  try {
    return new URL(origin).hostname
  } catch {
    return ''
  }
}
