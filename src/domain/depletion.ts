/** What happens when the balance is used up. */
import { holdsCompute, type Pod } from '../model/pod.ts'
import type { World } from '../world/world.ts'
import { isUsedUp, lookAgain } from './billing.ts'
import { deleteCluster } from './clusters.ts'
import type { EventHandlers } from './handle-event.ts'
import { takeStep } from './pod-steps.ts'

export const balanceEventHandlers: EventHandlers<'balance.due'> = {
  'balance.due': (world) => {
    lookAgain(world)
    if (isUsedUp(world)) endPods(world)
  },
}

/**
 * Spec: at a balance of zero, pods with a network volume are stopped and all others terminated, and
 * their data are lost. Observed: their containers end by SIGTERM, all in the same minute. Assumed: a
 * lock does not help; a cluster goes with its pods; and workers go on, of which nothing is said, as do
 * volumes: the balance falls below zero.
 */
function endPods(world: World): void {
  world.timeline.record('account.depleted', world.account.id)
  for (const cluster of world.clusters.all()) {
    if (cluster.spec.network === null) deleteCluster(world, cluster.id)
  }
  for (const pod of world.pods.all()) {
    if (pod.spec.network === null) {
      signal(world, pod)
      takeStep(world, pod, 'terminate', 'Runpod')
    } else if (holdsCompute(pod.status)) {
      takeStep(world, pod, 'stop', 'Runpod')
      signal(world, pod)
    }
  }
}

/** What a process that does not mind SIGTERM ends with. One that is real ends as it likes. */
const endedBySigterm = 'SIGTERM, exit code 143'

function signal(world: World, { id, status, container }: Pod): void {
  if (status !== 'RUNNING' || container !== null) return
  const { cause } = world.timeline
  world.log(id, 'system', `container exited: ${endedBySigterm}`)
  world.timeline.record('pod.container-exited', id, { why: endedBySigterm })
  world.timeline.follow(cause)
}
