/** `clock run-until`: lets virtual time pass until something is so. */
import { describeAdvance } from '../clock-words.ts'
import { controlOptions, defineCommand } from '../command.ts'
import { connect } from '../control-client.ts'
import { refused } from '../failure.ts'

export const clockRunUntil = defineCommand({
  usage: 'run-until <condition>',
  summary: 'Let virtual time pass until a condition holds',
  options: {
    condition: {
      type: 'string',
      positional: true,
      describe: 'A comparison, or several joined by and',
    },
    limit: { type: 'string', describe: 'At most so much virtual time', default: '1h' },
    ...controlOptions,
  },
  examples: [
    [
      'compute-emulator clock run-until "jobs.<id>.status == COMPLETED"',
      'Until a job has its result',
    ],
    ['compute-emulator clock run-until "pods.<id>.status == RUNNING"', 'Until a pod runs'],
    [
      'compute-emulator clock run-until "endpoints.demo.jobs.IN_QUEUE == 0"',
      'Until a queue is empty',
    ],
  ],
  note: 'A path begins with pods, workers, jobs, endpoints, counts or account. Exits with 1 when the limit came first.',
  async run({ condition = '', limit, url, json }, output) {
    const { text, body } = await connect(url).runUntil(condition, limit)
    output.result(json ? text : describeAdvance(body))
    if (!body.reached) throw refused(`after ${limit} it still is not so that ${condition}`)
  },
})
