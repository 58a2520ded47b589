/** `reset`: puts the world back to its start state. */
import { controlOptions, defineCommand } from '../command.ts'
import { connect } from '../control-client.ts'

export const reset = defineCommand({
  usage: 'reset',
  summary: 'Put the world back to its start state',
  options: {
    seed: { type: 'string', describe: 'Another seed than the one it was started with' },
    ...controlOptions,
  },
  examples: [['compute-emulator reset --seed 7', 'Begin again, with other ids and draws']],
  async run({ seed, url, json }, output) {
    const { text, body } = await connect(url).reset(seed)
    output.result(json ? text : `The world is back at its start, with seed ${body.seed}.`)
  },
})
