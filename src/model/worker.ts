/** A worker: one container of an endpoint, started and stopped by the autoscaler. */
import type { TimerId } from '../sim/timeline.ts'
import type { Placement } from './compute.ts'
import type { Draft } from './draft.ts'
import type { Wait } from './profile.ts'
import type { BackendType } from './program.ts'
import type { Transitions } from './transitions.ts'

/** What a health check found, on a load-balancing endpoint. */
export type HealthStep = 'pass-check' | 'defer-check' | 'fail-check'
export type WorkerStep =
  | 'boot'
  | 'take'
  | 'release'
  | 'crash'
  | 'throttle'
  | 'place'
  | 'park'
  | HealthStep

const checked = {
  'pass-check': 'IDLE',
  'defer-check': 'INITIALIZING',
  'fail-check': 'UNHEALTHY',
} as const satisfies Record<HealthStep, string>

// Spec: v2 names the first five statuses. PARKED is how FlashBoot keeps a worker that was scaled
// down: it holds no machine and costs nothing. A worker that is removed simply is no more.
export const workerTransitions = {
  INITIALIZING: { boot: 'IDLE', crash: 'UNHEALTHY', throttle: 'THROTTLED', ...checked },
  IDLE: { take: 'RUNNING', crash: 'UNHEALTHY', throttle: 'THROTTLED', park: 'PARKED', ...checked },
  RUNNING: { release: 'IDLE', crash: 'UNHEALTHY', ...checked },
  THROTTLED: { place: 'INITIALIZING', throttle: 'THROTTLED' },
  UNHEALTHY: {
    place: 'INITIALIZING',
    throttle: 'THROTTLED',
    // Its web server was unwell, and then died.
    crash: 'UNHEALTHY',
    ...checked,
  },
  PARKED: { place: 'INITIALIZING', throttle: 'THROTTLED' },
} as const satisfies Transitions<string, WorkerStep>
export type WorkerStatus = keyof typeof workerTransitions

/** The statuses that callers see; a parked worker is in no list. */
export const shownWorkerStatuses = [
  'RUNNING',
  'IDLE',
  'INITIALIZING',
  'THROTTLED',
  'UNHEALTHY',
] as const satisfies readonly WorkerStatus[]
export type ShownWorkerStatus = (typeof shownWorkerStatuses)[number]

/** What an INITIALIZING worker goes through, in order, and how long each takes. */
export const bootStages = [
  { name: 'placement', wait: 'workerPlacementMs' },
  { name: 'pull', wait: 'imagePullMs' },
  { name: 'boot', wait: 'workerBootMs' },
  { name: 'load', wait: 'modelLoadMs' },
] as const satisfies readonly { readonly name: string; readonly wait: Wait }[]
/** `resume`: a parked worker comes back, which stands for all of them. */
export type BootStage = (typeof bootStages)[number]['name'] | 'resume'

export interface Worker {
  readonly id: string
  readonly endpointId: string
  /** What runs in it; anything but `simulated` has a program. */
  readonly backend: BackendType
  readonly status: WorkerStatus
  /** Where it is while INITIALIZING; null otherwise. */
  readonly stage: BootStage | null
  /** Null while it has no machine: throttled, parked, or on a machine of somebody else's. */
  readonly placement: Placement | null
  /** The endpoint's version and image when it was made. */
  readonly version: number
  readonly image: string
  readonly createdAtMs: number
  /** When its container last started. */
  readonly startedAtMs: number | null
  /** When its present initialization began. */
  readonly bootingSinceMs: number
  /** The job it runs; a program that has several has this one longest. */
  readonly jobId: string | null
  /** Requests it is answering, on a load-balancing endpoint. */
  readonly requestsInFlight: number
  /** Crashes in a row, and since when. */
  readonly crashes: number
  readonly crashingSinceMs: number | null
  /** Paid for as one of the workers that are always there, not as one that came with the load. */
  readonly active: boolean
  /** The next stage, idle timeout or restart, whichever it waits for. */
  readonly timer: TimerId | null
}

/** Spec: a worker is paid for while it works and while it waits for its idle timeout. */
export function isBilled(status: WorkerStatus): boolean {
  return status === 'RUNNING' || status === 'IDLE'
}

/** The next version of a worker, still like the last. */
export function draftOfWorker(worker: Worker): Draft<Worker> {
  return {
    id: worker.id,
    endpointId: worker.endpointId,
    backend: worker.backend,
    status: worker.status,
    stage: worker.stage,
    placement: worker.placement,
    version: worker.version,
    image: worker.image,
    createdAtMs: worker.createdAtMs,
    startedAtMs: worker.startedAtMs,
    bootingSinceMs: worker.bootingSinceMs,
    jobId: worker.jobId,
    requestsInFlight: worker.requestsInFlight,
    crashes: worker.crashes,
    crashingSinceMs: worker.crashingSinceMs,
    active: worker.active,
    timer: worker.timer,
  } satisfies Record<keyof Worker, unknown>
}
