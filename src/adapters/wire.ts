/** A request as Node has it, as surfaces want it: who was called, with which path and headers. */
import type { IncomingMessage } from 'node:http'
import type { Emulator } from '../emulator/emulator.ts'
import type { WireRequest } from '../surfaces/http/serve.ts'
import type { World } from '../world/world.ts'
import { hostedEndpointId } from './host-guard.ts'

export interface Address {
  readonly path: string
  /** What follows `?`; empty for nothing. */
  readonly search: string
  /** The endpoint that was called by its own host name. */
  readonly hostedId: string | undefined
}

export function readAddress({ url = '/', headers }: IncomingMessage, emulator: Emulator): Address {
  const mark = url.indexOf('?')
  return {
    path: mark === -1 ? url : url.slice(0, mark),
    search: mark === -1 ? '' : url.slice(mark + 1),
    hostedId: hostedEndpointId(headers.host, () => worldsOf(emulator)),
  }
}

/** Without its body. */
export function toWire(
  { method = 'GET', headers }: IncomingMessage,
  { path, search, hostedId }: Address,
  onHangUp: WireRequest['onHangUp'],
): WireRequest {
  return {
    method,
    // In the log of requests both addresses of an endpoint look the same.
    path: hostedId === undefined ? path : `/v2/${hostedId}${path}`,
    search,
    headers: headers as Record<string, string | undefined>,
    origin: `http://${headers.host ?? 'localhost'}`,
    text: undefined,
    onHangUp,
  }
}

function* worldsOf({ accounts }: Emulator): Iterable<World> {
  for (const { world } of accounts.sessions) yield world
}
