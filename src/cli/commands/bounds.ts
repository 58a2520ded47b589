/** `bounds`: what callers may take at most. */
import { boundTable } from '../../model/bounds.ts'
import { defineCommand } from '../command.ts'
import { formatTable } from '../output.ts'

export const bounds = defineCommand({
  usage: 'bounds',
  summary: 'List what callers may take at most',
  options: { json: { type: 'boolean', describe: 'Print them as JSON' } },
  examples: [['compute-emulator start --bound connections=64', 'Start with a bound changed']],
  async run({ json }, output) {
    if (json) {
      output.result(JSON.stringify(boundTable))
      return
    }
    const rows = Object.entries(boundTable).map(([name, bound]) => [
      name,
      String(bound.default),
      bound.range.join('..'),
      bound.what,
    ])
    output.result(formatTable([['BOUND', 'DEFAULT', 'RANGE', 'WHAT'], ...rows]))
  },
})
