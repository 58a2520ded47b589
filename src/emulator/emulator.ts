/** The emulator: worlds, their clock, and the surfaces that answer for them. It knows no sockets. */
import { loadFixtures } from '../adapters/fixtures/load.ts'
import { createWebhookSender } from '../adapters/webhooks/webhook-sender.ts'
import { goOn, resumeWorld, splitWorld } from '../domain/resume-world.ts'
import { startWorld } from '../domain/start-world.ts'
import { defaultBounds } from '../model/bounds.ts'
import type { Settings } from '../model/settings.ts'
import { createSurfaces, operationNames, reservedNouns } from '../surfaces/all.ts'
import { serveFaulted } from '../surfaces/http/faulted.ts'
import type { Reply, Waiting } from '../surfaces/http/reply.ts'
import { createRoutes, fullName, type Match, type Router } from '../surfaces/http/router.ts'
import type { Engine, WireRequest } from '../surfaces/http/serve.ts'
import type { WorldSnapshot } from '../world/snapshot.ts'
import type { World } from '../world/world.ts'
import { Accounts } from './accounts.ts'
import { assignHandlers } from './assigned-handlers.ts'
import { Clock } from './clock.ts'
import { createControls } from './controls.ts'
import type { Keeper } from './data/keeper.ts'
import { Snapshots } from './data/snapshots.ts'
import { elapsedMs } from './elapsed.ts'
import { createEngine } from './engine.ts'
import { InFlight } from './in-flight.ts'
import { MigrationLog, usesOf } from './migration-log.ts'
import { defaultKeep, type EmulatorOptions, fixedStartMs, type WebhookSender } from './options.ts'
import type { Origin } from './origin.ts'
import { Programs } from './programs/programs.ts'
import { addHeaders } from './reply-headers.ts'
import { reportBug } from './report-bug.ts'
import { RequestLog } from './request-log.ts'
import { Session } from './session.ts'
import { readSettings } from './settings.ts'

/** Throws `FixtureError`, `OptionError` or `DataError` when it cannot be made as asked. */
export async function createEmulator(options: EmulatorOptions = {}): Promise<Emulator> {
  const overlays = options.fixtures ?? []
  const fixtures = await loadFixtures({
    overlays,
    reservedIds: [...reservedNouns],
    operationNames,
  })
  const settings = await assignHandlers(readSettings(fixtures, options), options.handlers ?? {})
  if (options.data === undefined) return new Emulator(options, settings)
  const { openData } = await import('./data/open-data.ts')
  return openData(options.data, { options, settings, fixtures })
}

export class Emulator {
  readonly requests: RequestLog
  readonly migration = new MigrationLog()
  readonly clock: Clock
  readonly snapshots: Snapshots
  readonly accounts: Accounts
  readonly route: Router
  /** The user's own programs that run as workers here. */
  readonly programs: Programs
  /** Told of every bug in the emulator: the error, and what hit it. */
  readonly reportBug: (bug: unknown, operation: string) => void
  readonly #options: EmulatorOptions
  readonly #settings: Settings
  readonly #engine: Engine
  readonly #sessions = new WeakMap<World, Session>()
  readonly #startMs: () => number
  readonly #sendWebhook: WebhookSender
  readonly #keeper: Keeper | undefined
  #seed: string
  readonly #inFlight = new InFlight()

