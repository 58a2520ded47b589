/** Which key opens which world. */
import type { ApiKey } from '../model/account.ts'
import type { Access } from '../surfaces/http/access.ts'
import type { World } from '../world/world.ts'
import type { Keeper } from './data/keeper.ts'
import type { Session } from './session.ts'

export interface AccountOptions {
  /** `any`: every key that is not listed opens the default world. `strict`: only listed keys do. */
  readonly auth: 'any' | 'strict'
  /** Each key that is not listed gets a world of its own. */
  readonly isolate: boolean
  /** Where keys and worlds are kept beyond the end of the process, if they are. */
  readonly keeper?: Keeper | undefined
}

interface Found {
  readonly session: Session
  readonly key: ApiKey | undefined
}

export class Accounts {
  readonly #options: AccountOptions
  readonly #open: (key: string | null) => Session
  readonly #listed: Map<string, ApiKey>
  readonly #sessions = new Map<string, Session>()
  readonly main: Session

  /** `open` makes a session around the world that a key opens; null for the default one. */
  constructor(
    options: AccountOptions,
    keys: readonly ApiKey[],
    open: (key: string | null) => Session,
  ) {
    this.#options = options
    this.#open = open
    this.#listed = new Map(keys.map((key) => [key.key, key]))
    this.main = open(null)
    // No key is empty, so none can be mistaken for it.
    this.#sessions.set('', this.main)
    this.#restore()
  }

  /** False only when no fault is at work on requests, in any world: a quick look. */
  get mayBeStruck(): boolean {
    return this.#sessions.size > 1 || this.main.world.faultIndex.at('request').length > 0
  }

  get sessions(): IterableIterator<Session> {
    return this.#sessions.values()
  }

  /** Keys that are known by name. */
  get keys(): readonly ApiKey[] {
    return [...this.#listed.values()]
  }

  /** Keys that are known by name open the default world, and no other. */
  readonly keysOf = (world: World): readonly ApiKey[] =>
    world === this.main.world ? this.keys : []

  putKey(key: ApiKey): void {
    this.#options.keeper?.noteKey(key.key, key)
    this.#listed.set(key.key, key)
  }

  removeKey(key: string): boolean {
    if (!this.#listed.delete(key)) return false
    this.#options.keeper?.noteKey(key, null)
    return true
  }

  /** From now on the key opens this session, whatever it opened before. */
  adopt(key: string, session: Session): void {
    this.#sessions.get(key)?.close()
    this.#sessions.set(key, session)
  }

  /** Each session with the key that opens it; null for the default one. */
  get opened(): readonly (readonly [key: string | null, session: Session])[] {
    return [...this.#sessions].map(([key, session]) => [key === '' ? null : key, session])
  }

  /** The world a key opens and its rights there; undefined for a key that is refused. */
  find(key: string): Found | undefined {
    const known = this.findKnown(key)
    if (known !== undefined) return known
    if (this.#options.auth === 'strict') return undefined
    if (!this.#options.isolate) return { session: this.main, key: undefined }
    const session = this.#open(key)
    this.#sessions.set(key, session)
    return { session, key: undefined }
  }

  /** The same for a key that is known by name or has opened a world; no other opens one. */
  findKnown(key: string): Found | undefined {
    const listed = this.#listed.get(key)
    if (listed !== undefined) return { session: this.main, key: listed }
    const endpointId = this.main.world.workerKeys.endpointOf(key)
    if (endpointId !== undefined) return { session: this.main, key: workerKey(key, endpointId) }
    const known = this.#sessions.get(key)
    if (known !== undefined) return { session: known, key: undefined }
    return this.#findIssued(key)
  }

  /** What was there when the process before this one ended. */
  #restore(): void {
    const { keeper } = this.#options
    if (keeper === undefined) return
    for (const [key, value] of Object.entries(keeper.keys)) {
      if (value === null) this.#listed.delete(key)
      else this.#listed.set(key, value)
    }
    for (const key of keeper.others) this.#sessions.set(key, this.#open(key))
  }

  /** A key that a world gave out at run time opens that world, as far as it was meant to. */
  #findIssued(key: string) {
    for (const session of this.#sessions.values()) {
      const issued = session.world.issuedKeys.find(key)
      if (issued === undefined) continue
      const access = issued.opens === 'everything' ? 'all' : 'restricted'
      return { session, key: { key, access } as const }
    }
    return undefined
  }

  access(key: string): Access | undefined {
    const found = this.find(key)
    if (found === undefined) return undefined
    const { session, key: known } = found
    return { world: session.world, key: known, anonymous: false, keysOf: this.keysOf }
  }

  /** Closes every world but the default one. */
  closeOthers(): void {
    for (const [name, session] of this.#sessions) {
      if (session === this.main) continue
      session.close()
      this.#sessions.delete(name)
    }
  }
}

/** An endpoint's own key: its workers may do there what they like, and nothing anywhere else. */
function workerKey(key: string, endpointId: string): ApiKey {
  return { key, access: 'restricted', endpoints: { [endpointId]: 'READ_WRITE' } }
}
