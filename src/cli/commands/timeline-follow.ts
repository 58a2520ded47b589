/** `timeline follow`: what happens, as it happens. */
import { controlOptions, defineCommand } from '../command.ts'
import { connect } from '../control-client.ts'

export const timelineFollow = defineCommand({
  usage: 'follow',
  summary: 'Print what happens as it happens, until interrupted',
  options: {
    after: {
      type: 'number',
      whole: true,
      range: [0, Number.MAX_SAFE_INTEGER],
      describe: 'Begin after the entry with this seq',
    },
    url: controlOptions.url,
  },
  examples: [['compute-emulator timeline follow', 'One JSON object a line']],
  async run({ after, url }, output) {
    for await (const line of connect(url).followTimeline(after)) output.result(line)
  },
})
