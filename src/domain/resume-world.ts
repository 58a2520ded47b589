/** A world that was saved goes on elsewhere: callers of then are gone, and the outside is asked anew. */
import type { Settings } from '../model/settings.ts'
import type { TimerId } from '../sim/timeline.ts'
import { copyWorld } from '../world/copy.ts'
import { restoreWorld, type WorldSnapshot } from '../world/snapshot.ts'
import type { World } from '../world/world.ts'
import { startContainersAnew } from './pod-containers.ts'
import { forgetProgram } from './serverless/programs.ts'
import { abandonRequest } from './serverless/requests.ts'
import { postAgain } from './serverless/webhooks.ts'

export function resumeWorld(settings: Settings, snapshot: WorldSnapshot): World {
  const world = restoreWorld(settings, snapshot)
  goOn(world)
  return world
}

/** What a world that was restored has to do before anything else happens in it. */
export function goOn(world: World): void {
  forgetWaits(world)
  alone(world)
}

/** A second world from where one is, by itself. `waits`: timers of callers who wait for the first. */
export function splitWorld(world: World, waits: Iterable<TimerId>): World {
  const other = copyWorld(world)
  for (const timer of waits) other.timeline.cancel(timer)
  return alone(other)
}

/** Nobody outside knows of it yet. */
function alone(world: World): World {
  for (const window of world.rates.all()) world.rates.put({ ...window, underWay: 0 })
  for (const { id } of world.requests.all()) abandonRequest(world, id)
  for (const { id } of world.programs.all()) forgetProgram(world, id)
  startContainersAnew(world)
  for (const delivery of world.deliveries.all()) postAgain(world, delivery)
  return world
}

/** Nobody is left to be told that a wait is over, and its number may be given to another. */
function forgetWaits({ timeline }: World): void {
  for (const { id, item } of timeline.save().pending) {
    if (item.kind === 'wait.over') timeline.cancel(id)
  }
}
