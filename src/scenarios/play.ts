/** A scenario that is being played: what its steps share, and what went wrong. */
import type { Path } from '../adapters/fixtures/problem.ts'
import type { Emulator } from '../emulator/emulator.ts'
import type { Scenario } from '../model/scenario.ts'
import type { RandomStream } from '../sim/random.ts'
import type { World } from '../world/world.ts'
import type { Mismatch } from './matching.ts'
import type { Pace } from './pace.ts'
import type { Tally } from './tally.ts'
import type { Transcript } from './transcript.ts'

export interface Play {
  readonly emulator: Emulator
  readonly world: World
  readonly scenario: Scenario
  readonly startMs: number
  readonly pace: Pace
  readonly tally: Tally
  /** Absent when nobody will read it. */
  readonly transcript: Transcript | undefined
  readonly saved: Map<string, unknown>
  /** How often each status came back. */
  readonly replies: Map<number, number>
  /** Requests whose answer the steps do not wait for. */
  readonly background: Background[]
  /** Chance that is the scenario's own. */
  readonly random: RandomStream
  /** Told of what is not as expected, where the play goes on all the same. */
  readonly onFailure: ((failure: StepFailure) => void) | undefined
}

export interface Background {
  readonly isAnswered: () => boolean
  /** Holds the answer against what is expected. */
  readonly settle: () => void
  readonly giveUp: () => never
}

/** What was expected did not come. */
export class StepFailure extends Error {
  override readonly name = 'StepFailure'
  readonly path: Path
  readonly step: string
  readonly mismatches: readonly Mismatch[]

  constructor(path: Path, step: string, mismatches: readonly Mismatch[]) {
    super(`${step} failed`)
    this.path = path
    this.step = step
    this.mismatches = mismatches
  }
}

/** Ends the play at what goes wrong, unless somebody wants to be told instead. */
export async function attempt(play: Play, act: () => Promise<void> | void): Promise<void> {
  try {
    await act()
  } catch (error) {
    if (!(error instanceof StepFailure) || play.onFailure === undefined) throw error
    play.onFailure(error)
  }
}

export function requireNone(path: Path, step: string, mismatches: readonly Mismatch[]): void {
  if (mismatches.length > 0) throw new StepFailure(path, step, mismatches)
}
