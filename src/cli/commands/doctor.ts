/** `doctor`: whether this machine has what the emulator and its clients need. */
import { defineCommand } from '../command.ts'
import { refused } from '../failure.ts'
import { startOptions } from '../start/start-options.ts'

export const doctor = defineCommand({
  usage: 'doctor',
  summary: 'Look at this machine: ports, names, proxies, leftovers, Python, containers',
  options: {
    port: startOptions.port,
    json: { type: 'boolean', describe: 'Print what was found as JSON' },
  },
  examples: [['compute-emulator doctor --json', 'For programs; the exit code says the same']],
  note: 'It ends with 1 when something is wrong. What is merely not there is no mistake.',
  async run({ port, json }, output) {
    const { examine } = await import('../doctor/checkup.ts')
    const findings = await examine(port, process.env)
    const wrong = findings.filter(({ state }) => state === 'wrong').length
    if (json) output.result(JSON.stringify({ healthy: wrong === 0, findings }))
    else {
      const style = { ok: 'green', note: 'yellow', wrong: 'red' } as const
      for (const { state, about, says } of findings) {
        output.result(`${output.paint(style[state], state.padEnd(6))} ${about.padEnd(11)} ${says}`)
      }
    }
    if (wrong > 0) throw refused(`${wrong} of ${findings.length} are wrong`)
  },
})
