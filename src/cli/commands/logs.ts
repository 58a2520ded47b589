/** `logs`: what an emulator in the background says. */
import { readFileSync } from 'node:fs'
import { type Instance, isAlive, portOption, requireInstance } from '../background/instances.ts'
import { followFile, lastLines } from '../background/log-file.ts'
import { defineCommand } from '../command.ts'
import { refused } from '../failure.ts'

/** Real time between two looks at whether there is still somebody to follow. */
const lookMs = 200

export const logs = defineCommand({
  usage: 'logs',
  summary: 'Print what an emulator says that was started with --detach',
  options: {
    ...portOption,
    lines: {
      type: 'number',
      describe: 'How many of the last lines',
      default: 100,
      range: [0, 1_000_000],
      whole: true,
    },
    follow: { type: 'boolean', describe: 'Go on with what comes, until it ends' },
    json: { type: 'boolean', describe: 'Print where it is and its lines as JSON' },
  },
  examples: [['compute-emulator logs --follow', 'What it says, as it says it']],
  async run({ port, lines, follow, json }, output) {
    const instance = requireInstance(port, process.env)
    const whole = readLog(instance.log)
    const text = lastLines(whole, lines)
    if (json) {
      const split = text.split('\n').filter((line) => line !== '')
      output.result(JSON.stringify({ ...instance, running: isAlive(instance.pid), lines: split }))
      return
    }
    if (text.trim() !== '') output.result(text)
    if (!follow) return
    await followToTheEnd(instance, Buffer.byteLength(whole), (part) => output.result(part))
  },
})

function followToTheEnd(
  { log, pid }: Instance,
  from: number,
  tell: (text: string) => void,
): Promise<void> {
  return new Promise((resolve) => {
    const stop = followFile(log, from, tell)
    const timer = setInterval(() => {
      if (isAlive(pid)) return
      clearInterval(timer)
      stop()
      resolve()
    }, lookMs)
  })
}

function readLog(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    throw refused(`its log ${path} is gone`)
  }
}
