/** `fork`: a world of its own for one key, so that tests share a server and nothing else. */
import { controlOptions, defineCommand } from '../command.ts'
import { connect } from '../control-client.ts'

export const fork = defineCommand({
  usage: 'fork <key>',
  summary: 'Give a key a world of its own, a copy of this one',
  options: {
    key: { type: 'string', positional: true, describe: 'The key that opens it' },
    snapshot: { type: 'string', describe: 'Begin with this snapshot instead' },
    ...controlOptions,
  },
  examples: [['compute-emulator fork test-7', 'Clients with the key test-7 are on their own']],
  async run({ key = '', snapshot, url, json }, output) {
    const { text, body } = await connect(url).fork({
      key,
      ...(snapshot === undefined ? {} : { snapshot }),
    })
    output.result(json ? text : `The key ${body.key} opens a world of its own, at ${body.now}.`)
  },
})
