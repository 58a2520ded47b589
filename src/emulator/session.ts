/**
 * A world and those who deal with it: callers that wait, readers of logs, webhooks on their way.
 *
 * The world changes in turns. A turn is a request or an event; it runs to its end, then its effects
 * are carried out, and only then comes the next.
 */
import { handleEvent } from '../domain/handle-event.ts'
import { busyPrograms } from '../domain/serverless/programs.ts'
import { webhookAnswered, webhookWithheld } from '../domain/serverless/webhooks.ts'
import type { CloudEffect } from '../model/effects.ts'
import { maskSecrets } from '../model/masking.ts'
import type { LogListener } from '../surfaces/http/operation.ts'
import type { Reply, Waiting } from '../surfaces/http/reply.ts'
import type { WireRequest } from '../surfaces/http/serve.ts'
import type { World } from '../world/world.ts'
import type { WorldKeeper } from './data/world-keeper.ts'
import { Lines } from './lines.ts'
import { LogReaders } from './log-readers.ts'
import type { WebhookSender } from './options.ts'
import type { RealEffect } from './programs/programs.ts'
import { Waits } from './waits.ts'
import { Watchers } from './watchers.ts'

export interface SessionHands {
  readonly sendWebhook: WebhookSender
  /** What is real. Of a pod's container that is to start: resolves when it runs, or never will. */
  readonly run: (session: Session, effect: RealEffect) => Promise<void> | undefined
  /** Those of the world that is replaced, containers too. */
  readonly killPrograms: (session: Session) => void
  /** Called after every turn: what is due next may have changed. */
  readonly afterTurn: (session: Session) => void
  /** Where its world is kept beyond the end of the process, if it is. */
  readonly keeper: WorldKeeper | undefined
}

type Post = Extract<CloudEffect, { kind: 'webhook.post' }>

export class Session {
  readonly name: string
  readonly waits = new Waits()
  readonly watchers = new Watchers()
  readonly lines = new Lines()
  #world: World
  readonly #hands: SessionHands
  readonly #readers = new LogReaders()
  readonly #holds = new Map<string, Promise<void>>()
  readonly #turnListeners = new Set<() => void>()
  #inTurn = false

  constructor(name: string, world: World, hands: SessionHands) {
    this.name = name
    this.#world = world
    this.#hands = hands
  }

  get world(): World {
    return this.#world
  }

