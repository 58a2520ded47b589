/** `fidelity`: the switches for what the cloud's documents leave open, and what is refused for it. */
import { fidelitySwitches } from '../../model/fidelity.ts'
import { refusedFields } from '../../surfaces/graphql/refused-fields.ts'
import { defineCommand } from '../command.ts'

export const fidelity = defineCommand({
  usage: 'fidelity',
  summary: 'List the fidelity switches, and the GraphQL fields that are refused',
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
      output.result(JSON.stringify({ switches: Object.fromEntries(table), refusedFields }))
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
    const refused = Object.entries(refusedFields).flatMap(([operation, fields]) =>
      Object.entries(fields).map(([field, why]) => {
        return [output.paint('bold', `graphql.${operation}.${field}`), `  refused: ${why}`].join(
          '\n',
        )
      }),
    )
    output.result([...paragraphs, ...refused].join('\n\n'))
  },
})
