/** `accounts`: the worlds there are, and the keys that open them. */
import { controlOptions, defineCommand } from '../command.ts'
import { connect } from '../control-client.ts'
import { formatTable } from '../output.ts'

export const accounts = defineCommand({
  usage: 'accounts',
  summary: 'List worlds and the keys that open them',
  options: { ...controlOptions },
  examples: [['compute-emulator accounts', 'Keys are shown by their ends only']],
  async run({ url, json }, output) {
    const { text, body } = await connect(url).accounts()
    if (json) return output.result(text)
    const worlds = body.worlds.map(({ key, now, counts }) => [
      key ?? '(any other key)',
      now,
      String(counts.pods),
      String(counts.endpoints),
      String(counts.jobs),
    ])
    output.result(formatTable([['KEY', 'TIME', 'PODS', 'ENDPOINTS', 'JOBS'], ...worlds]))
    if (body.keys.length === 0) return
    const keys = body.keys.map(({ key, access }) => [key, access])
    output.result(`\n${formatTable([['KNOWN KEY', 'ACCESS'], ...keys])}`)
  },
})
