/** `migration`: what callers have to change before REST v1 and GraphQL are gone. */
import type { DeprecatedOperation } from '../../surfaces/control/migration.ts'
import { controlOptions, defineCommand } from '../command.ts'
import { connect } from '../control-client.ts'
import { formatTable } from '../output.ts'

export const migration = defineCommand({
  usage: 'migration',
  summary: 'List what is used of REST v1 and GraphQL, and what becomes of it',
  options: controlOptions,
  examples: [
    ['compute-emulator migration', 'After a test run: what it still uses of REST v1 and GraphQL'],
    ['compute-emulator migration --json', 'The same for programs, with times for each caller'],
  ],
  async run({ url, json }, output) {
    const { text, body } = await connect(url).migration()
    if (json) output.result(text)
    else if (body.operations.length === 0) output.result(nothingUsed)
    else output.result(formatTable([heading, ...body.operations.flatMap(toRows)]))
  },
})

const nothingUsed = 'Nothing deprecated was used: there was no call to REST v1 or GraphQL.'

const heading = ['OPERATION', 'USED', 'LAST USED AT', 'BY', 'BECOMES']

/** One line for each caller; the first says what it is about. */
function toRows(used: DeprecatedOperation): string[][] {
  const { operation, callers, otherCallersCount } = used
  const rows = callers.map(({ userAgent, count, lastUsedAt }) => [
    String(count),
    lastUsedAt,
    userAgent ?? '(no user agent)',
  ])
  if (otherCallersCount > 0) rows.push([String(otherCallersCount), '', '(others)'])
  return rows.map((row, index) =>
    index === 0 ? [operation, ...row, describeSuccessor(used)] : ['', ...row, ''],
  )
}

/** `POST /v2/pods (createPod)`, or what to do instead. */
function describeSuccessor({ becomes, note }: DeprecatedOperation): string {
  const addresses = becomes.map(
    ({ operation, method, path }) => `${method} ${path} (${operation.replace(/^v2\./, '')})`,
  )
  const what = addresses.length === 0 ? 'nothing' : addresses.join(' or ')
  return note === null ? what : `${what}: ${note}`
}
