/**
 * The processes that are measured: started on a core of their own, asked for CPU time and memory
 * by way of /proc, and ended with the benchmark whatever becomes of it.
 */
import { spawn, spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { createServer } from 'node:net'

/** @typedef {import('node:child_process').ChildProcess} ChildProcess */

/** @type {Set<ChildProcess>} */
const running = new Set()
process.on('exit', () => {
  for (const child of running) child.kill('SIGKILL')
})
for (const signal of /** @type {const} */ (['SIGINT', 'SIGTERM'])) {
  process.on(signal, () => process.exit(130))
}

/** One core for servers, another for everything else; undefined where they cannot be chosen. */
export const cores = chooseCores()

function chooseCores() {
  const { stdout, status } = spawnSync('taskset', ['-cp', String(process.pid)], {
    encoding: 'utf8',
  })
  if (status !== 0) return undefined
  const list = stdout.slice(stdout.indexOf(':') + 1).trim()
  const allowed = list.split(',').flatMap((range) => {
    const [first = 0, last = first] = range.split('-').map(Number)
    return Array.from({ length: last - first + 1 }, (_, index) => first + index)
  })
  const [server, load] = allowed
  if (server === undefined || load === undefined) return undefined
  // This process is part of the load, and leaves the server's core alone.
  spawnSync('taskset', ['-cp', String(load), String(process.pid)])
  return { server, load, all: list }
}

/**
 * @param {'server' | 'load' | 'all'} place
 * @param {readonly string[]} args  of node
 * @param {import('node:child_process').SpawnOptions} [options]
 */
export function startNode(place, args, options = {}) {
  const [command, ...before] =
    cores === undefined
      ? [process.execPath]
      : ['taskset', '-c', String(cores[place]), process.execPath]
  const child = spawn(/** @type {string} */ (command), [...before, ...args], options)
  running.add(child)
  child.once('exit', () => running.delete(child))
  return child
}

/** @param {ChildProcess} child */
export async function stop(child) {
  if (child.exitCode !== null || child.signalCode !== null) return
  const gone = new Promise((resolve) => child.once('exit', resolve))
  child.kill('SIGKILL')
  await gone
}

/** A port that was free a moment ago. */
export async function findPort() {
  const server = createServer()
  await new Promise((resolve) => server.listen(0, '127.0.0.1', () => resolve(undefined)))
  const { port } = /** @type {import('node:net').AddressInfo} */ (server.address())
  await new Promise((resolve) => server.close(resolve))
  return port
}

/** In which /proc counts CPU time; Linux has shown programs 100 a second for ever. */
const ticksPerSecond = 100

/**
 * User and system time of all threads so far; NaN where there is no /proc.
 *
 * @param {ChildProcess} child
 */
export function cpuSeconds({ pid }) {
  const stat = readProc(`/proc/${pid}/stat`)
  // The name in brackets may contain anything; behind it come fields 3 and up.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  return (Number(fields[11]) + Number(fields[12])) / ticksPerSecond
}

/** @param {ChildProcess} child */
export function rssBytes({ pid }) {
  const [, kilobytes] = /^VmRSS:\s+(\d+)/m.exec(readProc(`/proc/${pid}/status`)) ?? []
  return Number(kilobytes) * 1_024
}

/** @param {string} path */
function readProc(path) {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return ''
  }
}
