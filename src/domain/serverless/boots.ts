/** How a worker comes up, stage by stage, and what happens when it does not. */
import { type BootStage, bootStages, draftOfWorker, type Worker } from '../../model/worker.ts'
import type { World } from '../../world/world.ts'
import { environmentOf } from '../environment.ts'
import { workerPullFails } from '../faults/pulls.ts'
import type { EventHandlers } from '../handle-event.ts'
import { findHandler } from './handlers.ts'
import { beginChecks } from './health.ts'
import { findMachine } from './machines.ts'
import { startProgram } from './programs.ts'
import { throttleWorker } from './throttling.ts'
import { becomeReady, crashWorker, enter } from './workers.ts'

// Spec: a cold start may take about seven minutes, or what the environment says in seconds.
const initTimeoutMs = 420_000
const initTimeoutName = 'RUNPOD_INIT_TIMEOUT'

/** Looks for a machine and starts to boot there, or waits as THROTTLED and looks again. */
export function boot(world: World, worker: Worker, first: BootStage = 'placement'): Worker {
  const endpoint = world.endpoints.require(worker.endpointId)
  const placement = worker.placement ?? findMachine(world, endpoint)
  if (placement === undefined) return throttleWorker(world, worker)
  const placed = draftOfWorker(worker)
  placed.placement = placement
  placed.bootingSinceMs = world.nowMs
  if (worker.status !== 'INITIALIZING' || worker.stage === null) {
    world.timeline.record('worker.initializing', worker.id, { endpointId: worker.endpointId })
  }
  return enterStage(world, placed, first)
}

export const bootEventHandlers: EventHandlers<'worker.stage-due'> = {
  'worker.stage-due': (world, { workerId }) => {
    const worker = world.workers.require(workerId)
    if (initDeadlineMs(world, worker) <= world.nowMs) {
      crashWorker(world, worker, 'it was not ready in time')
      return
    }
    const next = stageAfter(world, worker)
    if (next === undefined) finish(world, worker)
    else enterStage(world, worker, next)
  },
}

function enterStage(world: World, worker: Worker, stage: BootStage): Worker {
  logStage(world, worker, stage)
  if (startsContainer(stage)) startProgram(world, worker)
  if (startsContainer(stage) && servesRequests(world, worker))
    return beginServing(world, worker, stage)
  const startedAtMs = startsContainer(stage) ? world.nowMs : worker.startedAtMs
  const dueAtMs = Math.min(
    world.nowMs + stageMs(world, worker, stage),
    initDeadlineMs(world, worker),
  )
  const timer = world.timeline.after(dueAtMs - world.nowMs, {
    kind: 'worker.stage-due',
    workerId: worker.id,
  })
  return enter(world, worker, 'INITIALIZING', { stage, startedAtMs, timer })
}

/** From now on the health path of its own web server says what it is, for as long as it takes. */
function beginServing(world: World, worker: Worker, stage: BootStage): Worker {
  const changes = { stage, startedAtMs: world.nowMs, timer: null }
  const entered = enter(world, worker, 'INITIALIZING', changes)
  beginChecks(world, entered)
  return entered
}

function servesRequests(world: World, { backend, endpointId }: Worker): boolean {
  if (backend === 'simulated') return false
  return world.endpoints.require(endpointId).spec.type === 'LOAD_BALANCER'
}

function finish(world: World, worker: Worker): void {
  const { handler, spec } = world.endpoints.require(worker.endpointId)
  if (findHandler(world, handler).boot?.fails) crashWorker(world, worker, 'exit code 1')
  else if (spec.type === 'LOAD_BALANCER') beginChecks(world, worker)
  else becomeReady(world, worker)
}

/** Spec: an image is pulled once; a data center that has it starts its next worker at once. */
function stageMs(world: World, worker: Worker, stage: BootStage): number {
  // A program takes as long as it takes; its first question for a job ends the wait.
  if (startsContainer(stage) && worker.backend !== 'simulated') return Number.POSITIVE_INFINITY
  if (stage === 'resume') return world.waitMs('workerResumeMs')
  if (stage === 'pull') {
    if (isPulled(world, worker)) return 0
    // That of a real container is on this machine, or is not: it takes no time to know.
    const pullMs = worker.backend === 'docker' ? 0 : world.waitMs('imagePullMs')
    // A pull may take no time at all, and trying again must.
    if (workerPullFails(world, worker)) return pullMs + world.waitMs('throttleRetryMs')
    world.pulledImages.add(imageIn(worker))
    return pullMs
  }
  if (stage === 'load') {
    const { handler } = world.endpoints.require(worker.endpointId)
    const own = findHandler(world, handler).boot?.modelLoadMs
    if (own !== undefined) return world.random.stream('handlers').duration(own)
  }
  const wait = bootStages.find(({ name }) => name === stage)?.wait ?? 'workerBootMs'
  return world.waitMs(wait)
}

/** Where a worker starts again whose container died: where it is, with the image that is there. */
export function restartStage(world: World, worker: Worker): BootStage {
  if (worker.placement === null) return 'placement'
  if (!hasImage(worker)) return 'boot'
  return isPulled(world, worker) ? 'boot' : 'pull'
}

function isPulled(world: World, worker: Worker): boolean {
  return world.pulledImages.has(imageIn(worker))
}

const imageIn = ({ placement, image }: Worker): string => `${placement?.dataCenterId}/${image}`

/** A pull that has failed is tried again. */
function stageAfter(world: World, worker: Worker): BootStage | undefined {
  const { stage } = worker
  if (stage === 'placement' && !hasImage(worker)) return 'boot'
  if (stage === 'pull' && !isPulled(world, worker)) return 'pull'
  const index = bootStages.findIndex(({ name }) => name === stage)
  return index === -1 ? undefined : bootStages[index + 1]?.name
}

/** A program of the user's own has none to pull. */
function hasImage({ backend }: Worker): boolean {
  return backend === 'simulated' || backend === 'docker'
}

function initDeadlineMs(world: World, worker: Worker): number {
  const { container } = world.endpoints.require(worker.endpointId).spec
  const seconds = Number(environmentOf(world, container)[initTimeoutName])
  const limitMs = Number.isFinite(seconds) && seconds > 0 ? seconds * 1_000 : initTimeoutMs
  return worker.bootingSinceMs + limitMs
}

// Observed: these lines, in this order.
function startsContainer(stage: BootStage): boolean {
  return stage === 'boot' || stage === 'resume'
}

function logStage(world: World, { id, image }: Worker, stage: BootStage): void {
  if (stage === 'pull') world.log(id, 'system', `create container ${image}`)
  if (startsContainer(stage)) {
    world.log(id, 'system', `start container for ${image}: begin`)
  }
}
