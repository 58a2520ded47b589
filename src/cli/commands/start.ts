/** `start`: an emulator of one's own, in the foreground. */
import { defineCommand } from '../command.ts'
import { startOptions } from '../start/start-options.ts'

export const start = defineCommand({
  usage: 'start',
  summary: 'Start an emulator',
  options: startOptions,
  examples: [
    ['compute-emulator start', 'On port 4300, in real time'],
    ['compute-emulator start --clock manual --seed 7', 'Time stands still until it is told'],
    ['compute-emulator start --port 0 --json', 'For programs: the first line says which port'],
  ],
  note: 'Each option may be a variable instead: COMPUTE_EMULATOR_START_AT for --start-at.',
  // The emulator is the one thing here that takes time to load, and the help needs none of it.
  run: async (values, output) => (await import('../start/run-start.ts')).runStart(values, output),
})
