/** `timeline`: what happened. */
import { controlOptions, defineCommand } from '../command.ts'
import { connect } from '../control-client.ts'

export const timeline = defineCommand({
  usage: 'timeline',
  summary: 'Print what happened, one JSON object a line',
  options: { url: controlOptions.url },
  examples: [
    ['compute-emulator timeline > before.ndjson', 'Keep a story to compare another run with'],
  ],
  async run({ url }, output) {
    const lines = await connect(url).timeline()
    if (lines !== '') output.result(lines)
  },
})
