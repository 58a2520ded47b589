/** `stop`: ends emulators that go on in the background, and clears away what is left of them. */

import {
  forgetInstance,
  type Instance,
  isAlive,
  isItself,
  listInstances,
  portOption,
  requireInstance,
} from '../background/instances.ts'
import { defineCommand } from '../command.ts'
import { refused } from '../failure.ts'

/** Real time that the end of one may take: its programs are given time. */
const patienceMs = 10_000
const lookMs = 20

type End = 'stopped' | 'gone before'

export const stop = defineCommand({
  usage: 'stop',
  summary: 'Stop an emulator that was started with --detach',
  options: {
    ...portOption,
    all: { type: 'boolean', describe: 'Every one of them' },
    json: { type: 'boolean', describe: 'Print what was stopped as JSON' },
  },
  examples: [
    ['compute-emulator stop', 'The only one'],
    ['compute-emulator stop --port 4301', 'One of several'],
  ],
  async run({ port, all, json }, output) {
    const { env } = process
    const wanted = all ? listInstances(env) : [requireInstance(port, env)]
    const ends: { port: number; pid: number; end: End }[] = []
    for (const instance of wanted) {
      const end = await endInstance(instance)
      forgetInstance(instance, env)
      ends.push({ port: instance.port, pid: instance.pid, end })
    }
    if (json) output.result(JSON.stringify({ stopped: ends }))
    else if (ends.length === 0) output.progress('No emulator goes on in the background.')
    else output.result(ends.map(describe).join('\n'))
  },
})

async function endInstance(instance: Instance): Promise<End> {
  const { pid, url } = instance
  if (!isAlive(pid)) return 'gone before'
  if (!(await isItself(instance))) {
    if (!isAlive(pid)) return 'gone before'
    throw refused(
      `process ${pid} does not answer as the emulator at ${url}; if it is one, end it with: kill ${pid}`,
    )
  }
  process.kill(pid, 'SIGTERM')
  const endMs = performance.now() + patienceMs
  while (isAlive(pid)) {
    if (performance.now() > endMs) throw refused(`process ${pid} does not end; kill -9 ${pid} does`)
    await new Promise((resolve) => setTimeout(resolve, lookMs))
  }
  return 'stopped'
}

const describe = ({ port, pid, end }: { port: number; pid: number; end: End }): string =>
  end === 'stopped'
    ? `The emulator on port ${port}, process ${pid}, has ended.`
    : `The emulator on port ${port}, process ${pid}, was gone; its files are cleared away.`
