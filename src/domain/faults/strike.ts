/** Which faults strike: what happens is held against each rule, counted, and written down. */
import type { EffectAt, Fault, FaultRule, Occasion } from '../../model/fault.ts'
import type { World } from '../../world/world.ts'

/** Something that a fault may strike. */
export interface Happening {
  /** The full name of the operation, for a request. */
  readonly operation?: string
  /** The key that its caller showed. */
  readonly key?: string | undefined
  /** Every id it is about. */
  readonly ids: readonly string[]
}

export interface Hit<At extends Occasion> {
  readonly faultId: string
  readonly effect: EffectAt<At>
  /** The timeline's entry, for what follows from it. */
  readonly entry: number
}

/**
 * The faults that strike, in the order in which they were made. Each rule that matches counts it,
 * whether it strikes or not. `goesOn`: false once a hit leaves nothing for later rules to see.
 */
export function strike<At extends Occasion>(
  world: World,
  occasion: At,
  happening: Happening,
  goesOn: (hit: Hit<At>) => boolean,
): Hit<At>[] {
  const hits: Hit<At>[] = []
  for (const id of world.faultIndex.at(occasion)) {
    const fault = world.faults.require(id)
    if (fault.fromMs > world.nowMs || !matches(fault.rule, happening)) continue
    const counted = world.faults.put({ ...fault, matches: fault.matches + 1 })
    if (!isStruck(world, counted)) continue
    const entry = noteHit(world, counted, happening)
    const hit = { faultId: id, effect: fault.rule.effect as EffectAt<At>, entry }
    hits.push(hit)
    if (!goesOn(hit)) break
  }
  return hits
}

/** For occasions where one fault is enough. What follows was caused by it. */
export function strikeOnce<At extends Occasion>(
  world: World,
  occasion: At,
  happening: Happening,
): EffectAt<At> | undefined {
  if (world.faultIndex.at(occasion).length === 0) return undefined
  const [hit] = strike(world, occasion, happening, () => false)
  if (hit !== undefined) world.timeline.follow(hit.entry)
  return hit?.effect
}

/** Counts a hit of a rule and writes it down, with the rule as its cause. Ends a rule that is spent. */
export function noteHit(world: World, fault: Fault, { operation, ids }: Happening): number {
  const { timeline } = world
  const before = timeline.cause
  timeline.follow(fault.entry)
  const { kind } = fault.rule.effect
  const about = { effect: kind, ...(operation === undefined ? {} : { operation }) }
  timeline.record('fault.hit', fault.id, ids.length === 0 ? about : { ...about, ids })
  const entry = timeline.entryCount
  const hits = fault.hits + 1
  const struck = world.faults.put({ ...fault, hits, lastHitAtMs: world.nowMs })
  if (fault.rule.times !== undefined && hits >= fault.rule.times) expireFault(world, struck)
  timeline.follow(before)
  return entry
}

/** Expired faults that stay readable, with their counts. */
const keptExpired = 200

/** The rule is at an end; what it did stays readable. */
export function expireFault(world: World, fault: Fault): Fault {
  world.timeline.cancel(fault.timer)
  world.timeline.follow(fault.entry)
  world.timeline.record('fault.expired', fault.id, { hits: fault.hits })
  const ended = world.faults.put({ ...fault, status: 'EXPIRED', timer: null })
  const expired = world.faults.where(({ status }) => status === 'EXPIRED')
  for (const { id } of expired.slice(0, -keptExpired)) world.faults.remove(id)
  return ended
}

function matches(rule: FaultRule, { operation, key, ids }: Happening): boolean {
  if (rule.operation !== undefined && !namePattern(rule.operation).test(operation ?? '')) {
    return false
  }
  if (rule.key !== undefined && rule.key !== key) return false
  return rule.resource === undefined || ids.includes(rule.resource)
}

/** Whether this match, which has been counted, is one that the rule strikes. */
export function isStruck(world: World, { id, rule, matches: number }: Fault): boolean {
  const { nth, every, probability } = rule
  if (nth !== undefined && number !== nth) return false
  if (every !== undefined && number % every !== 0) return false
  // A stream for each rule: one more rule changes nothing for the others.
  return probability === undefined || world.random.stream(`faults/${id}`).fraction() < probability
}

const patterns = new Map<string, RegExp>()

/** `*` stands for any letters, or none. */
export function namePattern(name: string): RegExp {
  const known = patterns.get(name)
  if (known !== undefined) return known
  const parts = name.split('*').map((part) => part.replace(/[.+?^${}()|[\]\\]/g, '\\$&'))
  const pattern = new RegExp(`^${parts.join('.*')}$`)
  // Rules come and go, and what they say is kept for the next time only while it is little.
  if (patterns.size >= 1_000) patterns.clear()
  patterns.set(name, pattern)
  return pattern
}
