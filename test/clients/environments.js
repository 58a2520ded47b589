/**
 * Virtual environments for the Python programs that these tests run: made once, with the SDK in the
 * versions that are in use.
 */
import { spawnSync } from 'node:child_process'
import { existsSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const home = join(dirname(fileURLToPath(import.meta.url)), '.environments')

/** By name: what pip is asked for. @type {Readonly<Record<string, string>>} */
export const environments = { newest: 'runpod', 'series-1.7': 'runpod==1.7.13' }

/** Clients that have the cloud's host names compiled in, likewise. @type {Readonly<Record<string, string>>} */
export const fixedClients = { gpuhunt: 'gpuhunt==0.1.34' }

/** @param {string} name */
export const pythonOf = (name) => join(home, name, 'bin', 'python')

/** @param {string} name */
const markOf = (name) => join(home, name, 'complete')

/** @param {string} name */
export const isPrepared = (name) => existsSync(markOf(name))

/**
 * Makes those that are missing. Returns what could not be made, and why.
 *
 * @returns {Record<string, string>}
 */
export function prepare() {
  const all = Object.entries({ ...environments, ...fixedClients })
  const problems = all.map(([name, requirement]) => {
    return /** @type {const} */ ([name, isPrepared(name) ? undefined : make(name, requirement)])
  })
  return Object.fromEntries(problems.filter(([, problem]) => problem !== undefined))
}

/**
 * @param {string} name
 * @param {string} requirement
 * @returns {string | undefined}
 */
function make(name, requirement) {
  rmSync(join(home, name), { recursive: true, force: true })
  console.error(`${name}: installing ${requirement}`)
  const made = run('python3', ['-m', 'venv', join(home, name)])
  if (made !== undefined) return `no virtual environment: ${made}`
  const installed = run(pythonOf(name), ['-m', 'pip', 'install', '--quiet', requirement])
  if (installed !== undefined) return `pip cannot install ${requirement}: ${installed}`
  writeFileSync(markOf(name), `${requirement}\n`)
  return undefined
}

/**
 * @param {string} command
 * @param {readonly string[]} args
 * @returns {string | undefined} what went wrong
 */
function run(command, args) {
  const { status, stderr, error } = spawnSync(command, args, { encoding: 'utf8' })
  if (error !== undefined) return error.message
  return status === 0 ? undefined : (stderr.trim().split('\n').at(-1) ?? `exit code ${status}`)
}
