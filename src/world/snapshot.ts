/**
 * A whole world as data: to keep, to go back to, to write to a file, to begin another one from.
 *
 * Resources are never edited, so a snapshot in memory shares them with the world it was taken of.
 * Indexes are not in it: they are made anew from the collections, except for what no collection
 * tells: the order in which waiting jobs and idle workers are taken, and where pages ended.
 */
import type { CloudEvent } from '../model/events.ts'
import type { LiveAccount } from '../model/ledger.ts'
import type { Settings } from '../model/settings.ts'
import type { StreamState } from '../sim/random.ts'
import type { SavedTimeline } from '../sim/timeline.ts'
import type { SavedArrivals } from './arrivals.ts'
import { replay, type WorldChange } from './changes.ts'
import { Collection, type Resource } from './collection.ts'
import type { SavedLogs } from './logs.ts'
import type { SavedQueues } from './queue-index.ts'
import { World } from './world.ts'

/** Grows with every change that an older program could not read. */
export const snapshotFormat = 2

export interface WorldSnapshot {
  readonly format: number
  readonly seed: string
  readonly random: Readonly<Record<string, StreamState>>
  readonly account: LiveAccount
  readonly timeline: SavedTimeline<CloudEvent>
  /** By the names that the world has for them. */
  readonly collections: Readonly<Record<string, readonly Resource[]>>
  /** Of those that are read page by page. */
  readonly arrivals?: Readonly<Record<string, SavedArrivals>>
  readonly queues: SavedQueues
  readonly logs: SavedLogs
  readonly stock: Readonly<Record<string, number>>
  readonly pulledImages: readonly string[]
}

/** Only between two turns. */
export function saveWorld(world: World): WorldSnapshot {
  const all = collectionsOf(world)
  const collections = all.map(([name, kept]) => [name, kept.everything()] as const)
  const arrivals = all.flatMap(([name, kept]) => {
    const saved = kept.saveArrivals()
    return saved === undefined ? [] : [[name, saved] as const]
  })
  return {
    format: snapshotFormat,
    seed: world.random.seed,
    random: world.random.states,
    account: world.account,
    timeline: world.timeline.save(),
    collections: Object.fromEntries(collections),
    arrivals: Object.fromEntries(arrivals),
    queues: world.queues.save(),
    logs: world.logs.save(),
    stock: world.stock.changes,
    pulledImages: [...world.pulledImages],
  }
}

/**
 * A world that goes on from there, and from what changed since. What it is made from otherwise are the
 * settings it gets.
 */
export function restoreWorld(
  settings: Settings,
  snapshot: WorldSnapshot,
  changes: Iterable<WorldChange> = [],
): World {
  const { seed, random, timeline } = snapshot
  const world = new World({ settings, seed, startMs: timeline.nowMs, random })
  world.account = snapshot.account
  world.stock.restore(snapshot.stock)
  for (const image of snapshot.pulledImages) world.pulledImages.add(image)
  world.logs.restore(snapshot.logs)
  for (const [name, collection] of collectionsOf(world)) {
    for (const item of snapshot.collections[name] ?? []) collection.put(item)
    const arrivals = snapshot.arrivals?.[name]
    if (arrivals !== undefined) collection.restoreArrivals(arrivals)
  }
  world.queues.restore(snapshot.queues)
  world.timeline.restore(replay(world, timeline, changes))
  return world
}

/** Every collection that the world has, whatever it is called: none can be forgotten. */
export function collectionsOf(world: World): [name: string, collection: Collection<Resource>][] {
  return Object.entries(world).filter(
    (entry): entry is [string, Collection<Resource>] => entry[1] instanceof Collection,
  )
}
