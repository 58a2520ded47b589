/** Does again what an endpoint was asked to do, with other settings: what it costs, how long jobs wait. */
import type { Fixtures } from '../adapters/fixtures/load.ts'
import { spentUsd } from '../domain/billing.ts'
import { addEndpoint } from '../domain/endpoints.ts'
import { handleDue } from '../domain/handle-event.ts'
import { JobHistory } from '../domain/serverless/job-history.ts'
import { submitJob } from '../domain/serverless/submit.ts'
import { startWorld } from '../domain/start-world.ts'
import { readSettings } from '../emulator/settings.ts'
import type { Recording } from '../model/recording.ts'
import type { Settings } from '../model/settings.ts'
import { emptyStart } from '../model/start-state.ts'
import type { World } from '../world/world.ts'
import { quantiles } from './quantiles.ts'
import { applyVariation, type Variation } from './variations.ts'

export interface Outcome {
  readonly variation: Variation
  readonly costUsd: number
  readonly p50DelayMs: number
  readonly p95DelayMs: number
  /** The most workers at a time. */
  readonly peakWorkers: number
  /** No other is cheaper and quicker at the same time. */
  readonly best: boolean
}

const dayMs = 86_400_000
/** Of the world in which it is done again: nobody may be refused for lack of money. */
const enoughUsd = 1e9
const keepEntries = 100_000
const atATime = 5_000

/**
 * Assumed: jobs take as long as they took, on whatever worker, and come when they came. What went
 * wrong with workers at the time does not go wrong again.
 */
export function whatIf(
  recording: Recording,
  variations: readonly Variation[],
  fixtures: Fixtures,
  onProgress: (done: number) => void = () => {},
): Outcome[] {
  // A value that is none is refused before anything is done.
  const varied = variations.map((variation) => {
    return { variation, spec: applyVariation(recording.spec, variation) }
  })
  // Of values for both, some do not go together.
  const sound = varied.filter(({ spec }) => spec.workersMin <= spec.workersMax)
  const outcomes = sound.map(({ variation, spec }, index) => {
    onProgress(index)
    return { variation, ...replay({ ...recording, spec }, fixtures) }
  })
  return outcomes.map((outcome) => ({ ...outcome, best: isBest(outcome, outcomes) }))
}

type Measured = Omit<Outcome, 'variation' | 'best'>

function replay(
  { endpointId, spec, profile, submissions }: Recording,
  fixtures: Fixtures,
): Measured {
  const world = startWorld({
    settings: settingsOf(profile, fixtures),
    seed: '1',
    startMs: submissions[0]?.atMs ?? 0,
  })
  // The volume and the template are elsewhere; where the volume was, jobs may run still.
  const alone = { ...spec, templateId: null, networkVolumeIds: [] }
  addEndpoint(world, alone, { id: endpointId, handler: null, isPublic: false })
  const watch = new Watch(world, endpointId)
  for (const { atMs, executionMs } of submissions) {
    watch.passTo(atMs)
    submitJob(world, endpointId, {
      input: { mock_delay: executionMs / 1_000 },
      sync: false,
      webhook: null,
      s3Config: undefined,
      policy: { executionTimeoutMs: 0 },
    })
    watch.look()
  }
  watch.finish(spec.idleTimeoutMs)
  const { p50, p95 } = quantiles(watch.history.delaysMs)
  return {
    costUsd: spentUsd(world),
    p50DelayMs: p50,
    p95DelayMs: p95,
    peakWorkers: watch.peakWorkers,
  }
}

/** Lets time pass, and reads the timeline before it is forgotten. */
class Watch {
  readonly history = new JobHistory()
  peakWorkers = 0
  readonly #world: World
  readonly #endpointId: string
  #seen = 0

  constructor(world: World, endpointId: string) {
    this.#world = world
    this.#endpointId = endpointId
  }

  passTo(untilMs: number): void {
    while (handleDue(this.#world, untilMs, atATime) === atATime) this.look()
    this.look()
  }

  /** Until every job has ended, a day after it was due at the latest, and workers have idled out. */
  finish(idleTimeoutMs: number): void {
    const limitMs = this.#world.nowMs + 2 * dayMs
    const isBusy = () => {
      const { jobs } = this.#world.queues.of(this.#endpointId)
      return jobs.IN_QUEUE + jobs.IN_PROGRESS > 0
    }
    while (isBusy() && this.#world.nowMs < limitMs) {
      this.passTo(Math.min(limitMs, this.#world.timeline.nextAtMs))
    }
    this.passTo(this.#world.nowMs + idleTimeoutMs)
  }

  look(): void {
    const { timeline, queues } = this.#world
    for (const entry of timeline.since(this.#seen)) this.history.add(entry)
    this.#seen = timeline.entryCount
    this.#world.takeEffects()
    this.peakWorkers = Math.max(this.peakWorkers, queues.of(this.#endpointId).workerCount)
  }
}

function settingsOf(profile: Recording['profile'], fixtures: Fixtures): Settings {
  const keep = { entries: keepEntries, logLines: 0, deliveries: 0 }
  const start = emptyStart({
    id: 'what-if',
    email: 'what-if',
    balanceUsd: enoughUsd,
    spendLimitUsd: enoughUsd,
    workersQuota: enoughUsd,
    publicKeys: '',
  })
  return { ...readSettings(fixtures, { limits: 'off', keep }), profile, start, handlers: [] }
}

function isBest(own: Measured, all: readonly Measured[]): boolean {
  return !all.some(
    ({ costUsd, p95DelayMs }) =>
      costUsd <= own.costUsd &&
      p95DelayMs <= own.p95DelayMs &&
      (costUsd < own.costUsd || p95DelayMs < own.p95DelayMs),
  )
}
