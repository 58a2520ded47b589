/** `clock speed`: how fast virtual time flows. */
import { describeClock } from '../clock-words.ts'
import { controlOptions, defineCommand } from '../command.ts'
import { connect } from '../control-client.ts'

export const clockSpeed = defineCommand({
  usage: 'speed <factor>',
  summary: 'Set how many virtual seconds pass in a real one',
  options: {
    factor: {
      type: 'number',
      positional: true,
      describe: 'Virtual seconds in a real one, with the clock real',
      default: 1,
      range: [0.001, 1_000_000],
    },
    ...controlOptions,
  },
  examples: [['compute-emulator clock speed 60', 'An hour takes a minute']],
  async run({ factor, url, json }, output) {
    const { text, body } = await connect(url).changeClock({ speed: factor })
    output.result(json ? text : describeClock(body))
  },
})
