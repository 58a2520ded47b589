/**
 * What others do, to be measured beside us: installed when a row first asks for it, each from its
 * own lock file, and no dependency of the project.
 */
import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

/** Undefined when it is there, or else why it is not.
 *
 * @param {'apollo-3' | 'apollo-5' | 'tinyqueue'} name
 */
export function install(name) {
  const directory = pathOf(name)
  if (existsSync(`${directory}/node_modules`)) return undefined
  process.stderr.write(`installing ${name} for comparison\n`)
  const { status, stderr } = spawnSync(
    'npm',
    ['ci', '--ignore-scripts', '--no-audit', '--no-fund'],
    { cwd: directory, encoding: 'utf8' },
  )
  if (status === 0) return undefined
  const [reason = 'npm could not be run'] = /npm (?:error|ERR!).*/.exec(stderr ?? '') ?? []
  return `${name} cannot be had: ${reason}`
}

/** @param {string} path  below `compare` */
export function pathOf(path) {
  return fileURLToPath(new URL(`../compare/${path}`, import.meta.url))
}
