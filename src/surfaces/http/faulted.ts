/** Serves a request with the faults that strike it: before its operation, and on its answer. */
import { type AnswerHit, refusalOf, strikeRequest } from '../../domain/faults/requests.ts'
import { CloudError } from '../../model/errors.ts'
import type { EffectAt } from '../../model/fault.ts'
import type { World } from '../../world/world.ts'
import { guestOf } from './access.ts'
import type { Strike } from './operation.ts'
import type { Reply } from './reply.ts'
import { fullName, type Match } from './router.ts'
import { type Engine, serve, type WireRequest } from './serve.ts'

type Effect = EffectAt<'request'>
/** An effect that decides what the answer is, or breaks it. */
type Deciding = Exclude<Effect, { kind: 'delay' }>

/** As `serve`, for a request that a fault may strike. Without faults it is the same, and as fast. */
export function serveFaulted(
  engine: Engine,
  match: Match,
  wire: WireRequest,
): Reply | Promise<Reply> {
  if (!engine.mayBeStruck()) return serve(engine, match, wire)
  const key = match.surface.keyOf(wire.headers, wire.search)
  const world = worldOf(engine, match, wire, key)
  if (world === undefined || world.faultIndex.at('request').length === 0) {
    return serve(engine, match, wire)
  }
  const struck = new Struck(world, key)
  const happening = { operation: fullName(match), ids: Object.values(match.params) }
  const decided = engine.turn(world, () => struck.by(happening.operation, happening.ids))
  const isServed = decided === undefined || happens(decided)
  const answer = isServed ? serve(engine, match, wire, struck.inside) : { status: 500 }
  if (answer instanceof Promise) {
    return answer.then((reply) => finish(struck, reply, { engine, match, wire }))
  }
  return finish(struck, answer, { engine, match, wire })
}

/**
 * Where its faults are: in the world that the key opens. The control API is not the cloud's, and has
 * none; nor has a request that was refused before anybody looked at what it asks.
 */
function worldOf(
  engine: Engine,
  match: Match,
  wire: WireRequest,
  key: string | undefined,
): World | undefined {
  const { surface, operation, refusal } = match
  if (surface.name === 'control' || operation === undefined) return undefined
  if (refusal !== undefined && refusal.code !== 'not_emulated') return undefined
  if (key === undefined || key === '')
    return guestOf(engine, surface.guestKeyOf?.(wire.headers)).world
  return engine.keyRing(key)?.world
}

/** The faults that one request was struck by. */
class Struck {
  readonly world: World
  readonly #key: string | undefined
  readonly #hits: AnswerHit[] = []
  /** What the whole answer becomes. */
  decided: Deciding | undefined

  constructor(world: World, key: string | undefined) {
    this.world = world
    this.#key = key
  }

  get faultIds(): string[] {
    return this.#hits.map(({ faultId }) => faultId)
  }

  get delayMs(): number {
    return this.#hits.reduce((sum, { delayMs }) => sum + delayMs, 0)
  }

  by(operation: string, ids: readonly string[]): Deciding | undefined {
    this.decided = this.#strike(operation, ids)
    return this.decided
  }

  /** An operation inside the one that was called: it is refused alone, and the rest is answered. */
  readonly inside: Strike = (operation, ids, operate) => {
    const decided = this.#strike(operation, ids)
    if (decided === undefined) return operate()
    const result = happens(decided) ? operate() : undefined
    if (decided.kind === 'refuse') throw refusalOf(decided)
    // Of an answer that is replaced nobody sees what it was.
    this.decided ??= decided
    if (result === undefined) throw new CloudError('internal_error', 'struck by a fault')
    return result
  }

  #strike(operation: string, ids: readonly string[]): Deciding | undefined {
    const hits = strikeRequest(this.world, { operation, ids, key: this.#key })
    this.#hits.push(...hits)
    return hits.map(({ effect }) => effect).find((effect) => effect.kind !== 'delay')
  }
}

/** What breaks an answer needs one; what replaces it says whether the operation is carried out. */
function happens(effect: Deciding): boolean {
  return 'bytes' in effect || effect.happens === true
}

interface Served {
  readonly engine: Engine
  readonly match: Match
  readonly wire: WireRequest
}

function finish(struck: Struck, answer: Reply, served: Served): Reply | Promise<Reply> {
  const { decided, faultIds, delayMs } = struck
  const isLost = decided !== undefined && !('bytes' in decided)
  if (isLost || (decided !== undefined && answer.conversation !== undefined)) hangUpOn(answer)
  const spoilt = decided === undefined ? answer : spoil(answer, decided, served)
  const uses = answer.uses === undefined ? {} : { uses: answer.uses }
  const reply = faultIds.length === 0 ? spoilt : { ...spoilt, ...uses, faults: faultIds }
  if (delayMs === 0) return reply
  const waiting = {
    waitFor: 'a delayed answer',
    limitMs: delayMs,
    answer: () => undefined,
    otherwise: () => reply,
  }
  return served.engine.wait(struck.world, waiting, served.wire)
}

function spoil(answer: Reply, effect: Deciding, { engine, match }: Served): Reply {
  switch (effect.kind) {
    case 'refuse':
      return match.surface.renderError(refusalOf(effect), match.operation, engine.anonymous.world)
    case 'reply':
      return literal(effect)
    case 'reset':
      return { status: 0, breaks: { how: 'reset', afterBytes: 0 } }
    case 'truncate':
      return { ...withoutConversation(answer), breaks: { how: 'close', afterBytes: effect.bytes } }
    case 'stall':
      return { ...withoutConversation(answer), breaks: { how: 'stall', afterBytes: effect.bytes } }
    default:
      return answer
  }
}

/** Nobody hears the rest of an answer that is lost on its way. */
function hangUpOn({ stream, conversation }: Reply): void {
  stream?.({ write: () => {}, end: () => {} })()
  conversation?.({ send: () => {}, close: () => {} }).closed()
}

/** An answer that is broken off is no conversation. */
function withoutConversation({ conversation: _lost, ...answer }: Reply): Reply {
  return answer
}

function literal({ status, headers = {}, body }: Extract<Effect, { kind: 'reply' }>): Reply {
  if (typeof body !== 'string') return { status, headers, ...(body === undefined ? {} : { body }) }
  return {
    status,
    headers: { 'content-type': 'text/plain; charset=utf-8', ...headers },
    text: body,
  }
}
