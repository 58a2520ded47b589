/** Workers that are not there and come back in a moment: FlashBoot keeps them, and standby does. */
import type { Endpoint } from '../../model/endpoint.ts'
import type { Worker } from '../../model/worker.ts'
import type { World } from '../../world/world.ts'
import { endChecks } from './health.ts'
import { endProgram } from './programs.ts'
import { cutOff, refuseAffinity } from './requests.ts'
import { isNeeded } from './worker-billing.ts'
import { step } from './workers.ts'

/** Observed: FlashBoot keeps workers that were scaled down; they count as idle and cost nothing. */
export function park(world: World, worker: Worker): void {
  world.timeline.record('worker.parked', worker.id, { endpointId: worker.endpointId })
  world.log(worker.id, 'system', `stop container ${worker.id}`)
  endProgram(world, worker.id, true)
  endChecks(world, worker)
  step(world, worker, 'park', { placement: null, startedAtMs: null, timer: null })
  cutOff(world, worker)
  refuseAffinity(world, worker)
}

/** One that can come back in a moment; undefined when there is none of the newest version. */
export function parkedWorker(world: World, { id, version }: Endpoint): Worker | undefined {
  const load = world.queues.of(id)
  if (load.workers.PARKED === 0) return undefined
  for (const workerId of load.workerIds) {
    const worker = world.workers.require(workerId)
    if (worker.status === 'PARKED' && worker.version === version) return worker
  }
  return undefined
}

/** A worker that has nothing to do waits parked, where a standby place is free. */
export function stepAside(world: World, workerId: string): void {
  const worker = world.workers.find(workerId)
  // One that somebody else started is not ours to stop.
  if (worker?.status !== 'IDLE' || worker.backend === 'attached') return
  if (!standbyPlaceFree(world, worker.endpointId)) return
  const { workersMin } = world.endpoints.require(worker.endpointId).spec
  if (!isNeeded(world, worker, workersMin)) park(world, worker)
}

/** The endpoint keeps more standby workers than are parked. */
export function standbyPlaceFree(world: World, endpointId: string): boolean {
  const { workersStandby = 0 } = world.endpoints.require(endpointId).spec
  return world.queues.of(endpointId).workers.PARKED < workersStandby
}
