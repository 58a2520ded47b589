/** `explain`: why a job waits or ended as it did, and why the autoscaler acts or does not. */
import { controlOptions, defineCommand } from '../command.ts'
import { connect } from '../control-client.ts'

const kinds = ['job', 'endpoint'] as const

export const explain = defineCommand({
  usage: 'explain <what> <id>',
  summary: 'Say why a job waits or ended, or why an endpoint scales',
  options: {
    what: { type: 'string', positional: true, choices: kinds, describe: 'job or endpoint' },
    id: { type: 'string', positional: true, describe: 'Its id', names: 'endpoints' },
    ...controlOptions,
  },
  examples: [
    ['compute-emulator explain job 3f0c…-u1', 'Where it was, what it waits for, what went wrong'],
    ['compute-emulator explain endpoint demo', 'What the autoscaler sees and what it wants'],
  ],
  async run({ what = 'job', id = '', url, json }, output) {
    const { text, body } = await connect(url).explain(what, id)
    const { subject, status, sentences } = body
    output.result(json ? text : [`${subject}: ${status}`, '', ...sentences].join('\n'))
  },
})
