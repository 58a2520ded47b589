/** What a handler is given of one call. */
import type { World } from '../../world/world.ts'
import type { Access } from './access.ts'
import type { Context, Strike } from './operation.ts'
import { fullName, type Match } from './router.ts'
import type { Engine, WireRequest } from './serve.ts'

type Asked = Context<unknown, unknown, unknown>

interface CallParts extends Pick<Asked, 'query' | 'body' | 'strike'> {
  readonly engine: Engine
  readonly match: Match
  readonly wire: WireRequest
  readonly access: Access
}

/**
 * What few handlers ask for is made when it is asked for: a dozen functions for each request took as
 * long as the rest of its way to the handler.
 */
export class Call implements Asked {
  readonly world: World
  readonly access: Access
  readonly query: unknown
  readonly body: unknown
  readonly strike: Strike
  readonly #engine: Engine
  readonly #match: Match
  readonly #wire: WireRequest

  constructor({ engine, match, wire, access, query, body, strike }: CallParts) {
    this.world = access.world
    this.access = access
    this.query = query
    this.body = body
    this.strike = strike
    this.#engine = engine
    this.#match = match
    this.#wire = wire
  }

  get method() {
    return this.#wire.method
  }

  get params() {
    return this.#match.params
  }

  get headers() {
    return this.#wire.headers
  }

  get origin() {
    return this.#wire.origin
  }

  get search() {
    return this.#wire.search
  }

  get text() {
    return this.#wire.text
  }

  get upload() {
    return this.#wire.upload
  }

  get upgrade() {
    return this.#wire.upgrade ?? false
  }

  get onHangUp() {
    return this.#wire.onHangUp
  }

  get follow(): Asked['follow'] {
    return (logId, listener) => this.#engine.follow(this.world, logId, listener)
  }

  get watch(): Asked['watch'] {
    return (id, listener) => this.#engine.watch(this.world, id, listener)
  }

  get openLine(): Asked['openLine'] {
    return (id, listener) => this.#engine.openLine(this.world, id, listener)
  }

  get forward(): Asked['forward'] {
    return (place, request, to) => this.#engine.forward(this.world, place, request, to)
  }

  get turn(): Asked['turn'] {
    return (change) => this.#engine.turn(this.world, change)
  }

  get reportBug(): Asked['reportBug'] {
    return (bug) => this.#engine.reportBug(bug, fullName(this.#match))
  }
}
