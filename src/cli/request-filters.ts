/** Which requests a command is about: the same options wherever the log is looked through. */
import type { Options } from './options.ts'

export const requestFilters = {
  operation: { type: 'string', describe: 'Such as jobs.run, or v2.* for all of a surface' },
  method: { type: 'string', describe: 'GET, POST, …' },
  path: { type: 'string', describe: '* stands for anything' },
  status: { type: 'string', describe: '404, or 5xx' },
  'user-agent': { type: 'string', describe: 'A part of it' },
} as const satisfies Options
