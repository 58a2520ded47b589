/** `scenario run`: plays scenarios in virtual time, without a server, and says what came of them. */
import { writeFileSync } from 'node:fs'
import type { Fixtures } from '../../adapters/fixtures/load.ts'
import type { Difference } from '../../scenarios/golden.ts'
import type { ScenarioFile } from '../../scenarios/read.ts'
import type { ScenarioResult } from '../../scenarios/report.ts'
import { defineCommand } from '../command.ts'
import { misused, refused } from '../failure.ts'
import type { Values } from '../options.ts'
import { counted, type Output } from '../output.ts'
import { createProgressBar } from '../progress-bar.ts'
import { fixtureOption, loadScenarios, scenariosOption } from '../scenario-files.ts'

const options = {
  files: scenariosOption,
  all: { type: 'boolean', describe: 'Every built-in scenario, and those of --fixtures' },
  ...fixtureOption,
  seed: { type: 'string', describe: "In place of the scenarios' own" },
  seeds: {
    type: 'number',
    describe: 'Run each with the seeds from 1 to this, up to the first that fails',
    range: [1, 100_000],
    whole: true,
  },
  junit: { type: 'string', describe: 'File to write the results to, as JUnit XML' },
  golden: { type: 'string', describe: 'Folder of transcripts that each run has to be equal to' },
  update: { type: 'boolean', describe: 'Write the transcripts to --golden instead' },
  json: { type: 'boolean', describe: 'Print one JSON object for each run' },
} as const

type RunValues = Values<typeof options>

export const scenarioRun = defineCommand({
  usage: 'run [files..]',
  summary: 'Play scenarios in virtual time and hold them against what they expect',
  options,
  examples: [
    ['compute-emulator scenario run --all', 'Every built-in scenario'],
    ['compute-emulator scenario run mine.yaml --seeds 100', 'The smallest seed that breaks it'],
    ['compute-emulator scenario run happy-queue --golden golden --update', 'Keep its transcript'],
  ],
  note: 'Exits with 1 when a scenario fails, and with 2 when one is not right in itself.',
  async run(values, output) {
    if (values.update && values.golden === undefined) throw misused('--update needs --golden')
    if (values.seed !== undefined && values.seeds !== undefined) {
      throw misused('--seed and --seeds cannot be combined')
    }
    const { files, fixtures } = await loadScenarios(values)
    const results = await runAll(files, fixtures, values, output)
    if (values.junit !== undefined) {
      const { toJunit } = await import('../../scenarios/junit.ts')
      writeFileSync(values.junit, toJunit(results))
    }
    const failed = results.filter(({ failure }) => failure !== null)
    if (failed.length > 0) {
      const names = failed.map(({ name }) => name).join(', ')
      throw refused(`${failed.length} of ${counted(results.length, 'scenario')} failed: ${names}`)
    }
    if (!values.json) output.result(describeTotal(results))
  },
})

async function runAll(
  files: readonly ScenarioFile[],
  fixtures: Fixtures,
  values: RunValues,
  output: Output,
): Promise<ScenarioResult[]> {
  const { describeFailure } = await import('../../scenarios/report.ts')
  const bar = createProgressBar(files.length, process)
  const results: ScenarioResult[] = []
  for (const [index, file] of files.entries()) {
    bar.show(index, file.scenario.name)
    const result = await runSeeds(file, fixtures, values, output)
    results.push(result)
    bar.clear()
    if (values.json) output.result(JSON.stringify(result))
    else output.result(describeResult(result, output))
    if (values.json || result.failure === null) continue
    output.result(describeFailure(result.failure, result.startMs).map(indent).join('\n'))
  }
  return results
}

/** The last run: the first that fails, or that of the last seed. */
async function runSeeds(
  file: ScenarioFile,
  fixtures: Fixtures,
  values: RunValues,
  output: Output,
): Promise<ScenarioResult> {
  const { seed, seeds } = values
  if (seeds === undefined) return runOnce(file, fixtures, { values, output, seed })
  for (let next = 1; ; next++) {
    const result = await runOnce(file, fixtures, { values, output, seed: String(next) })
    if (result.failure !== null || next === seeds) return result
  }
}

interface Once {
  readonly values: RunValues
  readonly output: Output
  readonly seed: string | undefined
}

async function runOnce(
  file: ScenarioFile,
  fixtures: Fixtures,
  { values, output, seed }: Once,
): Promise<ScenarioResult> {
  const { runScenario } = await import('../../scenarios/run.ts')
  const { golden, update } = values
  const run = await runScenario(file, fixtures, {
    ...(seed === undefined ? {} : { seed }),
    transcript: golden !== undefined,
  })
  const { result, transcript } = run
  if (golden === undefined || transcript === undefined || result.failure !== null) return result
  const { compareGolden, goldenFile, updateGolden } = await import('../../scenarios/golden.ts')
  if (update) {
    const changed = updateGolden(golden, result.name, transcript)
    if (changed) output.progress(`${goldenFile(golden, result.name)} was written`)
    return result
  }
  const difference = compareGolden(golden, result.name, transcript)
  return difference === null ? result : { ...result, failure: toFailure(difference, result) }
}

function toFailure(
  { file, line, expected = 'nothing', found = 'nothing' }: Difference,
  { startMs, virtualMs }: ScenarioResult,
): ScenarioResult['failure'] {
  return {
    step: 'transcript',
    place: { file, line, column: 1, field: '', message: '' },
    atMs: startMs + virtualMs,
    mismatches: [{ where: `line ${line}`, expected, found }],
    before: [],
    next: [],
  }
}

function describeResult(result: ScenarioResult, output: Output): string {
  const { name, seed, failure, virtualMs, tookMs, jobs, entries, costUsd } = result
  const sign = failure === null ? output.paint('green', 'ok    ') : output.paint('red', 'FAILED')
  const facts = [
    `${(virtualMs / 1_000).toFixed(0)} s in ${tookMs.toFixed(0)} ms`,
    counted(jobs, 'job'),
    `${entries} entries`,
    `${costUsd.toFixed(4)} USD`,
    `seed ${seed}`,
  ]
  return `${sign} ${name.padEnd(28)} ${output.paint('dim', facts.join(', '))}`
}

function describeTotal(results: readonly ScenarioResult[]): string {
  const tookMs = results.reduce((sum, result) => sum + result.tookMs, 0)
  return `${counted(results.length, 'scenario')} passed in ${(tookMs / 1_000).toFixed(2)} s.`
}

const indent = (line: string): string => `       ${line}`
