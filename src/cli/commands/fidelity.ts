/** `fidelity`: the switches for what the cloud's documents leave open. */
import { fidelitySwitches } from '../../model/fidelity.ts'
import { defineCommand } from '../command.ts'

export const fidelity = defineCommand({
  usage: 'fidelity',
  summary: 'List the fidelity switches and their values',
  options: { json: { type: 'boolean', describe: 'Print them as JSON' } },
  examples: [
    ['compute-emulator start --fidelity deleteEndpoint=always', 'Start with a switch changed'],
  ],
  async run({ json }, output) {
    const switches = Object.entries(fidelitySwitches)
    if (json) {
      const table = switches.map(([name, { values, why }]) => [
        name,
        { default: values[0], values, why },
      ])
      output.result(JSON.stringify(Object.fromEntries(table)))
      return
    }
    const paragraphs = switches.map(([name, { values, why }]) => {
      const [first, ...others] = values
      return [
        output.paint('bold', name),
        `  ${first} (default), ${others.join(', ')}`,
        `  ${why}`,
      ].join('\n')
    })
    output.result(paragraphs.join('\n\n'))
  },
})
