/** What a test waits for: an emulator in memory, made in the test's own process. */
import { join } from 'node:path'
import { untilCalm } from '../calm.js'
import { startNode } from '../processes.js'
import { median, spread } from '../statistics.js'

const script = join(import.meta.dirname, '..', 'servers', 'library.js')

/** @typedef {{ first: number, second: number, fork: number }} Times  in milliseconds */

/** @type {Record<string, import('../run.js').Row>} */
export const memoryRows = { library: measure }

/** @param {import('../run.js').Context} context */
async function measure({ options, progress }) {
  /** @type {Times[]} */
  const all = []
  // The first round fills the file cache.
  for (let round = 0; round <= options.starts; round++) {
    await untilCalm('either', progress)
    const times = await timesOf()
    if (round > 0) all.push(times)
  }
  return [
    figure(
      'first createEmulator',
      all.map(({ first }) => first),
    ),
    figure(
      'second createEmulator',
      all.map(({ second }) => second),
    ),
    figure(
      'fork',
      all.map(({ fork }) => fork),
    ),
  ]
}

/** @returns {Promise<Times>} */
function timesOf() {
  const child = startNode('server', [script], { stdio: ['ignore', 'ignore', 'inherit', 'ipc'] })
  return new Promise((resolve, reject) => {
    /** @type {Times | undefined} */
    let times
    child.once('message', (message) => {
      times = /** @type {Times} */ (message)
    })
    child.once('exit', (code) => {
      if (times === undefined) reject(new Error(`the library ended with ${code}`))
      else resolve(times)
    })
  })
}

/**
 * @param {string} name
 * @param {readonly number[]} values
 * @returns {import('../report.js').Figure}
 */
function figure(name, values) {
  return { row: 'library', figure: name, value: median(values), unit: 'ms', detail: spread(values) }
}
