/** What a pod is said to use of its machine. Nothing runs in a simulated one, so somebody says it. */
import type { Pod } from '../model/pod.ts'
import type { PodUse } from '../model/pod-use.ts'
import type { World } from '../world/world.ts'

/** From now on, whenever it runs. Refuses with `not_found`. */
export function setPodUse(world: World, podId: string, use: PodUse): Pod {
  const pod = world.pods.require(podId)
  world.timeline.record('pod.use-set', podId, use)
  world.emit({ kind: 'changed', id: podId })
  return world.pods.put({ ...pod, use })
}
