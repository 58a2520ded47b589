/** `snapshot delete`: forgets a snapshot. */
import { controlOptions, defineCommand } from '../command.ts'
import { connect } from '../control-client.ts'

export const snapshotDelete = defineCommand({
  usage: 'delete <name>',
  summary: 'Forget a snapshot',
  options: {
    name: { type: 'string', positional: true, describe: 'Its name', names: 'snapshots' },
    url: controlOptions.url,
  },
  examples: [['compute-emulator snapshot delete before', 'Its memory is free again']],
  async run({ name = '', url }, output) {
    await connect(url).deleteSnapshot(name)
    output.result(`Forgot '${name}'.`)
  },
})
