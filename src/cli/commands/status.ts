/** `status`: what there is in the world. */
import { describeClock } from '../clock-words.ts'
import { controlOptions, defineCommand } from '../command.ts'
import { connect, type StateReport } from '../control-client.ts'
import { formatTable } from '../output.ts'

export const status = defineCommand({
  usage: 'status',
  summary: 'Say what time it is and what there is',
  options: controlOptions,
  examples: [['compute-emulator status --json', 'Everything the emulator tells about its world']],
  async run({ url, json }, output) {
    const client = connect(url)
    const { text, body } = await client.state()
    if (json) {
      output.result(text)
      return
    }
    const { version, profile, seed } = body
    const clock = await client.clock()
    output.result(
      [
        `compute-emulator ${version} at ${client.url}, profile ${profile}, seed ${seed}.`,
        describeClock(clock.body),
        '',
        formatTable(countRows(body)),
        ...endpointLines(body),
      ].join('\n'),
    )
  },
})

const countNames = {
  pods: 'pods',
  endpoints: 'endpoints',
  workers: 'workers',
  jobs: 'jobs',
  templates: 'templates',
  networkVolumes: 'network volumes',
  registries: 'registries',
} as const

function countRows({ counts }: StateReport): string[][] {
  return Object.entries(countNames).map(([key, name]) => [name, String(counts[key] ?? 0)])
}

function endpointLines({ endpoints }: StateReport): string[] {
  if (endpoints.length === 0) return []
  const rows = endpoints.map(({ id, type, jobs, workers }) => [
    id,
    type === 'QUEUE' ? 'queue' : 'load balancer',
    describeCounts(workers),
    describeCounts(jobs),
  ])
  return ['', formatTable([['ENDPOINT', 'TYPE', 'WORKERS', 'JOBS'], ...rows])]
}

/** `2 idle, 1 running`; `-` for none. */
function describeCounts(counts: Readonly<Record<string, number>>): string {
  const some = Object.entries(counts).filter(([, count]) => count > 0)
  return some.map(([status, count]) => `${count} ${status.toLowerCase()}`).join(', ') || '-'
}
