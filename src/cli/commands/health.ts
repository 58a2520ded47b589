/** `health`: the exit code says whether an emulator answers, for health checks of containers. */
import { controlOptions, defineCommand } from '../command.ts'
import { connect } from '../control-client.ts'

export const health = defineCommand({
  usage: 'health',
  summary: 'Exit with 0 when the emulator is ready',
  options: controlOptions,
  examples: [],
  async run({ url, json }, output) {
    const client = connect(url)
    const { text, body } = await client.health()
    output.result(json ? text : `compute-emulator ${body.version} at ${client.url} is ready.`)
  },
})
