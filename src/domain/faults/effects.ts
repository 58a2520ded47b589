/** What faults do to the world by themselves: they wear down what it stands on. */
import type { EffectAt, FaultEffect, FaultRule } from '../../model/fault.ts'
import type { Worker } from '../../model/worker.ts'
import type { World } from '../../world/world.ts'
import { setBalance } from '../billing.ts'
import { changePrice, requirePrice } from '../catalog-changes.ts'
import { reclaimPod } from '../pods.ts'
import { putJob } from '../serverless/job-timer.ts'
import { crashWorker } from '../serverless/workers.ts'
import { isReclaimable } from '../spot-pods.ts'
import { changeStock, requireStock } from '../stock-changes.ts'

/** Refuses an effect on something that is not there. */
export function requirePossible(world: World, effect: FaultEffect): void {
  if (effect.kind === 'change-stock') requireStock(world, effect)
  if (effect.kind === 'change-price') requirePrice(world, effect)
}

/** What follows is noted as caused by the entry that the timeline follows now. */
export function perform(world: World, { effect, resource }: FaultRule): void {
  const act = effect as EffectAt<'time'>
  switch (act.kind) {
    case 'crash-workers':
      crashWorkers(world, resource)
      return
    case 'reclaim-spot':
      reclaimSpotPods(world, resource)
      return
    case 'change-stock':
      changeStock(world, act)
      return
    case 'change-price':
      changePrice(world, act)
      return
    case 'set-balance':
      setBalance(world, act.balanceUsd ?? 0)
      return
  }
}

/** `podId`: all spot pods that have GPUs when absent. One that is still being placed keeps them. */
function reclaimSpotPods(world: World, podId: string | undefined): void {
  const { cause } = world.timeline
  for (const pod of world.pods.where(isReclaimable)) {
    if (podId !== undefined && pod.id !== podId) continue
    world.timeline.follow(cause)
    reclaimPod(world, pod.id)
  }
}

/** `of`: a worker or an endpoint; all of them when absent. */
function crashWorkers(world: World, of: string | undefined): void {
  const { cause } = world.timeline
  for (const worker of world.workers.all()) {
    if (worker.status !== 'IDLE' && worker.status !== 'RUNNING') continue
    if (of !== undefined && worker.id !== of && worker.endpointId !== of) continue
    world.timeline.follow(cause)
    killWorker(world, worker)
  }
}

/** The job that it ran is missed after a while, as with any worker that does not report back. */
function killWorker(world: World, worker: Worker): void {
  crashWorker(world, worker, 'exit code 137')
  const job = worker.jobId === null ? undefined : world.jobs.find(worker.jobId)
  if (job?.status !== 'IN_PROGRESS') return
  const afterMs = world.waitMs('workerLostMs')
  const run = {
    steps: [{ does: 'lose', afterMs } as const],
    next: 0,
    nextAtMs: world.nowMs + afterMs,
  }
  putJob(world, { ...job, run })
}
