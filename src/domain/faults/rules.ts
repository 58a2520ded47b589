/** Faults are made, come by the clock, end by themselves, and are taken away. */
import { invalidField } from '../../model/errors.ts'
import { type Fault, type FaultRule, occasionOf, occasions } from '../../model/fault.ts'
import type { TimerId } from '../../sim/timeline.ts'
import type { World } from '../../world/world.ts'
import type { EventHandlers } from '../handle-event.ts'
import { perform, requirePossible } from './effects.ts'
import { expireFault, isStruck, noteHit } from './strike.ts'

/** Refuses with `invalid_request` or `rule_violation`. Its shape has been checked. */
export function addFault(world: World, rule: FaultRule): Fault {
  requireSense(rule)
  requirePossible(world, rule.effect)
  const { afterMs = 0, forMs } = rule
  const id = rule.id ?? newId(world)
  if (world.faults.find(id) !== undefined) throw invalidField(['id'], `there is a fault '${id}'`)
  const { effect, operation } = rule
  world.timeline.record('fault.added', id, {
    effect: effect.kind,
    ...(operation === undefined ? {} : { operation }),
  })
  const fault: Fault = {
    id,
    rule,
    status: 'ACTIVE',
    createdAtMs: world.nowMs,
    fromMs: world.nowMs + afterMs,
    untilMs: forMs === undefined ? null : world.nowMs + afterMs + forMs,
    matches: 0,
    hits: 0,
    lastHitAtMs: null,
    entry: world.timeline.entryCount,
    timer: null,
  }
  const byTheClock = occasionOf(rule) === 'time'
  if (byTheClock && afterMs === 0) return comeByTheClock(world, fault)
  const firstMs = byTheClock ? fault.fromMs : Number.POSITIVE_INFINITY
  return world.faults.put({ ...fault, timer: timerFor(world, fault, firstMs) })
}

/** Refuses with `not_found`. */
export function removeFault(world: World, id: string): void {
  const fault = world.faults.require(id)
  world.timeline.cancel(fault.timer)
  world.timeline.record('fault.removed', id, { hits: fault.hits })
  world.faults.remove(id)
}

/** Returns how many there were at work. */
export function clearFaults(world: World): number {
  const all = world.faults.all()
  for (const { id } of all) removeFault(world, id)
  return all.filter(({ status }) => status === 'ACTIVE').length
}

export const faultEventHandlers: EventHandlers<'fault.due'> = {
  'fault.due': (world, { faultId }) => {
    const fault = world.faults.require(faultId)
    if (isOver(world, fault)) expireFault(world, fault)
    else comeByTheClock(world, fault)
  },
}

function isOver({ nowMs }: World, { untilMs }: Fault): boolean {
  return untilMs !== null && untilMs <= nowMs
}

function comeByTheClock(world: World, fault: Fault): Fault {
  const { everyMs, resource } = fault.rule
  const counted = world.faults.put({ ...fault, matches: fault.matches + 1, timer: null })
  if (isStruck(world, counted)) {
    const entry = noteHit(world, counted, { ids: resource === undefined ? [] : [resource] })
    world.timeline.follow(entry)
    perform(world, counted.rule)
  }
  const after = world.faults.require(fault.id)
  if (after.status !== 'ACTIVE') return after
  if (everyMs === undefined) return expireFault(world, after)
  return world.faults.put({ ...after, timer: timerFor(world, after, world.nowMs + everyMs) })
}

/** Until it comes by the clock or ends, whichever is first. */
function timerFor(world: World, { id, untilMs }: Fault, nextAtMs: number): TimerId | null {
  const dueAtMs = Math.min(nextAtMs, untilMs ?? Number.POSITIVE_INFINITY)
  if (!Number.isFinite(dueAtMs)) return null
  return world.timeline.after(dueAtMs - world.nowMs, { kind: 'fault.due', faultId: id })
}

/** Refuses fields that say nothing together. */
export function requireSense(rule: FaultRule): void {
  const { effect, operation, key, nth, every, everyMs, forMs } = rule
  const occasion = occasionOf(rule)
  if (nth !== undefined && every !== undefined) {
    throw invalidField(['every'], 'says something else than nth; give one of them')
  }
  if (operation !== undefined && occasion !== 'request') {
    throw invalidField(['operation'], `'${effect.kind}' strikes no request; leave it out`)
  }
  if (key !== undefined && occasion !== 'request') {
    throw invalidField(['key'], `'${effect.kind}' strikes no request, and no key is shown`)
  }
  if (everyMs !== undefined && occasion !== 'time') {
    const other = occasions[effect.kind] === 'time' ? 'its operation' : 'what it strikes'
    throw invalidField(['everyMs'], `'${effect.kind}' comes with ${other}, not by the clock`)
  }
  if (occasion === 'time' && everyMs === undefined && (nth ?? every ?? 1) > 1) {
    throw invalidField([nth === undefined ? 'every' : 'nth'], 'it comes only once without everyMs')
  }
  if (occasion === 'time' && everyMs === undefined && forMs !== undefined) {
    throw invalidField(['forMs'], 'it comes only once without everyMs, and lasts no time')
  }
}

function newId(world: World): string {
  const random = world.random.stream('faults')
  for (;;) {
    const id = `fault-${random
      .below(36 ** 4)
      .toString(36)
      .padStart(4, '0')}`
    if (world.faults.find(id) === undefined) return id
  }
}
