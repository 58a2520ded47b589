/** The options of `dev`. */
import type { Options } from '../options.ts'
import { startOptions } from './start-options.ts'

export const devOptions = {
  file: { type: 'string', positional: true, describe: 'The handler: what starts the worker' },
  command: { type: 'string', describe: 'How it is started; by the name of the file when absent' },
  endpoint: { type: 'string', describe: 'Id of its endpoint', default: 'dev' },
  workers: {
    type: 'number',
    describe: 'The most workers at a time',
    default: 1,
    range: [1, 100],
    whole: true,
  },
  watch: { type: 'string', describe: "Directory whose changes count; the handler's when absent" },
  port: startOptions.port,
  json: startOptions.json,
} as const satisfies Options
