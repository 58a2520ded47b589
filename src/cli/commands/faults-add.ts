/** `faults add`: something goes wrong from now on. */
import { parseDuration } from '../../surfaces/control/duration.ts'
import { controlOptions, defineCommand } from '../command.ts'
import { connect } from '../control-client.ts'
import { misused } from '../failure.ts'
import { formatFaults } from './faults-list.ts'

const count = { type: 'number', range: [1, 1_000_000], whole: true } as const

const note = `Effects on requests: refuse (code, message, happens), reset (happens), delay (ms),
reply (status, body, headers, happens), truncate (bytes), stall (bytes). With happens the
operation is carried out, and only its answer lost:
  faults add refuse code=no_capacity --operation v2.createPod
  faults add refuse code=internal_error happens --operation v1.CreatePod --times 1
  faults add reply status=502 'body=Bad Gateway' --operation 'jobs.*' --probability 0.1

On webhooks: drop-webhook, duplicate-webhook (copies), slow-webhook (ms). On jobs:
crash-job (afterMs), oom-job (afterMs), hang-job. On images of pods and workers: fail-pull.
By the clock, or with an operation: crash-workers, reclaim-spot, set-balance (balanceUsd),
change-stock (dataCenterId, typeId, cloud, total),
change-price (typeId, dataCenterId, tier, priceUsd).`

export const faultsAdd = defineCommand({
  usage: 'add <effect> [fields..]',
  summary: 'Make something go wrong',
  options: {
    effect: { type: 'string', positional: true, describe: 'What it does; see below' },
    fields: {
      type: 'string',
      positional: true,
      repeatable: true,
      describe: 'Its fields: status=502, code=no_capacity, ms=2s, happens',
    },
    operation: { type: 'string', describe: "Strikes this operation: v2.createPod, 'jobs.*'" },
    resource: { type: 'string', describe: 'Strikes what is about this id: a pod, a job' },
    key: { type: 'string', describe: 'Strikes requests with this API key' },
    nth: { ...count, describe: 'Strikes only this one of the matches' },
    every: { ...count, describe: 'Strikes the last of each so many matches' },
    probability: { type: 'number', range: [0, 1], describe: 'Strikes a match as often as this' },
    times: { ...count, describe: 'Ends after so many hits' },
    after: { type: 'string', describe: 'Begins when this span has passed: 90s, 1h' },
    for: { type: 'string', describe: 'Ends when this span has passed since it began' },
    repeat: { type: 'string', describe: 'Comes by the clock again after each such span' },
    id: { type: 'string', describe: 'A name for it' },
    ...controlOptions,
  },
  examples: [
    ['compute-emulator faults add delay ms=2s', 'Every answer comes two seconds later'],
    ['compute-emulator faults add hang-job --nth 3', 'The third job never returns'],
    ['compute-emulator faults add fail-pull --for 5m', 'No image can be pulled for a while'],
  ],
  note,
  async run({ effect, fields, after, for: lasting, repeat, url, json, ...where }, output) {
    const { operation, resource, key, nth, every, probability, times, id } = where
    const { text, body } = await connect(url).addFault({
      ...{ id, operation, resource, key, nth, every, probability, times },
      afterMs: readSpan('--after', after),
      forMs: readSpan('--for', lasting),
      everyMs: readSpan('--repeat', repeat),
      effect: { kind: effect, ...Object.fromEntries(fields.map(readField)) },
    })
    output.result(json ? text : formatFaults([body]))
  },
})

function readSpan(label: string, text: string | undefined): number | undefined {
  if (text === undefined) return undefined
  const ms = parseDuration(text)
  if (ms !== undefined) return ms
  throw misused(`${label} takes a span of time such as 90s or 1h30m, not '${text}'`)
}

/** `name=value`, or a name alone for true. A value is JSON where it can be read so. */
function readField(field: string): readonly [string, unknown] {
  const mark = field.indexOf('=')
  if (mark === -1) return [field, true]
  const name = field.slice(0, mark)
  const text = field.slice(mark + 1)
  if (/(^ms|Ms)$/.test(name)) return [name, parseDuration(text) ?? readValue(text)]
  return [name, readValue(text)]
}

function readValue(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    // What is no JSON is a text, and nobody wants to quote it for the shell and for JSON.
    return text
  }
}
