/** `clock set`: lets virtual time pass until an instant. */
import { describeAdvance } from '../clock-words.ts'
import { controlOptions, defineCommand } from '../command.ts'
import { connect } from '../control-client.ts'

export const clockSet = defineCommand({
  usage: 'set <to>',
  summary: 'Let virtual time pass until an instant',
  options: {
    to: { type: 'string', positional: true, describe: 'An instant, RFC 3339' },
    ...controlOptions,
  },
  examples: [['compute-emulator clock set 2026-01-02T00:00:00Z', 'It is the next day']],
  async run({ to = '', url, json }, output) {
    const { text, body } = await connect(url).setClock(to)
    output.result(json ? text : describeAdvance(body))
  },
})
