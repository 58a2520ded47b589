/** `faults remove`: one thing goes right again. */
import { controlOptions, defineCommand } from '../command.ts'
import { connect } from '../control-client.ts'

export const faultsRemove = defineCommand({
  usage: 'remove <id>',
  summary: 'Take a fault away',
  options: {
    id: { type: 'string', positional: true, describe: 'As the list says it', names: 'faults' },
    ...controlOptions,
  },
  examples: [['compute-emulator faults remove fault-1x9c', 'What it did stays in the timeline']],
  async run({ id, url, json }, output) {
    const { text } = await connect(url).removeFault(id ?? '')
    output.result(json ? text : `The fault '${id}' is gone.`)
  },
})
