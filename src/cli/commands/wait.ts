/** `wait`: until an emulator that was just started is ready. */
import { parseDuration } from '../../surfaces/control/duration.ts'
import { controlOptions, defineCommand } from '../command.ts'
import { type ControlClient, connect } from '../control-client.ts'
import type { Answer } from '../control-transport.ts'
import { Failure, misused, refused } from '../failure.ts'

const retryMs = 50

export const wait = defineCommand({
  usage: 'wait',
  summary: 'Wait until the emulator is ready',
  options: {
    timeout: { type: 'string', describe: 'How long to wait at most', default: '30s' },
    ...controlOptions,
  },
  examples: [['compute-emulator start & compute-emulator wait', 'Go on once it answers']],
  async run({ timeout, url, json }, output) {
    const timeoutMs = parseDuration(timeout)
    if (timeoutMs === undefined) throw misused(`'${timeout}' is not a span of time; write 30s`)
    const client = connect(url)
    const { text, body } = await untilReady(client, timeoutMs)
    output.result(json ? text : `compute-emulator ${body.version} at ${client.url} is ready.`)
  },
})

async function untilReady(
  client: ControlClient,
  timeoutMs: number,
): Promise<Answer<{ version: string }>> {
  const endMs = performance.now() + timeoutMs
  for (;;) {
    const answer = await client.ready().catch(asFailure)
    if (!(answer instanceof Failure)) return answer
    if (performance.now() + retryMs > endMs) {
      throw refused(`not ready after ${timeoutMs} ms: ${answer.message}`)
    }
    await new Promise((resolve) => setTimeout(resolve, retryMs))
  }
}

function asFailure(error: unknown): Failure {
  if (error instanceof Failure) return error
  throw error
}
