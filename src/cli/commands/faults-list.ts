/** `faults`: what goes wrong, and how often it did. */
import { controlOptions, defineCommand } from '../command.ts'
import { connect } from '../control-client.ts'
import { formatTable } from '../output.ts'

export const faultsList = defineCommand({
  usage: 'list',
  summary: 'List faults and how often they struck',
  options: controlOptions,
  examples: [
    ['compute-emulator faults', 'Every fault, expired ones too'],
    ['compute-emulator faults list --json', 'The same, with their rules'],
  ],
  async run({ url, json }, output) {
    const { text, body } = await connect(url).faults()
    if (json) output.result(text)
    else if (body.faults.length === 0) output.progress('Nothing goes wrong on purpose.')
    else output.result(formatFaults(body.faults))
  },
})

export interface FaultReport {
  readonly id: string
  readonly status: string
  readonly matches: number
  readonly hits: number
  readonly beginsAt: string
  readonly endsAt: string | null
  readonly rule: {
    readonly operation?: string
    readonly key?: string
    readonly resource?: string
    readonly nth?: number
    readonly every?: number
    readonly probability?: number
    readonly times?: number
    readonly everyMs?: number
    readonly effect: { readonly kind: string }
  }
}

const heading = ['ID', 'EFFECT', 'STRIKES', 'WHEN', 'MATCHES', 'HITS', 'STATUS']

export function formatFaults(faults: readonly FaultReport[]): string {
  const rows = faults.map((fault) => [
    fault.id,
    fault.rule.effect.kind,
    describeTarget(fault.rule),
    describeTimes(fault),
    String(fault.matches),
    String(fault.hits),
    fault.status,
  ])
  return formatTable([heading, ...rows])
}

function describeTarget({ operation, resource, key }: FaultReport['rule']): string {
  const parts = [
    ...(operation === undefined ? [] : [operation]),
    ...(resource === undefined ? [] : [`of ${resource}`]),
    ...(key === undefined ? [] : ['of one key']),
  ]
  return parts.length === 0 ? 'all' : parts.join(' ')
}

function describeTimes({ rule, endsAt }: FaultReport): string {
  const { nth, every, probability, times, everyMs } = rule
  const parts = [
    ...(nth === undefined ? [] : [`match ${nth}`]),
    ...(every === undefined ? [] : [`every ${every}`]),
    ...(probability === undefined ? [] : [`${probability * 100} %`]),
    ...(everyMs === undefined ? [] : [`every ${everyMs} ms`]),
    ...(times === undefined ? [] : [`${times} times`]),
    ...(endsAt === null ? [] : [`until ${endsAt}`]),
  ]
  return parts.length === 0 ? 'always' : parts.join(', ')
}
