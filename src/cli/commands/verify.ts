/** `verify`: holds what was expected of a client against the requests that came. */
import { controlOptions, defineCommand } from '../command.ts'
import { connect } from '../control-client.ts'
import { refused } from '../failure.ts'
import { requestFilters } from '../request-filters.ts'
import { formatRequests } from './requests.ts'

const whole = { type: 'number', whole: true, range: [0, 1_000_000] } as const

export const verify = defineCommand({
  usage: 'verify',
  summary: 'Check that requests came as expected',
  options: {
    ...requestFilters,
    times: { ...whole, describe: 'Exactly so many' },
    'at-least': { ...whole, describe: 'So many or more; 1 unless anything is said' },
    'at-most': { ...whole, describe: 'So many or fewer' },
    ...controlOptions,
  },
  examples: [
    ['compute-emulator verify --operation jobs.run --times 3', 'Three jobs were submitted'],
    ['compute-emulator verify --operation v2.createPod --at-most 0', 'No pod was asked for'],
  ],
  note: 'Exits with 1 when it is not so, and shows the requests that came nearest.',
  async run({ url, json, times, 'at-least': atLeast, 'at-most': atMost, ...filters }, output) {
    const { operation, method, path, status, 'user-agent': userAgent } = filters
    const filter = { operation, method, path, status, userAgent }
    const { text, body } = await connect(url).verify({ ...filter, times, atLeast, atMost })
    if (json) output.result(text)
    const found = `${body.count} of such requests came; expected ${body.expected}`
    if (body.holds) {
      if (!json) output.result(`As expected: ${found}.`)
      return
    }
    if (!json && body.requests.length > 0) output.result(formatRequests(body.requests))
    const hint = body.incomplete
      ? '; the log no longer has all requests: start with --keep-requests'
      : ''
    throw refused(`not as expected: ${found}${hint}`)
  },
})
