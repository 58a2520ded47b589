/** What people read about the steps of a pod: in its last change, and in its log. */
import type { Pod, PodStep, StatusChange } from '../model/pod.ts'
import type { World } from '../world/world.ts'
import { imageWords } from './pod-parts.ts'

/** Where there is something to say. */
export const podVerbs: Partial<Record<PodStep, StatusChange['verb']>> = {
  start: 'Resumed',
  stop: 'Exited',
  restart: 'Restarted',
  fail: 'Exited',
  reclaim: 'Exited',
  terminate: 'Terminated',
}

export function logPodStep(world: World, { id, spec, container }: Pod, step: PodStep): void {
  const { image } = spec.container
  if (step === 'place' || step === 'restart') {
    world.log(id, 'system', imageWords(image).begun)
  }
  if (step === 'boot' && container === null) world.log(id, 'container', `${spec.name} is ready`)
  if (step === 'stop') world.log(id, 'system', `stop container ${id}`)
  if (step === 'reclaim') world.log(id, 'system', `stop container ${id}: SIGTERM`)
}
