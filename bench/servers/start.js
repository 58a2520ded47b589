/** Servers to measure, each a process on the servers' core, and how long one takes to answer. */
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { findPort, startNode } from '../processes.js'
import { exchange } from './exchange.js'

/** @typedef {import('./exchange.js').Ask} Ask */
/** @typedef {import('./exchange.js').Answer} Answer */

/**
 * @typedef {object} Server
 * @property {number} port
 * @property {import('../processes.js').ChildProcess} child
 * @property {number} tookMs  from the start of the process to its first answer
 * @property {Answer} first  that answer
 */

const root = join(import.meta.dirname, '..', '..')

/** As a user starts it: info log of requests and all, which goes to /dev/null. */
const shipped = [join(root, 'bin', 'compute-emulator.js'), 'start', '--seed', '1']

/**
 * @param {Ask} ask
 * @param {readonly string[]} [more]  arguments
 */
export async function startEmulator(ask, more = []) {
  const port = await findPort()
  return untilAnswer([...shipped, '--port', String(port), ...more], port, ask)
}

/**
 * A bare server that answers as somebody else did.
 *
 * @param {Ask} ask
 * @param {Pick<Answer, 'status' | 'headers' | 'body'>} answer
 */
export async function startBare(ask, { status, headers, body }) {
  const port = await findPort()
  const script = join(root, 'bench', 'servers', 'bare.js')
  return untilAnswer([script, JSON.stringify({ port, status, headers, body })], port, ask)
}

/**
 * A comparator: takes its port and what it shall answer.
 *
 * @param {string} script
 * @param {Ask} ask
 * @param {unknown} body
 */
export async function startComparator(script, ask, body) {
  const port = await findPort()
  return untilAnswer([script, JSON.stringify({ port, body })], port, ask)
}

const limitMs = 20_000

/**
 * @param {readonly string[]} args
 * @param {number} port
 * @param {Ask} ask
 * @returns {Promise<Server>}
 */
async function untilAnswer(args, port, ask) {
  const startedAtMs = performance.now()
  const child = startNode('server', args, {
    cwd: root,
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  let ended = false
  child.once('exit', () => {
    ended = true
  })
  for (;;) {
    const first = await exchange(port, ask).catch(() => undefined)
    const tookMs = performance.now() - startedAtMs
    if (first !== undefined) return { port, child, tookMs, first }
    if (ended || tookMs > limitMs) throw new Error(`no answer from node ${args.join(' ')}`)
    await new Promise((resolve) => setTimeout(resolve, 1))
  }
}

/**
 * Fixtures that go over the built-in ones: one data center that never runs out, and the money for
 * it. Everything else is as shipped.
 */
export function writePlenty() {
  const directory = mkdtempSync(join(tmpdir(), 'compute-emulator-bench-'))
  process.on('exit', () => rmSync(directory, { recursive: true, force: true }))
  const { catalog, worlds } = JSON.parse(readFileSync(join(root, 'dist', 'fixtures.json'), 'utf8'))
  const world = worlds.default
  const dataCenters = catalog.dataCenters.slice(0, 1).map(stocked)
  writeJson(directory, 'catalog', 'data-centers', { dataCenters })
  const account = { ...world.account, balanceUsd: 1e9, spendLimitUsd: 1e9 }
  writeJson(directory, 'worlds', 'default', { ...world, account })
  return directory
}

/** @param {{ gpus: Record<string, unknown> }} dataCenter */
function stocked(dataCenter) {
  const ids = Object.keys(dataCenter.gpus)
  return { ...dataCenter, gpus: Object.fromEntries(ids.map((id) => [id, { secure: 1e9 }])) }
}

/**
 * @param {string} directory
 * @param {string} folder
 * @param {string} name
 * @param {unknown} value
 */
function writeJson(directory, folder, name, value) {
  mkdirSync(join(directory, folder), { recursive: true })
  writeFileSync(join(directory, folder, `${name}.json`), JSON.stringify(value))
}
