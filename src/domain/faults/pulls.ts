/** Whether a fault keeps an image from being pulled. */
import type { Pod } from '../../model/pod.ts'
import type { Worker } from '../../model/worker.ts'
import type { World } from '../../world/world.ts'
import { strikeOnce } from './strike.ts'

/** Observed: a pod is made, and ends some seconds later; only its log says why. */
export function podPullFails(world: World, { id, spec }: Pod): boolean {
  return pullFails(world, id, [id, spec.container.image])
}

/** Observed: such a worker initializes on and on. Assumed: it tries again all the time. */
export function workerPullFails(world: World, { id, endpointId, image }: Worker): boolean {
  return pullFails(world, id, [id, endpointId, image])
}

function pullFails(world: World, ownerId: string, ids: readonly string[]): boolean {
  if (strikeOnce(world, 'pull', { ids }) === undefined) return false
  world.log(ownerId, 'system', `error pulling image: manifest for ${ids.at(-1)} not found`)
  return true
}
