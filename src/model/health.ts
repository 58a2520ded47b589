/** How a load-balancing worker's health is followed: by asking its health path, again and again. */
import type { TimerId } from '../sim/timeline.ts'

/** Spec: 200 is healthy and 204 initializing; anything else takes a worker out of the pool. */
export type Health = 'healthy' | 'initializing' | 'unhealthy'

export function healthOf(status: number): Health {
  if (status === 200) return 'healthy'
  return status === 204 ? 'initializing' : 'unhealthy'
}

/** The checks of one worker, from its container's start to its end. */
export interface HealthCheck {
  /** The worker's. */
  readonly id: string
  /** When its web server came up. */
  readonly upAtMs: number
  /** Since when it has not been healthy; null while it is. */
  readonly unwellSinceMs: number | null
  /** The next check that brings something new; null for none. */
  readonly timer: TimerId | null
}

// Spec: a worker whose ports are wrong is kept for eight minutes. Assumed: one that stays unwell too.
export const unwellLimitMs = 480_000

/** A worker that was scaled down, which a caller may want back. */
export interface RetiredWorker {
  /** The worker's. */
  readonly id: string
  readonly endpointId: string
}
