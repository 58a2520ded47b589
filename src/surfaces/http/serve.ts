/** Takes a request through its operation: who asks, may they, is it well formed, what is the answer. */
import type { TObject } from '@sinclair/typebox'
import { CloudError, invalidField } from '../../model/errors.ts'
import { maskSecrets } from '../../model/masking.ts'
import type { World } from '../../world/world.ts'
import { type Access, authenticate, authorize, type Entrances, guestOf } from './access.ts'
import { Call } from './call.ts'
import { splitCommaLists } from './comma-lists.ts'
import type { Forwarded, ForwardListener, Place } from './forward.ts'
import { parseJson, requireShallow } from './json.ts'
import type {
  ChangeListener,
  LineListener,
  LogListener,
  Operation,
  Strike,
  Upload,
} from './operation.ts'
import { type Answer, isWaiting, type Reply, type Waiting, withHeaders } from './reply.ts'
import { fullName, type Match } from './router.ts'
import type { Metering, Surface } from './surface.ts'
import { compilersLoaded, loadCompilers, validate } from './validate.ts'

/** A request off the wire, its body complete. */
export interface WireRequest {
  readonly method: string
  readonly path: string
  /** What follows `?`; empty for nothing. */
  readonly search: string
  readonly headers: Readonly<Record<string, string | undefined>>
  readonly origin: string
  /** Undefined also where the operation takes an upload. */
  readonly text: string | undefined
  /** Why there is a body and no text: it is not UTF-8. */
  readonly unreadable?: string
  readonly upload?: Upload
  /** The caller wants to keep the line, and talk over it. */
  readonly upgrade?: true
  /** Calls back once if the caller hangs up before it has its answer. */
  readonly onHangUp: (listener: () => void) => void
}

/** What surfaces need of the emulator that runs them. */
export interface Engine extends Entrances {
  /** False when no world has faults on requests. */
  readonly mayBeStruck: () => boolean
  readonly turn: <Result>(world: World, change: () => Result) => Result
  /** Lets happen what is due in a world by now. */
  readonly catchUp: (world: World) => void
  readonly wait: (world: World, waiting: Waiting, wire: WireRequest) => Promise<Reply>
  readonly follow: (world: World, logId: string, listener: LogListener) => () => void
  readonly watch: (world: World, id: string, listener: ChangeListener) => () => void
  readonly openLine: (world: World, requestId: string, listener: LineListener) => () => void
  readonly forward: (
    world: World,
    place: Place,
    request: Forwarded,
    to: ForwardListener,
  ) => () => void
  /** How deep values may lie in each other in a body. */
  readonly jsonDepth: number
  /** Told of every bug, with its stack. */
  readonly reportBug: (bug: unknown, operation: string) => void
}

/** Where there are no faults, whatever is asked for is done. */
const unharmed: Strike = (_operation, _ids, operate) => operate()

/** Never rejects: refusals and bugs become replies in the surface's own form. */
export function serve(
  engine: Engine,
  match: Match,
  wire: WireRequest,
  strike: Strike = unharmed,
): Reply | Promise<Reply> {
  const tally: Tally = { headers: undefined }
  const failed = (error: unknown) => withTally(renderFailure(engine, match, error), tally)
  try {
    // Whoever was not let in changes nothing, and opens no world.
    if (match.refusal?.code === 'forbidden') throw match.refusal
    requireOpen(engine, match, wire)
    if (match.refusal !== undefined) throw match.refusal
    const { operation } = match
    if (operation?.handle === undefined) throw new Error('a match without refusal has a handler')
    if (needsCompilers(operation, wire.search) && !compilersLoaded()) {
      return loadCompilers().then(() => serve(engine, match, wire, strike))
    }
    const answer = answerOf(engine, match, operation, { wire, strike, tally })
    if (!(answer instanceof Promise)) return withTally(answer, tally)
    return answer.then((reply) => withTally(reply, tally), failed)
  } catch (error) {
    return failed(error)
  }
}

/** Whether it is over is told by the caller's own clock, where the key opens a world. */
function requireOpen(engine: Engine, { surface, operation }: Match, wire: WireRequest): void {
  if (surface.ended === undefined) return
  const key = surface.keyOf(wire.headers, wire.search)
  const access = key === undefined ? undefined : engine.keyRing(key)
  const { world } = access ?? engine.anonymous
  engine.catchUp(world)
  const refusal = surface.ended(world, operation)
  if (refusal !== undefined) throw refusal
}

