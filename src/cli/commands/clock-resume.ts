/** `clock resume`: lets virtual time flow again. */
import { describeClock } from '../clock-words.ts'
import { controlOptions, defineCommand } from '../command.ts'
import { connect } from '../control-client.ts'

export const clockResume = defineCommand({
  usage: 'resume',
  summary: 'Let virtual time flow on from where it stopped',
  options: controlOptions,
  examples: [],
  async run({ url, json }, output) {
    const { text, body } = await connect(url).changeClock({ paused: false })
    output.result(json ? text : describeClock(body))
  },
})
