/** A scenario written in a test, read as a file of its own. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { loadFixtures } from '../../src/adapters/fixtures/load.ts'
import { readScenario, type ScenarioFile } from '../../src/scenarios/read.ts'
import { type FinishedRun, type RunOptions, runScenario } from '../../src/scenarios/run.ts'
import { temporaryFolder } from './folder.ts'

/** A queue endpoint, `e`, with nothing else around it. */
export const queueStart = {
  account: { id: 'user_test', email: 'test@example.com', balanceUsd: 100 },
  endpoints: [
    {
      id: 'e',
      name: 'e',
      container: { image: 'example/handler:1' },
      gpuTypeIds: ['NVIDIA RTX A4000'],
    },
  ],
}

export function writeScenario(content: object, name = 'mine'): string {
  const path = join(temporaryFolder('scenario'), `${name}.json`)
  const whole = { name, description: 'A test.', provenance: ['Assumed: for a test.'], ...content }
  writeFileSync(path, JSON.stringify(whole, null, 2))
  return path
}

export const scenarioOf = (content: object): ScenarioFile => readScenario(writeScenario(content))

export async function play(content: object, options: RunOptions = {}): Promise<FinishedRun> {
  const file = scenarioOf({ start: queueStart, ...content })
  return runScenario(file, await loadFixtures(), options)
}
