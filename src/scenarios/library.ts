/** Scenarios for programs: one call plays a file. */
import type { ScenarioResult } from './report.ts'

export interface PlayOptions {
  /** Directories with fixtures that go over the built-in ones, in order. */
  readonly fixtures?: readonly string[]
  /** In place of the scenario's own. */
  readonly seed?: string
}

/**
 * Plays a scenario in virtual time: a file, or the name of a built-in one. Rejects with FixtureError
 * when it is not right; what is not as expected is in the result.
 */
export async function playScenario(
  scenario: string,
  { fixtures: overlays = [], ...options }: PlayOptions = {},
): Promise<ScenarioResult> {
  // Programs that only start an emulator need none of this.
  const { loadFixtures } = await import('../adapters/fixtures/load.ts')
  const { findScenarios } = await import('./find.ts')
  const { readScenario } = await import('./read.ts')
  const { runScenario } = await import('./run.ts')
  const [path = scenario] = findScenarios([scenario], overlays)
  const { result } = await runScenario(
    readScenario(path),
    await loadFixtures({ overlays }),
    options,
  )
  return result
}
