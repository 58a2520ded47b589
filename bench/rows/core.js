/** What is measured without sockets: the simulated day, the heap, memory, timers. */
import { buildCore, runCore } from '../core.js'
import { install, pathOf } from '../servers/compare.js'
import { median, pairedRatios } from '../statistics.js'

/** @typedef {import('../report.js').Figure} Figure */
/** @typedef {import('../run.js').Context} Context */

/** @type {Record<string, import('../run.js').Row>} */
export const coreRows = {
  day: measureDay,
  heap: measureHeap,
  memory: measureMemory,
  pages: measurePages,
  scenario: measureScenario,
  snapshot: measureSnapshot,
  timers: measureTimers,
}

/** @typedef {{ jobs: number, tookMs: number, events: number, peakWorkers: number }} Day */

/** @param {Context} context */
async function measureDay({ options, progress }) {
  await buildCore()
  const few = Array.from({ length: 5 }, () => 10_000)
  const sizes = options.quick ? [...few, 100_000] : [...few, 100_000, 100_000, 100_000, 1_000_000]
  /** @type {Day[]} */
  const days = []
  for (let round = 0; round < (options.quick ? 1 : 3); round++) {
    const [, ...measured] = await runCore('day', sizes.map(String), progress)
    days.push(...measured)
  }
  const costs = [10_000, 100_000, 1_000_000].flatMap((jobs) => costOf(days, jobs))
  const whole = days.filter(({ jobs }) => jobs === 1_000_000)
  const tookMs = whole.map((day) => day.tookMs)
  return [
    ...costs.map(toFigure),
    {
      row: 'day',
      figure: '1e6 jobs, 1000 workers',
      value: median(tookMs) / 1_000,
      unit: 's',
      detail: whole.length === 0 ? 'not with --quick' : `at most ${whole[0]?.peakWorkers} workers`,
    },
    {
      row: 'day',
      figure: 'cost per event, largest to smallest',
      value: (costs.at(-1)?.nanoseconds ?? Number.NaN) / (costs[0]?.nanoseconds ?? Number.NaN),
      unit: 'x',
      detail: costs.map(({ nanoseconds }) => `${nanoseconds.toFixed(0)} ns`).join(', '),
    },
  ]
}

/**
 * @param {readonly Day[]} days
 * @param {number} jobs
 */
function costOf(days, jobs) {
  const own = days.filter((day) => day.jobs === jobs)
  if (own.length === 0) return []
  const nanoseconds = median(own.map(({ tookMs, events }) => (tookMs * 1e6) / events))
  return [{ jobs, nanoseconds, tookMs: median(own.map(({ tookMs }) => tookMs)) }]
}

/**
 * @param {{ jobs: number, nanoseconds: number, tookMs: number }} cost
 * @returns {Figure}
 */
function toFigure({ jobs, nanoseconds, tookMs }) {
  const figure = `events per second, ${jobs.toExponential(0).replace('+', '')} jobs`
  return {
    row: 'day',
    figure,
    value: 1e9 / nanoseconds,
    unit: '/s',
    detail: `${tookMs.toFixed(0)} ms`,
  }
}

const pendings = [10_000, 100_000, 1_000_000]

/** @param {Context} context */
async function measureHeap({ options, progress }) {
  await buildCore()
  const missing = install('tinyqueue')
  const tinyqueue = pathOf('tinyqueue/node_modules/tinyqueue/index.js')
  const sizes = pendings.map(String)
  /** @type {number[][]} */
  const ours = []
  /** @type {number[][]} */
  const theirs = []
  for (let round = 0; round < (options.quick ? 2 : 7); round++) {
    ours.push(await heapCosts('', sizes, progress))
    if (missing === undefined) theirs.push(await heapCosts(tinyqueue, sizes, progress))
  }
  const cost = (/** @type {number[][]} */ all, /** @type {number} */ index) =>
    all.map((round) => round[index] ?? Number.NaN)
  const figures = pendings.map((pending, index) => {
    const [own, other] = [cost(ours, index), cost(theirs, index)]
    const detail = `${median(own).toFixed(0)} ns to ${median(other).toFixed(0)} ns a pop and push`
    return {
      row: 'heap',
      figure: `${pending.toExponential(0).replace('+', '')} pending, tinyqueue to ours`,
      value: median(pairedRatios(other, own)),
      unit: 'x',
      detail: missing ?? detail,
    }
  })
  const growth = ours.map(([few = Number.NaN, , many = Number.NaN]) => many / few)
  const flat = { row: 'heap', figure: 'cost, 1e6 to 1e4', value: median(growth), unit: 'x' }
  return [...figures, { ...flat, detail: '' }]
}

/**
 * @param {string} path  of a tinyqueue; empty for our own
 * @param {readonly string[]} sizes
 * @param {(text: string) => void} progress
 * @returns {Promise<number[]>}
 */
