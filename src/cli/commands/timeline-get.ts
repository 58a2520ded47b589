/** `timeline`: what happened. */
import { controlOptions, defineCommand } from '../command.ts'
import { connect } from '../control-client.ts'

export const timelineGet = defineCommand({
  usage: 'get',
  summary: 'Print what happened, one JSON object a line',
  options: {
    format: {
      type: 'string',
      choices: ['ndjson', 'perfetto'],
      describe: 'Lines, or a trace that ui.perfetto.dev opens',
      default: 'ndjson',
    },
    url: controlOptions.url,
  },
  examples: [
    ['compute-emulator timeline > before.ndjson', 'Keep a story to compare another run with'],
    ['compute-emulator timeline --format perfetto > trace.json', 'Look at it on a time axis'],
  ],
  async run({ format, url }, output) {
    const lines = await connect(url).timeline(format)
    if (lines !== '') output.result(lines)
  },
})
