/** From the start of a process to its first answer, and what it weighs when it is idle. */
import { untilCalm } from '../calm.js'
import { rssBytes, stop } from '../processes.js'
import { install, pathOf } from '../servers/compare.js'
import { startBare, startComparator, startEmulator } from '../servers/start.js'
import { median, pairedRatios, spread } from '../statistics.js'

/** @typedef {import('../servers/start.js').Server} Server */
/** @typedef {import('../report.js').Figure} Figure */

const rest = { method: 'GET', path: '/v2/pods/demopod' }
const graphql = {
  method: 'POST',
  path: '/graphql',
  body: { query: '{ myself { id pods { id } } }' },
}
/** After this a server that has answered once is idle. */
const restMs = 400

/** @type {Record<string, import('../run.js').Row>} */
export const startRows = { start: measure }

/** @param {import('../run.js').Context} context */
async function measure({ options, progress }) {
  const example = await answerOf(startEmulator(rest))
  const data = await answerOf(startEmulator(graphql))
  if (data.body?.data === undefined) progress(`GraphQL answers ${data.text.slice(0, 200)}`)
  const missing = install('apollo-5')
  const script = pathOf('apollo-5/server.js')
  /** @type {Record<string, () => Promise<Server>>} */
  const starts = {
    bare: () => startBare(rest, example),
    rest: () => startEmulator(rest),
    ...(data.body?.data === undefined ? {} : { graphql: () => startEmulator(graphql) }),
    ...(missing === undefined ? { apollo: () => startComparator(script, graphql, data.body) } : {}),
  }
  const samples = await sample(starts, options.starts, progress)
  return report(samples, missing ?? '')
}

/** @param {Promise<Server>} starting */
async function answerOf(starting) {
  const { child, first } = await starting
  await stop(child)
  return first
}

/** @typedef {{ tookMs: number[], rss: number[] }} Samples */

/**
 * @param {Record<string, () => Promise<Server>>} starts
 * @param {number} rounds
 * @param {(text: string) => void} progress
 */
async function sample(starts, rounds, progress) {
  /** @type {Record<string, Samples>} */
  const samples = {}
  // The first round fills the file cache.
  for (let round = 0; round <= rounds; round++) {
    await untilCalm('both', progress)
    for (const [name, start] of Object.entries(starts)) {
      const { child, tookMs } = await start()
      samples[name] ??= { tookMs: [], rss: [] }
      const own = samples[name]
      if (round > 0) own.tookMs.push(tookMs)
      if (round > 0) own.rss.push(await idleRss(child))
      await stop(child)
    }
    progress(`start ${round} of ${rounds}`)
  }
  return samples
}

/** @param {import('../processes.js').ChildProcess} child */
async function idleRss(child) {
  await new Promise((resolve) => setTimeout(resolve, restMs))
  return rssBytes(child)
}

/**
 * @param {Record<string, Samples>} samples
 * @param {string} missing
 * @returns {Figure[]}
 */
function report({ bare, rest: own, graphql: withGraphql, apollo }, missing) {
  const weight = (/** @type {Samples | undefined} */ of) => of?.rss.map((bytes) => bytes / 1e6)
  return [
    ratio('first REST answer', 'ms', own?.tookMs, bare?.tookMs, ''),
    ratio('first GraphQL answer', 'ms', withGraphql?.tookMs, bare?.tookMs, 'GraphQL is not there'),
    ratio('first GraphQL answer to apollo 5', 'ms', withGraphql?.tookMs, apollo?.tookMs, missing),
    ratio('idle RSS', 'MB', weight(own), weight(bare), ''),
    ratio('idle RSS after GraphQL', 'MB', weight(withGraphql), weight(bare), ''),
  ]
}

/**
 * @param {string} figure
 * @param {string} unit
 * @param {readonly number[] | undefined} ours
 * @param {readonly number[] | undefined} theirs
 * @param {string} absence
 * @returns {Figure}
 */
function ratio(figure, unit, ours, theirs, absence) {
  if (ours === undefined || theirs === undefined) {
    return { row: 'start', figure, value: Number.NaN, unit: 'x', detail: absence }
  }
  const ratios = pairedRatios(ours, theirs)
  const [own, other] = [median(ours), median(theirs)].map((value) => `${value.toFixed(0)} ${unit}`)
  const detail = `${spread(ratios)}; ${own} to ${other}`
  return { row: 'start', figure, value: median(ratios), unit: 'x', detail }
}