async function heapCosts(path, sizes, progress) {
  const results = await runCore('heap', [path, ...sizes], progress)
  return results.map(({ nanoseconds }) => nanoseconds)
}

/** @param {Context} context */
async function measureMemory({ options, progress }) {
  await buildCore()
  const share = options.quick ? 0.1 : 1
  const sizes = [100_000, 1_000, 1_000_000].map((count) => String(count * share))
  const [{ before, withPods, after, pods, jobs }] = await runCore('memory', sizes, progress)
  const gigabytes = (/** @type {number} */ bytes) => (bytes / 1e9).toFixed(2)
  const heap = `heap ${gigabytes(after.heapUsed)} GB`
  const podBytes = ((withPods.heapUsed - before.heapUsed) / pods).toFixed(0)
  const jobBytes = ((after.heapUsed - withPods.heapUsed) / Number(sizes[2])).toFixed(0)
  const each = `${pods} pods at ${podBytes} bytes, jobs at ${jobBytes} bytes`
  const counts = `${each}: ${JSON.stringify(jobs)}`
  const quick = options.quick ? 'a tenth of it; ' : ''
  const value = after.rss / 1e9
  return [
    { row: 'memory', figure: 'held', value, unit: 'GB', detail: `${quick}${heap}; ${counts}` },
  ]
}

const podCounts = [1_000, 10_000, 100_000]

/** @typedef {{ pods: number, costs: Record<string, number> }} Costs */

/** @param {Context} context */
async function measurePages({ options, progress }) {
  await buildCore()
  /** @type {Costs[][]} */
  const rounds = []
  for (let round = 0; round < (options.quick ? 1 : 5); round++) {
    rounds.push(await runCore('pages', podCounts.map(String), progress))
  }
  return ['create', 'page', 'read', 'delete'].map((what) => {
    const costs = podCounts.map((_, index) => rounds.map((round) => round[index]?.costs[what] ?? 0))
    const [few = [], , many = []] = costs
    const detail = costs.map((each) => `${median(each).toFixed(1)} us`).join(', ')
    const value = median(pairedRatios(many, few))
    return { row: 'pages', figure: `${what}, 1e5 to 1e3`, value, unit: 'x', detail }
  })
}

/** @param {Context} context */
async function measureScenario({ options, progress }) {
  await buildCore()
  const sizes = options.quick ? ['100000'] : ['100000', '100000', '100000']
  const [, ...days] = await runCore('scenario', sizes, progress)
  const tookMs = days.map((/** @type {{ tookMs: number }} */ day) => day.tookMs)
  const cpuMs = median(days.map((/** @type {{ cpuMs: number }} */ day) => day.cpuMs))
  return [
    {
      row: 'scenario',
      figure: '1e5 jobs, a virtual day',
      value: median(tookMs) / 1_000,
      unit: 's',
      detail: `1 % of them fail; ${days[0]?.entries} entries; ${(cpuMs / 1_000).toFixed(1)} s of CPU`,
    },
  ]
}

/** @param {Context} context */
async function measureSnapshot({ options, progress }) {
  await buildCore()
  const rounds = await runCore('snapshot', ['100000', options.quick ? '1' : '3'], progress)
  const ofAll = (/** @type {string} */ what) =>
    median(rounds.map((/** @type {Record<string, number>} */ each) => each[what] ?? 0))
  const ways = ['inMemory', 'inFile', 'fromFile', 'asDocument', 'fromDocument']
  return [
    ...ways.map((what) => {
      const figure = `1e5 pods, ${what.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`)}`
      return { row: 'snapshot', figure, value: ofAll(what) / 1_000, unit: 's', detail: '' }
    }),
    {
      row: 'snapshot',
      figure: 'longest turn of the document',
      value: ofAll('longestMs'),
      unit: 'ms',
      detail: 'others have theirs in between',
    },
  ]
}

/** @param {Context} context */
async function measureTimers({ options, progress }) {
  await buildCore()
  const probes = options.quick ? ['2000', '2000'] : ['10000', '10000']
  const [bare] = await runCore('timers', ['bare', '0', ...probes], progress)
  const [ours] = await runCore('timers', ['clock', '100000', ...probes], progress)
  const late = (/** @type {any} */ of) =>
    `p50 ${of.p50Ms.toFixed(2)}, p99.9 ${of.p999Ms.toFixed(2)}, latest ${of.latestMs.toFixed(1)} ms`
  return [
    {
      row: 'timers',
      figure: 'p99 lateness',
      value: ours.p99Ms,
      unit: 'ms',
      detail: `${late(ours)}; plain timers: p99 ${bare.p99Ms.toFixed(2)}, ${late(bare)}`,
    },
    {
      row: 'timers',
      figure: 'earliest',
      value: ours.earliestMs,
      unit: 'ms',
      detail: `plain timers ${bare.earliestMs.toFixed(2)} ms`,
    },
  ]
}