  /** What the outside still owes an answer to, by name. */
  get holds(): readonly string[] {
    return [...this.#holds.keys(), ...busyPrograms(this.#world)]
  }

  get held(): Promise<unknown> | undefined {
    return this.#holds.size === 0 ? undefined : Promise.race(this.#holds.values())
  }

  /** One request, or one part of a request that takes several. */
  turn<Result>(change: () => Result): Result {
    if (this.#inTurn) return change()
    this.#inTurn = true
    try {
      this.#world.timeline.beginRequest()
      return change()
    } finally {
      this.#settle()
      this.#inTurn = false
      this.#hands.afterTurn(this)
    }
  }

  /** Handles the next event due by `untilMs`; false when there is none and time is at `untilMs`. */
  step(untilMs: number): boolean {
    const event = this.#world.timeline.takeDue(untilMs)
    if (event === undefined) return false
    this.#inTurn = true
    try {
      handleEvent(this.#world, event)
    } finally {
      this.#settle()
      this.#inTurn = false
    }
    return true
  }

  /** Calls back after every turn and every event; returns what stops it. */
  onTurn(listener: () => void): () => void {
    this.#turnListeners.add(listener)
    return () => this.#turnListeners.delete(listener)
  }

  wait(waiting: Waiting, wire: Pick<WireRequest, 'onHangUp'>): Promise<Reply> {
    const now = this.turn(() => waiting.answer(undefined))
    if (now !== undefined) {
      waiting.ended?.()
      return Promise.resolve(now)
    }
    return new Promise((resolve, reject) => {
      const id = this.waits.nextId()
      const { timeline } = this.#world
      const timer = this.turn(() =>
        timeline.after(waiting.limitMs, { kind: 'wait.over', waitId: id }),
      )
      const settle = (answer: () => Reply) => {
        try {
          resolve(answer())
        } catch (error) {
          reject(error)
        }
      }
      this.waits.add({ id, waiting, timer, settle })
      wire.onHangUp(() => timeline.cancel(this.waits.forget(id) ?? null))
    })
  }

  follow(logId: string, listener: LogListener): () => void {
    return this.#readers.add(logId, listener)
  }

  /** Puts another world in the place of this one. Nobody waits for the old one any longer. */
  replaceWorld(world: World): void {
    this.#hands.killPrograms(this)
    this.waits.endAll()
    this.watchers.endAll()
    this.lines.closeAll()
    this.#readers.endAll()
    this.#world = world
    this.#hands.keeper?.begin(world)
    this.#settle()
    this.#hands.afterTurn(this)
  }

  /** What has happened until now stays, whatever becomes of the process. */
  write(): void {
    this.#hands.keeper?.write()
  }

  /** Answers and hangs up on everybody: the emulator is closing. */
  close(): void {
    this.#hands.killPrograms(this)
    this.waits.endAll()
    this.watchers.endAll()
    this.lines.closeAll()
    this.#readers.endAll()
  }

  #settle(): void {
    const { keeper } = this.#hands
    keeper?.changed()
    for (;;) {
      const effects = this.#world.takeEffects()
      if (effects.length === 0) break
      if (keeper !== undefined && effects.some((effect) => this.#isHeard(effect))) keeper.write()
      for (const effect of effects) this.#perform(effect)
    }
    if (this.#turnListeners.size === 0) return
    keeper?.write()
    for (const listener of [...this.#turnListeners]) listener()
  }

  /** Somebody outside hears of it now, and not when a request is answered. */
  #isHeard(effect: CloudEffect): boolean {
    const { kind } = effect
    if (kind === 'changed') return this.waits.size > 0 || this.watchers.size > 0
    if (kind === 'log.line' || kind === 'log.ended') return this.#readers.has(effect.id)
    return true
  }

  #perform(effect: CloudEffect): void {
    switch (effect.kind) {
      case 'changed':
        this.#tell(effect.id, undefined)
        return
      case 'request.ended':
        this.#tell(effect.id, effect)
        return
      case 'request.part':
      case 'request.closed':
        this.lines.tell(effect)
        return
      case 'wait.over':
        this.waits.over(effect.waitId)
        return
      case 'log.line':
        this.#readers.tell(effect.id, effect.line)
        return
      case 'log.ended':
        this.#readers.end(effect.id)
        return
      case 'webhook.post':
        this.#post(effect)
        return
      case 'program.start':
      case 'program.stop':
      case 'program.freeze':
        this.#hands.run(this, effect)
        return
      case 'container.start':
      case 'container.stop':
        this.#hold(`container of pod ${effect.podId}`, this.#hands.run(this, effect))
        return
    }
  }

  /** Time stands still until it is over. */
  #hold(name: string, untilOver: Promise<void> | undefined): void {
    if (untilOver === undefined) return
    const over = untilOver.then(() => {
      if (this.#holds.get(name) === over) this.#holds.delete(name)
      this.#hands.afterTurn(this)
    })
    this.#holds.set(name, over)
  }

  #tell(topic: string, ended: unknown): void {
    if (this.watchers.size > 0) this.watchers.changed(topic)
    if (this.waits.size === 0) return
    for (const timer of this.waits.changed(topic, ended)) this.#world.timeline.cancel(timer)
  }

  #post({ deliveryId, url, body, trace, copy }: Post): void {
    const world = this.#world
    const again = copy === 0 ? '' : `, copy ${copy}`
    const hold = `webhook ${deliveryId} to ${maskSecrets(url)}${again}`
    const answered = this.#hands.sendWebhook(url, body, trace).then((status) => {
      this.#holds.delete(hold)
      if (this.#world !== world) return
      this.turn(() => {
        if (status === 'withheld') webhookWithheld(world, deliveryId)
        else if (copy === 0) webhookAnswered(world, deliveryId, status)
      })
    })
    this.#holds.set(hold, answered)
  }
}
