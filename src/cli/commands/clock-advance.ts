/** `clock advance`: lets virtual time pass. */
import { describeAdvance } from '../clock-words.ts'
import { controlOptions, defineCommand } from '../command.ts'
import { connect } from '../control-client.ts'

export const clockAdvance = defineCommand({
  usage: 'advance <by>',
  summary: 'Let virtual time pass',
  options: {
    by: { type: 'string', positional: true, describe: 'A span: 250ms, 90s, 1h30m, 2d' },
    ...controlOptions,
  },
  examples: [['compute-emulator clock advance 90s', 'Everything due in 90 seconds happens']],
  async run({ by = '', url, json }, output) {
    const { text, body } = await connect(url).advanceClock(by)
    output.result(json ? text : describeAdvance(body))
  },
})
