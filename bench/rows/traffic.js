/** REST and the request address under load, beside a bare server that gives the same answers. */
import { stop } from '../processes.js'
import { exchange } from '../servers/exchange.js'
import { startBare, startEmulator, writePlenty } from '../servers/start.js'
import { median, pairedRatios, spread } from '../statistics.js'
import { measureSlices } from './slices.js'

/** @typedef {import('../servers/exchange.js').Ask} Ask */
/** @typedef {import('../servers/start.js').Server} Server */
/** @typedef {import('../report.js').Figure} Figure */

const ready = { method: 'GET', path: '/_emulator/ready' }

/** @type {Ask} */
export const createPod = {
  method: 'POST',
  path: '/v2/pods',
  body: {
    name: 'notebook',
    image: 'example/workspace:1.0',
    gpu: { id: 'NVIDIA GeForce RTX 4090', count: 1 },
    cloud: 'SECURE',
    disk: 50,
    mounts: { persistent: { size: 20, path: '/workspace' } },
    ports: ['8888/http', '22/tcp'],
    env: { MODEL: 'example/model', LOG_LEVEL: 'info' },
  },
}

/** @type {Ask} */
export const submitJob = {
  method: 'POST',
  path: '/v2/demo/run',
  body: { input: { prompt: 'hello' } },
}

/**
 * What is asked again and again. `changes`: each answer leaves something behind, so every slice
 * begins with a world that was put back to its start.
 *
 * @type {Readonly<Record<string, { prepare: (server: Server) => Promise<Ask>, changes: boolean }>>}
 */
const subjects = {
  'get-pod': {
    changes: false,
    prepare: async ({ port }) => {
      const { body } = await exchange(port, createPod)
      const ask = { method: 'GET', path: `/v2/pods/${body.id}` }
      await until(async () => (await exchange(port, ask)).body.runtime !== null)
      return ask
    },
  },
  'get-job': {
    changes: false,
    prepare: async ({ port }) => {
      const { body } = await exchange(port, submitJob)
      const ask = { method: 'GET', path: `/v2/demo/status/${body.id}` }
      await until(async () => (await exchange(port, ask)).body.status === 'COMPLETED')
      return ask
    },
  },
  'post-run': { changes: true, prepare: async () => submitJob },
  'post-pod': { changes: true, prepare: async () => createPod },
}

/** @type {Record<string, import('../run.js').Row>} */
export const trafficRows = Object.fromEntries(
  Object.keys(subjects).map((name) => [name, (context) => measure(name, context)]),
)

/**
 * @param {string} row
 * @param {import('../run.js').Context} context
 */
async function measure(row, { options, progress }) {
  const subject = subjects[row]
  if (subject === undefined) throw new Error(`no row ${row}`)
  const emulator = await startEmulator(ready, ['--fixtures', writePlenty()])
  const ask = await subject.prepare(emulator)
  const answer = await exchange(emulator.port, ask)
  if (answer.status >= 300) throw new Error(`${ask.path} answered ${answer.text}`)
  const bare = await startBare(ask, answer)
  if (bare.first.text.length !== answer.text.length) throw new Error('the answers differ')
  const { status } = answer
  const reset = () => exchange(emulator.port, { method: 'POST', path: '/_emulator/reset' })
  const before = subject.changes ? { before: reset } : {}
  const contenders = [
    { name: 'emulator', server: emulator, ask, status, ...before },
    { name: 'bare', server: bare, ask, status },
  ]
  try {
    const { emulator: ours = [], bare: theirs = [] } = await measureSlices(
      contenders,
      options,
      progress,
    )
    return [requests(row, 'requests', ours, theirs), cpu(row, 'cpu', ours, theirs)]
  } finally {
    await Promise.all([stop(emulator.child), stop(bare.child)])
  }
}

/** @typedef {import('../load/load.js').Slice} Slice */

/**
 * How many requests for each of the other's.
 *
 * @param {string} row
 * @param {string} figure
 * @param {readonly Slice[]} ours
 * @param {readonly Slice[]} theirs
 * @returns {Figure}
 */
export function requests(row, figure, ours, theirs) {
  const rates = (/** @type {readonly Slice[]} */ slices) =>
    slices.map(({ requestsPerSecond }) => requestsPerSecond)
  const ratios = pairedRatios(rates(ours), rates(theirs))
  const [own, other] = [median(rates(ours)), median(rates(theirs))]
  const detail = `${spread(ratios)}; ${own.toFixed(0)}/s to ${other.toFixed(0)}/s`
  return { row, figure, value: median(ratios), unit: 'x', detail }
}

/**
 * How much of the server's CPU for a request, next to the other's.
 *
 * @param {string} row
 * @param {string} figure
 * @param {readonly Slice[]} ours
 * @param {readonly Slice[]} theirs
 * @returns {Figure}
 */
export function cpu(row, figure, ours, theirs) {
  const costs = (/** @type {readonly Slice[]} */ slices) =>
    slices.map(({ cpuMicroseconds }) => cpuMicroseconds)
  const ratios = pairedRatios(costs(ours), costs(theirs))
  const shares = [ours, theirs].map((all) => percent(median(all.map((slice) => slice.serverBusy))))
  const busy = `busy ${shares.join(' and ')}`
  const own = `${median(costs(ours)).toFixed(1)} us to ${median(costs(theirs)).toFixed(1)} us`
  return {
    row,
    figure,
    value: median(ratios),
    unit: 'x',
    detail: `${spread(ratios)}; ${own}; ${busy}`,
  }
}

/** @param {number} share */
const percent = (share) => `${Math.round(share * 100)}%`

/** @param {() => Promise<boolean>} holds */
export async function until(holds) {
  const limit = performance.now() + 10_000
  while (!(await holds())) {
    if (performance.now() > limit) throw new Error('it did not come to pass in ten seconds')
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
}
