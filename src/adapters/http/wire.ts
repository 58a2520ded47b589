/** A request as Node has it, as surfaces want it: who was called, with which path and headers. */
import type { IncomingMessage } from 'node:http'
import type { Emulator } from '../../emulator/emulator.ts'
import { CloudError } from '../../model/errors.ts'
import type { Match } from '../../surfaces/http/router.ts'
import type { WireRequest } from '../../surfaces/http/serve.ts'
import { hostedPod, podPort } from '../../world/hosted.ts'
import type { World } from '../../world/world.ts'
import { findCloudHost, requestOrigin } from '../cloud-hosts.ts'
import { type Entrance, hostname, type Target, targetOf } from './entrance.ts'
import { type HostGuard, hostedEndpointId } from './host-guard.ts'

export interface Address {
  readonly path: string
  /** What follows `?`; empty for nothing. */
  readonly search: string
  /** The endpoint, or the port of a pod, that was called by its own host name. */
  readonly hostedId: string | undefined
  /** One of the cloud's own names, if it was called by that. */
  readonly entrance: Entrance | undefined
  readonly refusal: CloudError | undefined
}

/** Whom a request is for, and whether it is let in there. */
export function readAddress(
  request: IncomingMessage,
  emulator: Emulator,
  guard: HostGuard,
): Address {
  const target = targetOf(request)
  const { entrance, url } = target
  const mark = url.indexOf('?')
  const path = mark === -1 ? url : url.slice(0, mark)
  return {
    path,
    search: mark === -1 ? '' : url.slice(mark + 1),
    hostedId: hostedIdOf(request.headers.host, entrance, emulator),
    entrance,
    refusal: refusalOf(request, target, guard),
  }
}

/** The operation, with what stands in its way. */
export function matchOf(
  { method = 'GET' }: IncomingMessage,
  { path, hostedId, entrance, refusal }: Address,
  emulator: Emulator,
): Match | Promise<Match> {
  const found = emulator.route(method, path, hostedId)
  const stop = refusal ?? (entrance && notThere(entrance, path))
  if (stop === undefined) return found
  if (found instanceof Promise) return found.then((match) => ({ ...match, refusal: stop }))
  return { ...found, refusal: stop }
}

/** Without its body. */
export function toWire(
  { method = 'GET', headers, socket }: IncomingMessage,
  { path, search, hostedId, entrance }: Address,
  onHangUp: WireRequest['onHangUp'],
): WireRequest {
  const scheme = 'encrypted' in socket ? 'https' : 'http'
  return {
    method,
    // Both addresses of an endpoint look the same there.
    path: hostedId === undefined ? path : `${hostedPath(hostedId)}${path}`,
    search,
    headers: headers as Record<string, string | undefined>,
    origin: entrance === undefined ? `${scheme}://${headers.host ?? 'localhost'}` : requestOrigin,
    text: undefined,
    onHangUp,
  }
}

/** What a host name is the own address of: an endpoint, or the port of a pod. */
export function hostedIdOf(
  host: string | undefined,
  entrance: Entrance | undefined,
  emulator: Emulator,
): string | undefined {
  if (entrance === undefined) return hostedEndpointId(host, () => worldsOf(emulator))
  const { name, host: known } = entrance
  const label = name.slice(0, name.indexOf('.'))
  if (known.ofPod) return podPort(label)
  return known.ofEndpoint ? label : undefined
}

function refusalOf(
  { headers }: IncomingMessage,
  { entrance, refusal }: Target,
  guard: HostGuard,
): CloudError | undefined {
  if (refusal !== undefined) return refusal
  if (entrance === undefined) return guard(headers)
  const { origin } = headers
  const isOfTheCloud = origin !== undefined && findCloudHost(hostname(hostOf(origin))) !== undefined
  return guard(isOfTheCloud ? { host: 'localhost' } : { ...headers, host: 'localhost' })
}

/** What only the emulator has is not at the cloud's names. */
function notThere({ name, host }: Entrance, path: string): CloudError | undefined {
  if (host.ofPod && podPort(name.slice(0, name.indexOf('.'))) === undefined) {
    return new CloudError('not_found', `${name} names no port of a pod`)
  }
  // Every path there is the pod's.
  if (!path.startsWith('/_emulator') || host.ofPod) return undefined
  return new CloudError('not_found', `${name} has no ${path}; it is at the emulator's own address`)
}

function hostOf(origin: string): string {
  return URL.canParse(origin) ? new URL(origin).host : ''
}

/** What the log of requests has before the path that was called there. */
export function hostedPath(hostedId: string): string {
  return hostedPod(hostedId) === undefined ? `/v2/${hostedId}` : `/${hostedId}`
}

function* worldsOf({ accounts }: Emulator): Iterable<World> {
  for (const { world } of accounts.sessions) yield world
}
