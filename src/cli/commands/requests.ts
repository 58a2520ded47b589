/** `requests`: the last requests that the emulator answered. */
import type { RequestReport } from '../../surfaces/control/controls.ts'
import { controlOptions, defineCommand } from '../command.ts'
import { connect } from '../control-client.ts'
import { formatTable } from '../output.ts'
import { requestFilters } from '../request-filters.ts'

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
    ...requestFilters,
    format: {
      type: 'string',
      choices: ['table', 'ndjson', 'har'],
      describe: 'For people, one JSON object a line, or an HTTP archive',
      default: 'table',
    },
    ...controlOptions,
  },
  examples: [
    ['compute-emulator requests --limit 5', 'The last five'],
    ['compute-emulator requests --status 5xx', 'What went wrong here'],
    ['compute-emulator requests --format har > run.har', 'For tools that read HTTP archives'],
  ],
  async run({ limit, format, url, json, ...filters }, output) {
    const { operation, method, path, status, 'user-agent': userAgent } = filters
    const query = { limit, operation, method, path, status, userAgent }
    const client = connect(url)
    if (format !== 'table') return output.result(await client.exportRequests({ ...query, format }))
    const { text, body } = await client.requests(query)
    if (json) output.result(text)
    else if (body.requests.length === 0) output.progress('There were no such requests yet.')
    else output.result(formatRequests(body.requests))
  },
})

export function formatRequests(found: readonly RequestReport[]): string {
  return formatTable([heading, ...found.map(toRow)])
}

const heading = ['AT', 'METHOD', 'PATH', 'OPERATION', 'STATUS', 'MS', 'FAULTS']

function toRow(request: RequestReport): string[] {
  const { at, method, path, status, tookMs, faults } = request
  const operation = describeOperation(request)
  return [at, method, path, operation, String(status), tookMs.toFixed(1), faults.join(' ')]
}

/** `v2.listPods`, or what a GraphQL request asked for: `graphql: myself.pods, gpuTypes`. */
function describeOperation({ operation, rootFields }: RequestReport): string {
  if (rootFields.length === 0) return operation
  return `graphql: ${rootFields.join(', ')}`
}
