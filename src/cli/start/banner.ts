/** What `start` says once the emulator answers: where it is, what there is, and what to try. */
import type { ServedEmulator } from '../../emulator/serve.ts'
import type { Endpoint } from '../../model/endpoint.ts'
import { version } from '../../version.ts'
import type { Values } from '../options.ts'
import { formatTable, type Output } from '../output.ts'
import type { startOptions } from './start-options.ts'

type StartValues = Values<typeof startOptions>

const key = "-H 'Authorization: Bearer any-key'"

/** For programs: where it is and how it was started, in one line. */
export function toStartJson({ url, port, emulator, clock }: ServedEmulator, values: StartValues) {
  const { profile, world, clock: mode, speed, data } = values
  const { seed } = emulator
  return JSON.stringify({
    url,
    port,
    pid: process.pid,
    version,
    profile,
    world,
    seed,
    clock: { mode, speed, now: clock.status().now },
    ...(data === undefined ? {} : { data }),
    endpoints: [...emulator.main.world.endpoints.values()].map(({ id, spec }) => ({
      id,
      type: spec.type,
    })),
  })
}

export function describeStart(
  { url, emulator, clock }: ServedEmulator,
  { profile, world, clock: mode, speed, data }: StartValues,
  output: Output,
): string {
  const endpoints = [...emulator.main.world.endpoints.values()]
  const pace = mode === 'real' && speed !== 1 ? `, speed ${speed}` : ''
  const facts = [
    ['  profile', profile],
    ['  clock', `${mode}${pace}, at ${clock.status().now}`],
    ['  seed', emulator.seed],
    ['  world', world],
    ...(data === undefined ? [] : [['  data', data]]),
    ['  endpoints', endpoints.map(describeEndpoint).join(', ') || 'none'],
  ]
  return [
    `compute-emulator ${version} answers at ${output.paint('bold', output.paint('green', url))}`,
    '',
    formatTable(facts),
    '',
    'Try:',
    ...examples(url, endpoints).map((line) => `  ${output.paint('cyan', line)}`),
    '',
  ].join('\n')
}

function describeEndpoint({ id, spec }: Endpoint): string {
  return `${id} (${spec.type === 'QUEUE' ? 'queue' : 'load balancer'})`
}

function examples(url: string, endpoints: readonly Endpoint[]): string[] {
  const queue = endpoints.find(({ spec }) => spec.type === 'QUEUE')
  const job = `-d '{"input":{"prompt":"hello"}}'`
  return [
    `curl ${url}/v2/pods ${key}`,
    ...(queue === undefined ? [] : [`curl ${url}/v2/${queue.id}/runsync ${key} ${job}`]),
    `eval "$(compute-emulator env --url ${url})"  # points the SDKs of this shell here`,
  ]
}
