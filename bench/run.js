/**
 * `npm run bench`: measures the emulator beside what it is compared with, in one run, and holds the
 * figures against their budgets. Progress goes to standard error, the table to standard output.
 */
import { readOptions, usage } from './options.js'
import { describeRun, toTable, verdictOf, writeJson } from './report.js'
import { coreRows } from './rows/core.js'
import { graphqlRows } from './rows/graphql.js'
import { journalRows } from './rows/journal.js'
import { memoryRows } from './rows/library.js'
import { startRows } from './rows/starts.js'
import { trafficRows } from './rows/traffic.js'
import { workerRows } from './rows/workers.js'

/**
 * @typedef {object} Context
 * @property {import('./options.js').Options} options
 * @property {(text: string) => void} progress
 */

/** @typedef {(context: Context) => Promise<import('./report.js').Figure[]>} Row */

/** @type {Record<string, Row>} */
const rows = {
  ...startRows,
  ...memoryRows,
  ...trafficRows,
  ...graphqlRows,
  ...workerRows,
  ...journalRows,
  ...coreRows,
}

const options = readOptions()
if (options.help) process.stdout.write(usage)
else if (options.list) process.stdout.write(`${Object.keys(rows).join('\n')}\n`)
else await measure(chosen())

/** @param {readonly string[]} names */
async function measure(names) {
  const figures = []
  for (const name of names) figures.push(...(await measureRow(name)))
  process.stdout.write(`${describeRun(options)}\n\n${toTable(figures)}\n`)
  if (options.json !== undefined) writeJson(options.json, figures, options)
  const missed = figures.some((figure) => ['over', 'absent'].includes(verdictOf(figure)))
  process.exit(options.strict && missed ? 1 : 0)
}

function chosen() {
  const unknown = options.only.filter((name) => rows[name] === undefined)
  if (unknown.length === 0) return options.only.length > 0 ? options.only : Object.keys(rows)
  console.error(`no row '${unknown.join("', '")}'; there are ${Object.keys(rows).join(', ')}`)
  process.exit(2)
}

/**
 * One row that cannot be measured does not take the others with it.
 *
 * @param {string} name
 */
async function measureRow(name) {
  const progress = (/** @type {string} */ text) => process.stderr.write(`${name}: ${text}\n`)
  try {
    return (await rows[name]?.({ options, progress })) ?? []
  } catch (error) {
    progress(String(error instanceof Error ? error.stack : error))
    const detail = error instanceof Error ? (error.message.split('\n')[0] ?? '') : String(error)
    return [{ row: name, figure: 'not measured', value: Number.NaN, unit: '', detail }]
  }
}
