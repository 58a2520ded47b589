/** Plays a scenario from beginning to end in virtual time, without a server. */
import type { Fixtures } from '../adapters/fixtures/load.ts'
import type { Path } from '../adapters/fixtures/problem.ts'
import { spentUsd } from '../domain/billing.ts'
import type { JobHistory } from '../domain/serverless/job-history.ts'
import { Emulator } from '../emulator/emulator.ts'
import type { Happened } from '../model/expectation.ts'
import type { Scenario, ScenarioStep } from '../model/scenario.ts'
import { Random } from '../sim/random.ts'
import { loadSurfaces } from '../surfaces/all.ts'
import { describePending } from '../surfaces/control/state.ts'
import { awaitBackground } from './answers.ts'
import { checkWorld, toPattern } from './expectations.ts'
import { ownPace, type Pace } from './pace.ts'
import { attempt, type Background, type Play, requireNone, StepFailure } from './play.ts'
import type { ScenarioFile } from './read.ts'
import { receive } from './receivers.ts'
import type { ScenarioFailure, ScenarioResult } from './report.ts'
import { settingsOf } from './settings.ts'
import { playSteps } from './steps.ts'
import { Tally } from './tally.ts'
import { Transcript } from './transcript.ts'

export interface RunOptions {
  /** In place of the scenario's own. */
  readonly seed?: string
  /** Whether the result has a transcript. */
  readonly transcript?: boolean
}

export interface FinishedRun {
  readonly result: ScenarioResult
  /** Undefined unless it was asked for. */
  readonly transcript: string | undefined
  readonly history: JobHistory
  readonly emulator: Emulator
}

/** Throws a FixtureError before anything runs when the scenario does not fit the fixtures. */
export async function runScenario(
  file: ScenarioFile,
  fixtures: Fixtures,
  options: RunOptions = {},
): Promise<FinishedRun> {
  const { options: emulatorOptions, settings } = await settingsOf(
    file,
    fixtures,
    options.seed === undefined ? {} : { seed: options.seed },
  )
  await loadSurfaces()
  const bugs: unknown[] = []
  const emulator = new Emulator(
    {
      ...emulatorOptions,
      onBug: (bug) => void bugs.push(bug),
      sendWebhook: receive(file.scenario.receivers),
    },
    settings,
  )
  const seed = emulatorOptions.seed ?? '0'
  const startedMs = performance.now()
  const play = beginPlay(file.scenario, emulator, { seed, withTranscript: options.transcript })
  const failure = await playToTheEnd(play, file)
  emulator.close()
  // What is wrong with the emulator is no scenario's fault.
  if (bugs.length > 0) throw bugs[0]
  return {
    result: toResult(play, file, { seed, failure, tookMs: performance.now() - startedMs }),
    transcript: play.transcript?.text,
    history: play.tally.history,
    emulator,
  }
}

interface PlayOptions {
  readonly seed: string
  readonly withTranscript?: boolean | undefined
  /** On whose clock, if not the scenario's own. */
  readonly paceOf?: (tally: Tally) => Pace
  /** In place of an end at the first failure. */
  readonly onFailure?: (failure: StepFailure) => void
}

export function beginPlay(scenario: Scenario, emulator: Emulator, options: PlayOptions): Play {
  const { world } = emulator.main
  const startMs = world.nowMs
  const transcript = options.withTranscript === true ? new Transcript(startMs) : undefined
  const tally = new Tally(world, {
    keep: kindsIn(scenario),
    ...(transcript === undefined ? {} : { onEntry: (entry) => transcript.happened(entry) }),
  })
  tally.look()
  const background: Background[] = []
  const isWaiting = () => background.length > 0 || emulator.main.waits.size > 0
  const { paceOf = () => ownPace(emulator, tally, isWaiting) } = options
  return {
    emulator,
    world,
    scenario,
    startMs,
    tally,
    transcript,
    background,
    pace: paceOf(tally),
    saved: new Map(),
    replies: new Map(),
    random: new Random(options.seed).stream('scenario'),
    onFailure: options.onFailure,
  }
}

/** Null when everything was as expected. */
export async function playToTheEnd(
  play: Play,
  { scenario, source }: Pick<ScenarioFile, 'scenario' | 'source'>,
): Promise<ScenarioFailure | null> {
  try {
    await playSteps(play, scenario.timeline, ['timeline'])
    await attempt(play, () => awaitBackground(play))
    const { expect } = scenario
    if (expect !== undefined) {
      await attempt(play, () => requireNone(['expect'], 'the end', checkWorld(play, expect)))
    }
    play.tally.look()
    return null
  } catch (error) {
    if (!(error instanceof StepFailure)) throw error
    play.tally.look()
    return toFailure(play, error, (path) => source.problem(path, ''))
  }
}

const shownBefore = 12
const shownNext = 5

function toFailure(
  { world }: Play,
  { path, step, mismatches }: StepFailure,
  placeOf: (path: Path) => ScenarioFailure['place'],
): ScenarioFailure {
  const { timeline, nowMs } = world
  return {
    step,
    place: placeOf(path),
    atMs: nowMs,
    mismatches,
    before: timeline.since(Math.max(0, timeline.entryCount - shownBefore)),
    next: describePending(world, shownNext).map(({ inMs, event }) => ({ inMs, event })),
  }
}

function toResult(
  { scenario, world, startMs, replies, tally }: Play,
  { source }: ScenarioFile,
  { seed, failure, tookMs }: Pick<ScenarioResult, 'seed' | 'failure' | 'tookMs'>,
): ScenarioResult {
  return {
    name: scenario.name,
    file: source.file,
    seed,
    failure,
    virtualMs: world.nowMs - startMs,
    tookMs,
    startMs,
    replies: Object.fromEntries(replies),
    jobs: tally.history.jobs.size,
    costUsd: spentUsd(world),
    entries: world.timeline.entryCount,
  }
}

/** Kinds of entries that some expectation is about. */
function kindsIn({ timeline, expect }: Scenario): Set<string> {
  const all: Happened[] = [...(expect?.happened ?? [])]
  const add = ({ check, until, repeat }: ScenarioStep) => {
    all.push(...(check?.happened ?? []))
    if (until?.happened !== undefined) all.push(until.happened)
    for (const step of repeat?.steps ?? []) add(step)
  }
  for (const step of timeline) add(step)
  return new Set(all.map((happened) => toPattern(happened).kind))
}
