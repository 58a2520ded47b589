/** `dev`: an emulator around one handler, whose workers are replaced when its files change. */
import { defineCommand } from '../command.ts'
import { devOptions } from '../start/dev-options.ts'

export const dev = defineCommand({
  usage: 'dev <file>',
  summary: 'Run a handler behind an endpoint of its own, and again when its files change',
  options: devOptions,
  examples: [
    ['compute-emulator dev handler.py', 'With python3, as the endpoint dev on port 4300'],
    ["compute-emulator dev src/main.py --command 'uv run src/main.py'", 'Started in your own way'],
  ],
  // The emulator takes time to load, and the help needs none of it.
  run: async (values, output) => (await import('../start/run-dev.ts')).runDev(values, output),
})
