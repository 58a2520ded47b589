/** The scenarios that a command was called with: found, read and checked before anything runs. */
import type { Fixtures } from '../adapters/fixtures/load.ts'
import type { ScenarioFile } from '../scenarios/read.ts'
import { misused } from './failure.ts'
import type { Options } from './options.ts'

export const scenariosOption = {
  type: 'string',
  positional: true,
  repeatable: true,
  describe: 'Files, folders, or names of built-in scenarios',
} as const satisfies Options[string]

export const fixtureOption = {
  fixtures: {
    type: 'string',
    describe: 'Directory laid over the built-in fixtures; may be repeated',
    repeatable: true,
    fromEnvironment: true,
  },
} as const satisfies Options

interface Wanted {
  readonly files: readonly string[]
  readonly all: boolean
  readonly fixtures: readonly string[]
}

/** Everything wrong in any of the files, together. */
export async function loadScenarios({ files: words, all, fixtures: overlays }: Wanted): Promise<{
  readonly files: readonly ScenarioFile[]
  readonly fixtures: Fixtures
}> {
  if (words.length === 0 && !all) throw misused('name a scenario, or say --all')
  const { loadFixtures } = await import('../adapters/fixtures/load.ts')
  const { FixtureError, refuse } = await import('../adapters/fixtures/problem.ts')
  const { allScenarios, findScenarios } = await import('../scenarios/find.ts')
  const { readScenario } = await import('../scenarios/read.ts')
  const { settingsOf } = await import('../scenarios/settings.ts')
  try {
    const fixtures = await loadFixtures({ overlays })
    const paths = all ? allScenarios(overlays) : findScenarios(words, overlays)
    const problems: InstanceType<typeof FixtureError>['problems'][number][] = []
    const files: ScenarioFile[] = []
    for (const path of paths) {
      try {
        const file = readScenario(path)
        await settingsOf(file, fixtures)
        files.push(file)
      } catch (error) {
        if (!(error instanceof FixtureError)) throw error
        problems.push(...error.problems)
      }
    }
    refuse(problems)
    return { files, fixtures }
  } catch (error) {
    if (!(error instanceof FixtureError)) throw error
    throw misused(`${error.message}\nNothing was run.`)
  }
}
