/** Programs run to their end, or started until they are told to stop. */
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'

export const project = fileURLToPath(new URL('../..', import.meta.url))

/**
 * What it printed. Throws when it fails, with what it had to say.
 *
 * @param {string} command
 * @param {readonly string[]} args
 * @param {{ cwd?: string, env?: NodeJS.ProcessEnv }} [options]
 */
export function run(command, args, options = {}) {
  const { status, stdout, stderr, error } = spawnSync(command, args, {
    encoding: 'utf8',
    maxBuffer: 2 ** 26,
    ...options,
  })
  if (status === 0) return stdout
  const said = error?.message ?? `${stdout}${stderr}`.trim().split('\n').slice(-15).join('\n  ')
  throw new Error(`${command} ${args.join(' ')} ended with ${status}: ${said}`)
}

/**
 * @typedef {object} Started
 * @property {string} url
 * @property {number} readyMs from its start to its first line, which it prints when it answers
 * @property {() => Promise<{ code: number | null, tookMs: number }>} stop by SIGTERM
 */

/**
 * An emulator, by a command that is like `start --json`.
 *
 * @param {string} command
 * @param {readonly string[]} args
 * @param {{ cwd?: string, env?: NodeJS.ProcessEnv }} [options]
 * @returns {Promise<Started>}
 */
export async function start(command, args, options = {}) {
  const startedMs = performance.now()
  const child = spawn(command, args, { stdio: ['ignore', 'pipe', 'inherit'], ...options })
  const lines = createInterface({ input: child.stdout })
  const ended = once(child, 'exit')
  const [line] = await Promise.race([once(lines, 'line'), ended.then(() => ['{}'])])
  const { url } = JSON.parse(line)
  if (url === undefined) throw new Error(`${command} ended instead of starting`)
  return {
    url,
    readyMs: performance.now() - startedMs,
    stop: async () => {
      const toldMs = performance.now()
      child.kill('SIGTERM')
      const [code] = await ended
      return { code, tookMs: performance.now() - toldMs }
    },
  }
}

/**
 * The status with which each address answers.
 *
 * @param {string} url
 * @param {readonly string[]} paths
 */
export async function statuses(url, paths) {
  const headers = { authorization: 'Bearer any-key' }
  const answers = await Promise.all(paths.map((path) => fetch(url + path, { headers })))
  return Object.fromEntries(answers.map(({ status }, index) => [paths[index], status]))
}

export const isRoot = process.platform === 'linux' && process.getuid?.() === 0
