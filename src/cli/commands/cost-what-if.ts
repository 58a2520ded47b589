/** `cost what-if`: what the same jobs would have cost, and how long they would have waited. */
import { writeFileSync } from 'node:fs'
import type { Recording } from '../../model/recording.ts'
import type { Outcome } from '../../scenarios/what-if.ts'
import { controlOptions, defineCommand } from '../command.ts'
import { connect } from '../control-client.ts'
import { misused, refused } from '../failure.ts'
import type { Values } from '../options.ts'
import { counted, formatTable, type Output } from '../output.ts'
import { createProgressBar } from '../progress-bar.ts'
import { fixtureOption, loadScenarios } from '../scenario-files.ts'

const options = {
  endpoint: {
    type: 'string',
    describe: 'Whose jobs; the only endpoint with jobs when absent',
    names: 'endpoints',
  },
  vary: {
    type: 'string',
    repeatable: true,
    describe: 'A setting and its values: workers.max=1..10, workers.idleTimeout=1,5,30',
  },
  scenario: { type: 'string', describe: 'Take the jobs of this scenario, without a server' },
  svg: { type: 'string', describe: 'File to write a plot of cost and delay to' },
  ...fixtureOption,
  ...controlOptions,
} as const

type WhatIfValues = Values<typeof options>

export const costWhatIf = defineCommand({
  usage: 'what-if',
  summary: 'Do recorded jobs again with other settings, and compare cost and delay',
  options,
  examples: [
    ['compute-emulator cost what-if --vary workers.max=1..5', 'The jobs of a running emulator'],
    [
      'compute-emulator cost what-if --scenario rush --vary workers.idleTimeout=1,5,30 --svg cost.svg',
      'Those of a scenario',
    ],
  ],
  note: 'Jobs come when they came and take as long as they took; workers do not fail. A star marks what no other setting beats in both cost and delay. Of a running emulator only jobs that its timeline still has are done; a line below says so where some are missing.',
  async run(values, output) {
    const { combine, readVary, VaryError } = await import('../../scenarios/variations.ts')
    const { whatIf } = await import('../../scenarios/what-if.ts')
    if (values.vary.length === 0) throw misused('say what to vary: --vary workers.max=1..5')
    try {
      const variations = combine(values.vary.map(readVary))
      const { recording, fixtures } = await record(values)
      if (recording.submissions.length === 0) throw refused(nothingToDo(recording))
      const bar = createProgressBar(variations.length, process)
      const outcomes = whatIf(recording, variations, fixtures, (done) => bar.show(done, 'replays'))
      bar.clear()
      await tell(recording, outcomes, values, output)
    } catch (error) {
      throw error instanceof VaryError ? misused(error.message) : error
    }
  },
})

async function tell(
  { endpointId, submissions, sinceMs }: Recording,
  outcomes: readonly Outcome[],
  { svg, json }: WhatIfValues,
  output: Output,
): Promise<void> {
  if (svg !== undefined) {
    const { plotOutcomes } = await import('../../scenarios/plot.ts')
    const title = `${counted(submissions.length, 'job')} of ${endpointId}`
    writeFileSync(svg, plotOutcomes(outcomes, title))
  }
  const since = sinceMs === null ? null : new Date(sinceMs).toISOString()
  if (json) {
    output.result(JSON.stringify({ endpointId, jobs: submissions.length, since, outcomes }))
    return
  }
  const settings = Object.keys(outcomes[0]?.variation ?? {})
  const rows = outcomes.map(({ variation, costUsd, p50DelayMs, p95DelayMs, peakWorkers, best }) => [
    best ? '*' : '',
    ...settings.map((setting) => variation[setting] ?? ''),
    costUsd.toFixed(4),
    `${(p50DelayMs / 1_000).toFixed(2)} s`,
    `${(p95DelayMs / 1_000).toFixed(2)} s`,
    String(peakWorkers),
  ])
  output.result(
    formatTable([['', ...settings, 'USD', 'P50 DELAY', 'P95 DELAY', 'WORKERS'], ...rows]),
  )
  if (since !== null) output.result(`\n${cutNote(submissions.length, since)}`)
}

/** What is compared is less than what was done, and the figures do not show it. */
function cutNote(jobs: number, since: string): string {
  return `Of ${counted(jobs, 'job')} alone: the timeline is kept back to ${since}, and jobs from before are missing.`
}

function nothingToDo({ endpointId, sinceMs }: Recording): string {
  if (sinceMs === null) return `endpoint ${endpointId} has run no job`
  const since = new Date(sinceMs).toISOString()
  return `endpoint ${endpointId} has run no job since ${since}, and the timeline is kept no further back`
}

async function record({ scenario, endpoint, fixtures: overlays, url }: WhatIfValues) {
  if (scenario === undefined) {
    const { loadFixtures } = await import('../../adapters/fixtures/load.ts')
    const client = connect(url)
    const endpointId = endpoint ?? (await onlyEndpoint(client))
    const { body: recording } = await client.recording(endpointId)
    return { recording, fixtures: await loadFixtures({ overlays }) }
  }
  const { runScenario } = await import('../../scenarios/run.ts')
  const { recordingOf } = await import('../../scenarios/recording.ts')
  const { files, fixtures } = await loadScenarios({
    files: [scenario],
    all: false,
    fixtures: overlays,
  })
  const [file] = files
  if (file === undefined) throw new Error('one scenario was asked for')
  const run = await runScenario(file, fixtures)
  const recording = recordingOf(run, endpoint)
  if (recording === undefined) throw misused('say which endpoint: --endpoint ID')
  return { recording, fixtures }
}

async function onlyEndpoint(client: ReturnType<typeof connect>): Promise<string> {
  const { body } = await client.state()
  const used = body.endpoints.filter(({ type }) => type === 'QUEUE')
  const [first] = used
  if (used.length === 1 && first !== undefined) return first.id
  throw misused(`say which endpoint: --endpoint ${used.map(({ id }) => id).join(' or ')}`)
}
