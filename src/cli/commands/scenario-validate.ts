/** `scenario validate`: whether scenarios are right in themselves, without playing them. */
import { defineCommand } from '../command.ts'
import { counted } from '../output.ts'
import { fixtureOption, loadScenarios, scenariosOption } from '../scenario-files.ts'

export const scenarioValidate = defineCommand({
  usage: 'validate [files..]',
  summary: 'Say what is wrong in scenarios, with file, line and field',
  options: {
    files: scenariosOption,
    all: { type: 'boolean', describe: 'Every built-in scenario, and those of --fixtures' },
    ...fixtureOption,
  },
  examples: [['compute-emulator scenario validate mine.yaml', 'Nothing is played']],
  async run(values, output) {
    const { files } = await loadScenarios(values)
    output.result(
      `${counted(files.length, 'scenario')} ${files.length === 1 ? 'is' : 'are'} right.`,
    )
  },
})
