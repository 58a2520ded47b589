/** A worker: one container of an endpoint, started and stopped by the autoscaler. */
import type { TimerId } from '../sim/timeline.ts'
import type { Placement } from './compute.ts'
import type { Transitions } from './transitions.ts'

export type WorkerStep = 'boot' | 'take' | 'release' | 'crash' | 'throttle' | 'place'

// Spec: v2 names these five statuses. A worker that is removed simply is no more.
export const workerTransitions = {
  INITIALIZING: { boot: 'IDLE', crash: 'UNHEALTHY', throttle: 'THROTTLED' },
  IDLE: { take: 'RUNNING', crash: 'UNHEALTHY', throttle: 'THROTTLED' },
  RUNNING: { release: 'IDLE', crash: 'UNHEALTHY' },
  THROTTLED: { place: 'INITIALIZING' },
  UNHEALTHY: { place: 'INITIALIZING', throttle: 'THROTTLED' },
} as const satisfies Transitions<string, WorkerStep>
export type WorkerStatus = keyof typeof workerTransitions

export interface Worker {
  readonly id: string
  readonly endpointId: string
  readonly status: WorkerStatus
  /** Null while throttled: there is no machine for it. */
  readonly placement: Placement | null
  /** The endpoint's version and image when it was made. */
  readonly version: number
  readonly image: string
  readonly createdAtMs: number
  /** When its container last started. */
  readonly startedAtMs: number | null
  /** The job it runs. */
  readonly jobId: string | null
  /** Requests it is answering, on a load-balancing endpoint. */
  readonly requestsInFlight: number
  /** Crashes in a row. */
  readonly crashes: number
  /** Boot, idle timeout or restart, whichever it waits for. */
  readonly timer: TimerId | null
}
