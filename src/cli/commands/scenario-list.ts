/** `scenario list`: the scenarios there are. */
import { defineCommand } from '../command.ts'
import { formatTable } from '../output.ts'
import { fixtureOption, loadScenarios } from '../scenario-files.ts'

export const scenarioList = defineCommand({
  usage: 'list',
  summary: 'List the built-in scenarios, and those of --fixtures',
  options: { ...fixtureOption, json: { type: 'boolean', describe: 'Print them as JSON' } },
  examples: [['compute-emulator scenario list --json', 'With where each comes from']],
  async run({ fixtures, json }, output) {
    const { files } = await loadScenarios({ files: [], all: true, fixtures })
    const rows = files.map(({ scenario, source }) => {
      const { name, description, provenance } = scenario
      return { name, description, provenance, file: source.file }
    })
    if (json) output.result(JSON.stringify(rows))
    else
      output.result(formatTable(rows.map(({ name, description }) => [name, firstOf(description)])))
  },
})

/** The first sentence, or what stands before its colon. */
function firstOf(description: string): string {
  const [, first = description] = /^(.*?)[.:](?=\s|$)/s.exec(description) ?? []
  return `${first.replace(/\s+/g, ' ')}.`
}