/** What the call that is served was counted as, once it was. */
interface Tally {
  headers: Metering['headers'] | undefined
}

/** One call on its way. */
interface Serving {
  readonly wire: WireRequest
  readonly strike: Strike
  readonly tally: Tally
}

function withTally(reply: Reply, { headers }: Tally): Reply {
  return headers === undefined ? reply : withHeaders(reply, { ...headers, ...reply.headers })
}

function answerOf(
  engine: Engine,
  match: Match,
  operation: Operation,
  { wire, strike, tally }: Serving,
): Reply | Promise<Reply> {
  const { surface } = match
  const access = accessOf(engine, match, operation, wire)
  const { world } = access
  const meter = access.anonymous ? undefined : surface.meter?.(world)
  if (meter !== undefined) count(engine, meter, world, tally)
  authorize(access, operation.needs, match.params[operation.endpointParam ?? 'endpointId'])
  if (wire.text !== undefined) requireShallow(wire.text, engine.jsonDepth)
  const query = readQuery(operation, wire.search)
  const body = readBody(operation, wire, surface)
  const call = new Call({ engine, match, wire, access, query, body, strike })
  const handle = operation.handle as (context: unknown) => Answer | Promise<Reply>
  const answer = engine.turn(world, () => handle(call))
  if (answer instanceof Promise) return answer
  return isWaiting(answer) ? engine.wait(world, answer, wire) : answer
}

function count(engine: Engine, meter: () => Metering, world: World, tally: Tally): void {
  const { headers, refusal } = engine.turn(world, meter)
  tally.headers = headers
  if (refusal !== undefined) throw refusal
}

function accessOf(
  engine: Engine,
  { surface }: Match,
  { needs }: Operation,
  { headers, search }: WireRequest,
): Access {
  const key = surface.keyOf(headers, search)
  if (needs !== 'nothing') return authenticate(engine.keyRing, key)
  return key === undefined || key === ''
    ? guestOf(engine, surface.guestKeyOf?.(headers))
    : authenticate(engine.keyRing, key)
}

function needsCompilers({ query, body }: Operation, search: string): boolean {
  return body !== undefined || (query !== undefined && !mayBeEmpty(query, search))
}

/** Nothing was asked and nothing has to be: there is nothing to look at. */
function mayBeEmpty({ required = [] }: TObject, search: string): boolean {
  return search === '' && required.length === 0
}

function readQuery({ query }: Operation, search: string): unknown {
  if (query === undefined || mayBeEmpty(query, search)) return {}
  const values: Record<string, string | string[]> = Object.create(null)
  for (const [name, value] of new URLSearchParams(search)) {
    const earlier = values[name]
    if (earlier === undefined) values[name] = value
    else values[name] = [...(Array.isArray(earlier) ? earlier : [earlier]), value]
  }
  splitCommaLists(query, values)
  validate(query, values, 'texts')
  return values
}

function readBody(
  { body, bodyRequired }: Operation,
  { text, unreadable }: WireRequest,
  { plainNames }: Surface,
): unknown {
  if (unreadable !== undefined) throw invalidField([], unreadable)
  if (body === undefined) return undefined
  if (text === undefined || text.trim() === '') {
    if (bodyRequired === false) return undefined
    throw invalidField([], 'the request needs a JSON body')
  }
  const value = parseJson(text, plainNames === true)
  validate(body, value, 'bodies')
  return value
}

/** What callers are told of their own words may have a key in it, and replies are logged. */
function withoutSecrets({ code, message, subject, issues }: CloudError): CloudError {
  const masked = issues.map(({ path, message: reason, ...rest }) => ({
    ...rest,
    path: path.map(maskSecrets),
    message: maskSecrets(reason),
  }))
  return new CloudError(code, maskSecrets(message), subject, masked)
}

function renderFailure(engine: Engine, match: Match, error: unknown): Reply {
  const { surface, operation } = match
  if (error instanceof CloudError) {
    return surface.renderError(withoutSecrets(error), operation, engine.anonymous.world)
  }
  engine.reportBug(error, fullName(match))
  return surface.renderBug()
}
