/** Plays a scenario on a running emulator, at the pace of its clock, for clients to meet. */
import type { Fixtures } from '../adapters/fixtures/load.ts'
import { createWebhookSender } from '../adapters/webhooks/webhook-sender.ts'
import { Emulator } from '../emulator/emulator.ts'
import type { EmulatorOptions } from '../emulator/options.ts'
import { loadSurfaces } from '../surfaces/all.ts'
import { Interrupted, livePace } from './pace.ts'
import type { StepFailure } from './play.ts'
import type { ScenarioFile } from './read.ts'
import { receive } from './receivers.ts'
import { beginPlay, playToTheEnd } from './run.ts'
import { type SettledOptions, settingsOf } from './settings.ts'
import type { Tally } from './tally.ts'

/** What whoever starts it may choose besides the scenario. */
export type LiveOptions = SettledOptions &
  Pick<EmulatorOptions, 'clock' | 'speed' | 'onBug' | 'bounds' | 'webhookTargets'>

export interface LiveScenario {
  readonly emulator: Emulator
  /** What the scenario decided. */
  readonly options: EmulatorOptions
  /**
   * Resolves after the last step, to whether it got that far: a reset ends it. Clients that meet the
   * scenario change what comes of it, so what is not as expected is told and the play goes on.
   */
  readonly play: (onFailure: (failure: StepFailure) => void) => Promise<boolean>
}

/** Throws a FixtureError where the scenario does not fit the fixtures. */
export async function openScenario(
  file: ScenarioFile,
  fixtures: Fixtures,
  chosen: LiveOptions,
): Promise<LiveScenario> {
  const { options, settings } = await settingsOf(file, fixtures, chosen)
  await loadSurfaces()
  const sender = receive(file.scenario.receivers, createWebhookSender(chosen.webhookTargets))
  const emulator = new Emulator({ ...chosen, ...options, sendWebhook: sender }, settings)
  const { seed = '0' } = options
  const play: LiveScenario['play'] = async (onFailure) => {
    emulator.clock.catchUp(emulator.main)
    const paceOf = (tally: Tally) => livePace(emulator, tally)
    try {
      await playToTheEnd(beginPlay(file.scenario, emulator, { seed, paceOf, onFailure }), file)
      return true
    } catch (error) {
      if (error instanceof Interrupted) return false
      throw error
    }
  }
  return { emulator, options, play }
}