  constructor(options: EmulatorOptions, settings: Settings, { world, keeper }: Origin = {}) {
    this.#options = options
    this.#settings = settings
    this.#keeper = keeper
    this.#seed = keeper?.seed ?? options.seed ?? '0'
    this.snapshots = new Snapshots(keeper?.snapshots)
    const mode = options.clock ?? 'real'
    this.#startMs = () => options.startMs ?? (mode === 'real' ? Date.now() : fixedStartMs)
    this.#sendWebhook = options.sendWebhook ?? createWebhookSender(options.webhookTargets)
    this.requests = new RequestLog({ ...defaultKeep, ...options.keep }.requests)
    this.clock = new Clock(
      { mode, speed: options.speed ?? 1, inFlight: () => this.#inFlight.count },
      () => this.accounts.sessions,
    )
    this.programs = new Programs({
      turn: (session, change) => {
        this.clock.catchUp(session)
        session.turn(change)
      },
      network: options.dockerNetwork,
      onLine: options.onWorkerLine,
    })
    this.reportBug = options.onBug ?? reportBug
    const { auth = 'any', isolate = false } = options
    this.accounts = new Accounts({ auth, isolate, keeper }, settings.start.keys, (key) =>
      this.#openSession(key, key === null ? world : undefined),
    )
    this.#engine = createEngine(this, {
      jsonDepth: { ...defaultBounds, ...options.bounds }.jsonDepth,
      wait: (of, waiting, wire) => this.#wait(this.sessionOf(of), waiting, wire),
    })
    const controls = createControls(this, { seed: () => this.#seed, profile: options.profile })
    this.route = createRoutes(createSurfaces(controls), (loading) => this.#inFlight.hold(loading))
    this.clock.begin(this.accounts.main)
  }

  /** Answers one request, at once where nothing has to be waited for. Rejects when `match` does. */
  handle(match: Match | Promise<Match>, wire: WireRequest): Reply | Promise<Reply> {
    if (match instanceof Promise) return match.then((found) => this.handle(found, wire))
    const startedMs = elapsedMs()
    this.#inFlight.begin()
    const answer = serveFaulted(this.#engine, match, wire)
    const finish = (reply: Reply) => this.#finish(match, wire, reply, startedMs)
    return answer instanceof Promise ? answer.then(finish) : finish(answer)
  }

  /** The session of the default world. */
  get main(): Session {
    return this.accounts.main
  }

  get seed(): string {
    return this.#seed
  }

  /** For a person: what of the data is not as the options say, and what was damaged. */
  get notices(): readonly string[] {
    return this.#keeper?.notices ?? none
  }

  sessionOf(world: World): Session {
    const session = this.#sessions.get(world)
    if (session === undefined) throw new Error('every world has a session')
    return session
  }

  /** Puts a world that was saved in the place of a session's own. */
  load(session: Session, snapshot: WorldSnapshot): void {
    const world = resumeWorld(this.#settings, snapshot)
    this.#sessions.set(world, session)
    session.replaceWorld(world)
    this.clock.begin(session)
  }

  /** Gives a key a world of its own that begins with what was saved. */
  fork(key: string, snapshot: WorldSnapshot): Session {
    const session = this.#openSession(key, resumeWorld(this.#settings, snapshot))
    this.accounts.adopt(key, session)
    return session
  }

  /** Another emulator, by itself, whose default world goes on from where this one's is. */
  split(): Emulator {
    const { mode: clock, speed } = this.clock
    const options = { ...this.#options, seed: this.#seed, clock, speed }
    const { world, waits } = this.main
    const other = new Emulator(options, this.#settings, {
      world: splitWorld(world, waits.timers),
    })
    for (const key of this.accounts.keys) other.accounts.putKey(key)
    return other
  }

  /** Begins again from the start state, with another seed if one is given. */
  reset(seed?: string): void {
    this.#seed = seed ?? this.#seed
    this.#keeper?.beginAgain(this.#seed)
    this.accounts.closeOthers()
    const { main } = this.accounts
    const world = this.#makeWorld()
    this.#sessions.set(world, main)
    main.replaceWorld(world)
    this.clock.begin(main)
  }

  /** Answers everybody who waits, and stops time. */
  close(): void {
    for (const session of this.accounts.sessions) {
      this.clock.catchUp(session)
      session.write()
    }
    this.clock.close()
    for (const session of this.accounts.sessions) session.close()
    this.#keeper?.close()
  }

  /** `made`: the world that it begins with, whatever was kept under that key. */
  #openSession(key: string | null, made?: World): Session {
    const keeper = this.#keeper?.world(key)
    const kept = made === undefined ? keeper?.restore(this.#settings) : undefined
    const world = made ?? kept ?? this.#makeWorld()
    if (kept === undefined) keeper?.begin(world)
    const session: Session = new Session(key ?? 'default', world, {
      sendWebhook: this.#sendWebhook,
      run: (from, effect) => this.programs.perform(from, effect),
      killPrograms: (from) => this.programs.killAll(from),
      afterTurn: (changed) => this.clock.afterTurn(changed),
      keeper,
    })
    this.#sessions.set(world, session)
    if (kept !== undefined) session.turn(() => goOn(kept))
    if (key !== null) this.clock.begin(session)
    return session
  }

  #makeWorld(): World {
    return startWorld({ settings: this.#settings, seed: this.#seed, startMs: this.#startMs() })
  }

  /** A caller that waits does not hold the clock: it is the clock that it waits for. */
  async #wait(session: Session, waiting: Waiting, wire: WireRequest): Promise<Reply> {
    this.#inFlight.end()
    try {
      const answered = session.wait(waiting, wire)
      this.clock.afterTurn(session)
      return await answered
    } finally {
      this.#inFlight.begin()
    }
  }

  #finish(match: Match, wire: WireRequest, reply: Reply, startedMs: number) {
    this.#inFlight.end()
    const userAgent = wire.headers['user-agent']
    const atMs = this.accounts.main.world.nowMs
    for (const use of usesOf(match, reply)) {
      this.migration.add(match.surface.name, use, userAgent, atMs)
    }
    const seq = this.requests.total + 1
    this.requests.add({
      seq,
      method: wire.method,
      path: wire.path,
      operation: fullName(match),
      rootFields: reply.uses?.map(({ name }) => name) ?? none,
      status: reply.status,
      faults: reply.faults ?? none,
      atMs,
      tookMs: elapsedMs() - startedMs,
      userAgent,
    })
    // Time may have stood still for this request.
    if (this.clock.mode === 'auto') {
      for (const session of this.accounts.sessions) this.clock.afterTurn(session)
    }
    const sent = addHeaders(match, reply, seq, this.accounts.main.world)
    return this.#keeper?.written?.then(() => sent) ?? sent
  }
}

/** Shared by the many requests that have none. */
const none: readonly never[] = []
