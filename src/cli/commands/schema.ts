/** `schema`: the JSON Schemas that fixtures are held against. */
import { defineCommand } from '../command.ts'

const names = ['catalog', 'fault', 'handlers', 'profiles', 'scenarios', 'worlds'] as const

export const schema = defineCommand({
  usage: 'schema [name]',
  summary: 'Print the JSON Schemas of fixtures',
  options: {
    name: { type: 'string', positional: true, choices: names, describe: 'The folder of its kind' },
  },
  examples: [['compute-emulator schema scenarios > scenario.schema.json', 'For an editor']],
  async run({ name }, output) {
    const { schemaDocument } = await import('../../scenarios/schemas.ts')
    const found = names.map((known) => [known, schemaDocument(known)] as const)
    const document = name === undefined ? Object.fromEntries(found) : schemaDocument(name)
    output.result(JSON.stringify(document, null, 2))
  },
})
