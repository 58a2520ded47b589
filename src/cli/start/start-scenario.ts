/** `start --scenario`: an emulator whose world a scenario makes, and the scenario played on it. */

import type { ServedEmulator, StartOptions } from '../../emulator/serve.ts'
import { serveEmulator } from '../../emulator/serve.ts'
import type { LiveScenario } from '../../scenarios/live.ts'
import { openScenario } from '../../scenarios/live.ts'
import type { StepFailure } from '../../scenarios/play.ts'
import type { ClockMode } from '../../surfaces/control/controls.ts'
import type { Output } from '../output.ts'
import { loadScenarios } from '../scenario-files.ts'
import { type Protection, readProtection, readSaid, type SaidValues } from './start-values.ts'

interface Chosen extends Protection, SaidValues {
  readonly fixtures: readonly string[]
  readonly clock: ClockMode
  readonly speed: number
}

export interface PreparedScenario {
  /** Options of `start` that the scenario decides. */
  readonly decided: { readonly seed: string; readonly profile: string; readonly world: string }
  readonly start: (options: StartOptions) => Promise<ServedEmulator>
  /** Says what is not as expected, and when it is over. */
  readonly play: () => void
}

export async function prepareScenario(
  word: string,
  { fixtures: overlays, clock, speed, ...others }: Chosen,
  output: Output,
): Promise<PreparedScenario> {
  const { files, fixtures } = await loadScenarios({ files: [word], all: false, fixtures: overlays })
  const [file] = files
  if (file === undefined) throw new Error('one scenario was asked for')
  const report = (bug: unknown) => output.progress(`bug in compute-emulator: ${bug}`)
  const live = await openScenario(file, fixtures, {
    ...{ clock, speed, onBug: report },
    ...readProtection(others),
    ...readSaid(others),
  })
  const { seed = '0', profile = 'fast', world = 'default' } = live.options
  return {
    decided: { seed, profile, world },
    start: (options) => serveEmulator(live.emulator, { ...options, seed, profile }),
    play: () => follow(live, file.scenario.name, output),
  }
}

function follow({ play }: LiveScenario, name: string, output: Output): void {
  output.progress(`scenario ${name} begins`)
  const tell = ({ step, mismatches }: StepFailure) => {
    const all = mismatches.map(
      ({ where, expected, found }) => `${where} is ${found}, not ${expected}`,
    )
    output.progress(`scenario ${name}, step ${step}: ${all.join('; ')}`)
  }
  play(tell).then(
    (reachedItsEnd) => {
      output.progress(
        `scenario ${name} ${reachedItsEnd ? 'is over' : 'ended: the world was reset'}`,
      )
    },
    (bug) => output.progress(`bug in compute-emulator, in scenario ${name}: ${bug}`),
  )
}
