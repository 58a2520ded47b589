/**
 * By which of the cloud's names a request came in, where it came by one.
 *
 * There are four ways: a tunnel through the proxy, TLS with that name, a line in memory, and a request
 * that is sent to the proxy with its whole address. Each opens a connection, or a request, for one name,
 * and whoever says another name inside is refused: a page on the web that gets a browser to call this
 * machine by a name of its own choosing has no use of any of them.
 */
import type { IncomingMessage } from 'node:http'
import { CloudError } from '../../model/errors.ts'
import { type CloudHost, findCloudHost, listedCloudHosts } from '../cloud-hosts.ts'

export interface Entrance {
  /** `demolb.api.runpod.ai`, in lower case */
  readonly name: string
  readonly host: CloudHost
}

const openedFor = new WeakMap<object, Entrance>()

/** From now on whatever comes over this connection is for that name. False for a name of nobody's. */
export function openFor(connection: object, name: string): boolean {
  const host = findCloudHost(name)
  if (host === undefined) return false
  openedFor.set(connection, { name, host })
  return true
}

export interface Target {
  /** Undefined for a request by a name of this machine. */
  readonly entrance: Entrance | undefined
  /** Path and query. */
  readonly url: string
  readonly refusal?: CloudError
}

export function targetOf({ url = '/', headers, socket }: IncomingMessage): Target {
  const entrance = openedFor.get(socket)
  if (entrance === undefined) {
    return isPath(url) ? { entrance, url } : wholeAddress(url, socket.localPort)
  }
  const said = hostname(headers.host)
  if (said === entrance.name && isPath(url)) return { entrance, url }
  const message = `this connection was opened for ${entrance.name}; '${headers.host ?? ''}' is not called over it`
  return { entrance, url: '/', refusal: new CloudError('forbidden', message) }
}

/** Without its port, in lower case. */
export function hostname(host: string | undefined): string {
  return (host ?? '').replace(/:\d+$/, '').toLowerCase()
}

/** What the proxy says to whoever wants to go anywhere else. */
export function notOurs(address: string): CloudError {
  return new CloudError(
    'forbidden',
    `compute-emulator is a proxy for the cloud alone and does not call '${address}'; it answers for ${listedCloudHosts}. Put other hosts, localhost too, into NO_PROXY.`,
  )
}

/** Spec: RFC 9112, 3.2.2. The name in the address counts, whatever the Host header says. */
function wholeAddress(address: string, localPort: number | undefined): Target {
  const parsed = URL.canParse(address) ? new URL(address) : undefined
  if (parsed === undefined || !/^https?:$/.test(parsed.protocol)) {
    return { entrance: undefined, url: address }
  }
  const url = `${parsed.pathname}${parsed.search}`
  const host = isUsualPort(parsed) ? findCloudHost(parsed.hostname) : undefined
  if (host !== undefined) return { entrance: { name: parsed.hostname, host }, url }
  // A caller that sends everything to its proxy may mean the emulator itself.
  if (ownNames.has(parsed.hostname) && parsed.port === String(localPort)) {
    return { entrance: undefined, url }
  }
  return { entrance: undefined, url, refusal: notOurs(parsed.host) }
}

const ownNames = new Set(['localhost', '127.0.0.1', '[::1]'])
const isUsualPort = ({ port }: URL): boolean => port === '' || port === '443' || port === '80'
const isPath = (url: string): boolean => url.startsWith('/')
