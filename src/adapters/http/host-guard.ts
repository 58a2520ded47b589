/**
 * Which callers are let in: those that name this machine, or a name that the user listed.
 *
 * A page on the web can make a browser send requests to this machine, under a name of the page's
 * choosing. It cannot choose the names here, nor what the browser says of where a request is from, so
 * it gets nothing.
 */
import type { IncomingHttpHeaders } from 'node:http'
import { CloudError } from '../../model/errors.ts'
import { findHosted } from '../../world/hosted.ts'
import type { World } from '../../world/world.ts'
import { hostname } from './entrance.ts'

/** A refusal, or undefined for a caller that is let in. */
export type HostGuard = (headers: IncomingHttpHeaders) => CloudError | undefined

const ownNames = new Set(['localhost', '127.0.0.1', '[::1]'])

/** `*` in `allowed` lets everybody in. `origins`: pages that may call, as browsers name them. */
export function createHostGuard(
  allowed: readonly string[],
  origins: readonly string[] = [],
): HostGuard {
  const names = new Set([...ownNames, ...allowed.map((name) => name.toLowerCase())])
  const listed = new Set(origins)
  const isOpen = names.has('*')
  let lastHost: string | undefined
  return (headers) => {
    const { host, origin } = headers
    if (isOpen && hostname(host) !== '') return undefined
    if (host === undefined || host !== lastHost) {
      if (!isHost(hostname(host), names)) return refused('Host', host)
      lastHost = host
    }
    if (origin !== undefined) {
      const isLetIn = listed.has(origin) || names.has(originName(origin)) || isSame(origin, host)
      return isLetIn ? undefined : refused('Origin', origin)
    }
    return isSentByForeignPage(headers) ? refused('Sec-Fetch-Site', 'cross-site') : undefined
  }
}

/** Endpoints and pods have names of their own, one label below a name that is known. */
function isHost(name: string, names: ReadonlySet<string>): boolean {
  if (names.has(name)) return true
  const dot = name.indexOf('.')
  return dot > 0 && names.has(name.slice(dot + 1).replace(/^proxy\./, ''))
}

/** A page that was loaded from an endpoint's own name calls that one. */
function isSame(origin: string, host: string | undefined): boolean {
  return origin === `http://${host}` || origin === `https://${host}`
}

/** Pictures, scripts and the like come without an origin. To follow a link is not the page's doing. */
function isSentByForeignPage(headers: IncomingHttpHeaders): boolean {
  if (headers['sec-fetch-site'] !== 'cross-site') return false
  return headers['sec-fetch-mode'] !== 'navigate' || headers['sec-fetch-dest'] !== 'document'
}

/**
 * `<endpointId>.<name>` is an endpoint's own address, in whichever of the worlds it is, and
 * `<podId>-<port>.proxy.<name>` that of a pod's port; `proxy` may be left out.
 */
export function hostedEndpointId(
  host: string | undefined,
  worlds: () => Iterable<World>,
): string | undefined {
  if (host === undefined || !host.includes('.') || host.startsWith('127.0.0.1')) return undefined
  const name = hostname(host)
  const label = name.slice(0, name.indexOf('.'))
  for (const world of worlds()) {
    const hosted = findHosted(world, label)
    if (hosted !== undefined) return hosted
  }
  return undefined
}

/** What lets in whoever has such a header. */
const ways = {
  Host: '--allow-host',
  Origin: '--allow-origin',
  'Sec-Fetch-Site': '--allow-origin',
} as const

function refused(header: keyof typeof ways, value: string | undefined): CloudError {
  return new CloudError(
    'forbidden',
    `${header} '${value ?? ''}' is not allowed; start with ${ways[header]} to let it in`,
  )
}

function originName(origin: string): string {
  try {
    return new URL(origin).hostname
  } catch {
    return ''
  }
}
