/** `clock mode`: whether virtual time flows, stands or jumps. */
import { describeClock } from '../clock-words.ts'
import { controlOptions, defineCommand } from '../command.ts'
import { connect } from '../control-client.ts'

export const clockMode = defineCommand({
  usage: 'mode <mode>',
  summary: 'Set how virtual time moves',
  options: {
    mode: {
      type: 'string',
      positional: true,
      describe: 'Follow real time, move when told, or jump to what is due',
      choices: ['real', 'manual', 'auto'],
    },
    ...controlOptions,
  },
  examples: [['compute-emulator clock mode manual', 'Time stands still until it is told']],
  async run({ mode, url, json }, output) {
    const { text, body } = await connect(url).changeClock({ mode })
    output.result(json ? text : describeClock(body))
  },
})
