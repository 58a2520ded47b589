/** `worker-env`: what a program that somebody starts by hand needs to join as a worker. */
import { controlOptions, defineCommand } from '../command.ts'
import { connect } from '../control-client.ts'

export const workerEnv = defineCommand({
  usage: 'worker-env <endpoint>',
  summary: 'Print the variables with which a program joins an endpoint as a worker',
  options: {
    endpoint: {
      type: 'string',
      positional: true,
      describe: 'A queue endpoint',
      names: 'endpoints',
    },
    worker: { type: 'string', describe: 'Name of the worker; the next free one when absent' },
    ...controlOptions,
  },
  examples: [
    [
      'eval "$(compute-emulator worker-env demo)"; python -u handler.py',
      'One more worker for demo',
    ],
  ],
  note: 'It joins when it first asks for a job, and leaves when nothing is heard of it any more.',
  async run({ endpoint = '', worker, url, json }, output) {
    const { text, body } = await connect(url).workerEnvironment(
      encodeURIComponent(endpoint),
      worker,
    )
    output.result(json ? text : toShell(body.variables))
  },
})

/** In single quotes nothing is expanded: `$ID` is the SDK's own placeholder. */
function toShell(variables: Readonly<Record<string, string>>): string {
  return Object.entries(variables)
    .map(([name, value]) => `export ${name}='${value.replaceAll("'", `'\\''`)}'`)
    .join('\n')
}
