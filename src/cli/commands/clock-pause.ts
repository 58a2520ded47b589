/** `clock pause`: stops the flow of virtual time. */
import { describeClock } from '../clock-words.ts'
import { controlOptions, defineCommand } from '../command.ts'
import { connect } from '../control-client.ts'

export const clockPause = defineCommand({
  usage: 'pause',
  summary: 'Stop virtual time where it is',
  options: controlOptions,
  examples: [],
  async run({ url, json }, output) {
    const { text, body } = await connect(url).changeClock({ paused: true })
    output.result(json ? text : describeClock(body))
  },
})
