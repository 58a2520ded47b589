/** What the web server of a simulated load-balancing worker says: the routes of its fixture. */
import type { Endpoint } from '../../model/endpoint.ts'
import type { Handler, HandlerRoute } from '../../model/handler.ts'
import type { AnswerContent, ProxiedAnswer, ProxiedRequest } from '../../model/request.ts'
import type { World } from '../../world/world.ts'
import { environmentOf } from '../environment.ts'
import { findHandler } from './handlers.ts'

type Asked = Pick<ProxiedRequest, 'method' | 'path' | 'upgrade'>

export function findRoute(
  world: World,
  endpoint: Endpoint,
  asked: Asked,
): HandlerRoute | undefined {
  const found = routeIn(findHandler(world, endpoint.handler), asked)
  if (found !== undefined) return found
  // Assumed of a fixture that says nothing of its health: there is nothing wrong with it.
  return asked.method === 'GET' && asked.path === healthPathOf(world, endpoint)
    ? healthy
    : undefined
}

/** Of routes that fit, one that takes WebSockets goes first for those who ask for one, only. */
export function routeIn({ routes = [] }: Handler, asked: Asked): HandlerRoute | undefined {
  const fitting = routes.filter((route) => fits(route, asked))
  const meant = fitting.find(({ webSocket }) => (webSocket !== undefined) === asked.upgrade)
  return meant ?? fitting[0]
}

/** What the caller gets. `sinceUpMs`: how long the worker's server is up. */
export function answerTo(
  world: World,
  endpoint: Endpoint,
  asked: Asked,
  sinceUpMs: number,
): ProxiedAnswer {
  // Spec: a server on another port than PORT is never reached. Assumed: the words.
  if (!listensOn(world, endpoint, portOf(world, endpoint)))
    return plain(502, { error: 'bad gateway' })
  const route = findRoute(world, endpoint, asked)
  const { limits } = world.settings
  // Spec: 30 MB each way. Assumed: what becomes of an answer that is larger.
  if (limits && sizeOf(route) > answerLimitBytes) return plain(502, { error: 'response too large' })
  return answerOf(route, asked, sinceUpMs)
}

export const answerLimitBytes = 30 * 1_048_576

function sizeOf(route: HandlerRoute | undefined): number {
  if (route?.bodyBytes !== undefined) return route.bodyBytes
  const parts = route?.stream ?? [route?.body]
  const texts = parts.map((part) => (typeof part === 'string' ? part : JSON.stringify(part)))
  return texts.reduce((sum, text) => sum + Buffer.byteLength(text ?? ''), 0)
}

/** A path that the server does not know is its own 404. `sinceUpMs`: how long it is up. */
export function answerOf(
  route: HandlerRoute | undefined,
  asked: Asked,
  sinceUpMs: number,
): ProxiedAnswer {
  if (route === undefined) return plain(404, { detail: 'Not Found' })
  const { status } = phaseAt(route, sinceUpMs)
  if (status !== route.status) return plain(status, undefined)
  const { headers } = route
  if (route.webSocket === undefined) return { status, headers, content: contentOf(route) }
  if (asked.upgrade) return { status: 101, headers, content: { kind: 'web-socket' } }
  return { ...plain(426, { detail: 'Upgrade Required' }), headers: { upgrade: 'websocket' } }
}

/** What the health path answers, and for how long it does, counted from the server's start. */
export function healthAt(
  world: World,
  endpoint: Endpoint,
  sinceUpMs: number,
): { readonly status: number; readonly untilMs: number } {
  // Observed: nobody answers on the wrong port, and the worker never becomes ready.
  if (!listensOn(world, endpoint, healthPortOf(world, endpoint))) {
    return { status: 204, untilMs: Number.POSITIVE_INFINITY }
  }
  const asked = { method: 'GET', path: healthPathOf(world, endpoint), upgrade: false }
  const route = findRoute(world, endpoint, asked)
  if (route === undefined) return { status: 404, untilMs: Number.POSITIVE_INFINITY }
  const { untilMs } = phaseAt(route, sinceUpMs)
  return { status: answerOf(route, asked, sinceUpMs).status, untilMs }
}

/** How long a server takes for the whole of an answer. */
export function serviceMs(world: World, route: HandlerRoute | undefined): number {
  if (route?.delayMs === undefined) return world.waitMs('requestServiceMs')
  return world.random.stream('handlers').duration(route.delayMs)
}

export function capacityOf(world: World, endpoint: Endpoint): number {
  return findHandler(world, endpoint.handler).capacity ?? Number.POSITIVE_INFINITY
}

/** What the platform answers in a worker's place. */
export function plain(status: number, body: unknown): ProxiedAnswer {
  return { status, headers: {}, content: { kind: 'whole', body } }
}

// Spec: /ping, unless the environment names another path.
export function healthPathOf(world: World, { spec }: Pick<Endpoint, 'spec'>): string {
  const { HEALTH_CHECK_PATH: path = '' } = environmentOf(world, spec.container)
  if (path === '') return '/ping'
  return path.startsWith('/') ? path : `/${path}`
}

// Spec: 80, unless the environment names another port.
const portOf = (world: World, { spec }: Endpoint): number =>
  Number(environmentOf(world, spec.container).PORT ?? 80)

function healthPortOf(world: World, endpoint: Endpoint): number {
  const { PORT_HEALTH: own } = environmentOf(world, endpoint.spec.container)
  if (own !== undefined) return Number(own)
  return world.settings.fidelity.portHealthDefault === 'PORT' ? portOf(world, endpoint) : 80
}

/** A simulated server listens where it is told, unless its fixture says that it does not. */
function listensOn(world: World, endpoint: Endpoint, port: number): boolean {
  const { port: own = portOf(world, endpoint) } = findHandler(world, endpoint.handler)
  return own === port
}

const healthy: HandlerRoute = {
  path: '/ping',
  status: 200,
  headers: {},
  body: { status: 'healthy' },
}

function phaseAt({ first = [], status }: HandlerRoute, sinceUpMs: number) {
  let untilMs = 0
  for (const phase of first) {
    untilMs += phase.forMs
    if (sinceUpMs < untilMs) return { status: phase.status, untilMs }
  }
  return { status, untilMs: Number.POSITIVE_INFINITY }
}

function contentOf({ echo, stream, body, bodyBytes }: HandlerRoute): AnswerContent {
  if (echo) return { kind: 'echo' }
  if (bodyBytes !== undefined) return { kind: 'whole', body: 'x'.repeat(bodyBytes) }
  return stream === undefined ? { kind: 'whole', body } : { kind: 'parts' }
}

function fits(route: HandlerRoute, { method, path }: Asked): boolean {
  if (route.method !== undefined && route.method !== method) return false
  if (route.path.endsWith('*')) return path.startsWith(route.path.slice(0, -1))
  return route.path === path
}
