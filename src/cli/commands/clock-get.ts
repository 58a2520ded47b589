/** `clock get`: what time it is. */
import { describeClock } from '../clock-words.ts'
import { controlOptions, defineCommand } from '../command.ts'
import { connect } from '../control-client.ts'

export const clockGet = defineCommand({
  usage: 'get',
  summary: 'Say what time it is and how time moves',
  options: controlOptions,
  examples: [],
  async run({ url, json }, output) {
    const { text, body } = await connect(url).clock()
    output.result(json ? text : describeClock(body))
  },
})
