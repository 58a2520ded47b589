/** `webhooks`: what was posted to the addresses that jobs gave, and what came back. */
import { controlOptions, defineCommand } from '../command.ts'
import { connect } from '../control-client.ts'
import { formatTable } from '../output.ts'

export const webhooks = defineCommand({
  usage: 'webhooks',
  summary: 'List webhook deliveries and their answers',
  options: {
    job: { type: 'string', describe: 'Only those of this job' },
    ...controlOptions,
  },
  examples: [
    ['compute-emulator webhooks', 'The last hundred, oldest first'],
    ['compute-emulator webhooks --job 3f0c…-u1 --json', 'One job, bodies included'],
  ],
  async run({ job, url, json }, output) {
    const { text, body } = await connect(url).webhooks(job)
    if (json) output.result(text)
    else if (body.webhooks.length === 0) output.progress('No job has asked for a webhook yet.')
    else output.result(formatTable([heading, ...body.webhooks.map(toRow)]))
  },
})

export interface WebhookReport {
  readonly jobId: string
  readonly url: string
  readonly status: string
  readonly attempts: readonly { readonly at: string; readonly answered: number }[]
  readonly nextAttemptAt: string | null
}

const heading = ['JOB', 'URL', 'STATUS', 'ANSWERS', 'NEXT']

function toRow({ jobId, url, status, attempts, nextAttemptAt }: WebhookReport): string[] {
  const answers = attempts.map(({ answered }) => (answered === 0 ? 'none' : String(answered)))
  return [jobId, url, status, answers.join(', ') || '-', nextAttemptAt ?? '-']
}
