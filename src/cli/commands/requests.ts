/** `requests`: the last requests that the emulator answered. */
import type { RequestReport } from '../../surfaces/control/controls.ts'
import { controlOptions, defineCommand } from '../command.ts'
import { connect } from '../control-client.ts'
import { formatTable } from '../output.ts'

export const requests = defineCommand({
  usage: 'requests',
  summary: 'List the last requests, oldest first',
  options: {
    limit: {
      type: 'number',
      describe: 'How many',
      default: 20,
      range: [1, 10_000],
      whole: true,
    },
    ...controlOptions,
  },
  examples: [['compute-emulator requests --limit 5', 'The last five']],
  async run({ limit, url, json }, output) {
    const { text, body } = await connect(url).requests(limit)
    if (json) output.result(text)
    else if (body.requests.length === 0) output.progress('There were no requests yet.')
    else output.result(formatTable([heading, ...body.requests.map(toRow)]))
  },
})

const heading = ['AT', 'METHOD', 'PATH', 'OPERATION', 'STATUS', 'MS']

function toRow({ at, method, path, operation, status, tookMs }: RequestReport): string[] {
  return [at, method, path, operation, String(status), tookMs.toFixed(1)]
}
