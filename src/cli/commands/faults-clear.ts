/** `faults clear`: everything goes right again. */
import { controlOptions, defineCommand } from '../command.ts'
import { connect } from '../control-client.ts'
import { counted } from '../output.ts'

export const faultsClear = defineCommand({
  usage: 'clear',
  summary: 'Take every fault away',
  options: controlOptions,
  examples: [['compute-emulator faults clear', 'Nothing goes wrong any more']],
  async run({ url, json }, output) {
    const { text, body } = await connect(url).clearFaults()
    output.result(json ? text : `${counted(body.removed, 'fault')} at work taken away.`)
  },
})
