/**
 * A second world that goes on from where one is, at a cost that does not grow with what is in it.
 *
 * Both share the resources and the maps that hold them, until one of them changes something, which only
 * it then has. Timers and the end of the timeline, which are flat, are copied as memory.
 */
import { collectionsOf } from './snapshot.ts'
import { World } from './world.ts'

/** Only between two turns. What the outside owes the first world, it does not owe the second. */
export function copyWorld(world: World): World {
  const { settings, random, nowMs } = world
  const { seed, states } = random
  const copy = new World({ settings, seed, startMs: nowMs, random: states })
  copy.account = world.account
  copy.pace = world.pace
  for (const image of world.pulledImages) copy.pulledImages.add(image)
  const others = new Map(collectionsOf(world))
  for (const [name, collection] of collectionsOf(copy)) {
    const other = others.get(name)
    if (other !== undefined) collection.share(other)
  }
  copy.stock.share(world.stock)
  copy.work.share(world.work)
  copy.faultIndex.share(world.faultIndex)
  copy.workerKeys.share(world.workerKeys)
  copy.logs.share(world.logs)
  copy.queues.share(world.queues)
  copy.timeline.share(world.timeline)
  return copy
}
