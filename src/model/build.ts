/** A build: from a commit of an endpoint's repository to the image that its workers run. */
import type { TimerId } from '../sim/timeline.ts'
import type { Wait } from './profile.ts'
import type { Transitions } from './transitions.ts'

export type BuildStep = 'start' | 'upload' | 'test' | 'complete' | 'fail' | 'cancel'

// Spec: the statuses. Assumed: their order, and that a build can be cancelled until it is uploaded.
export const buildTransitions = {
  PENDING: { start: 'BUILDING', cancel: 'CANCELLED' },
  BUILDING: { upload: 'UPLOADING', fail: 'FAILED', cancel: 'CANCELLED' },
  UPLOADING: { test: 'TESTING', complete: 'COMPLETED' },
  TESTING: { complete: 'COMPLETED', fail: 'TEST_FAILED' },
  COMPLETED: {},
  FAILED: {},
  CANCELLED: {},
  TEST_FAILED: {},
} as const satisfies Transitions<string, BuildStep>
export type BuildStatus = keyof typeof buildTransitions
export const buildStatuses = Object.keys(buildTransitions) as readonly BuildStatus[]

/** How a build can end. */
export const buildOutcomes = ['COMPLETED', 'FAILED', 'CANCELLED', 'TEST_FAILED'] as const
export type BuildOutcome = (typeof buildOutcomes)[number]

/** How long a build stays where it does not end. */
export const buildWaits = {
  PENDING: 'buildQueueMs',
  BUILDING: 'buildMs',
  UPLOADING: 'buildUploadMs',
  TESTING: 'buildTestMs',
} as const satisfies Partial<Record<BuildStatus, Wait>>

/** What a build is made from. Null for what is not known. */
export interface Commit {
  readonly hash: string | null
  readonly message: string | null
  readonly branch: string | null
  readonly atMs: number | null
}

export interface Build {
  readonly id: string
  readonly endpointId: string
  readonly status: BuildStatus
  readonly commit: Commit
  /** Null until there is one. */
  readonly image: string | null
  /** How it will end, which whoever started it decided. */
  readonly outcome: BuildOutcome
  /** True for a repository that has tests. */
  readonly tested: boolean
  readonly error: string | null
  readonly createdAtMs: number
  readonly startedAtMs: number | null
  readonly endedAtMs: number | null
  readonly timer: TimerId | null
}

export function isOver(status: BuildStatus): status is BuildOutcome {
  return (buildOutcomes as readonly BuildStatus[]).includes(status)
}
