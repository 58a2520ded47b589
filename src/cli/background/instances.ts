/**
 * Emulators that go on in the background. A file for each, named by its port, says where it is, so that
 * `stop`, `logs` and `doctor` find it again. Emulators in the foreground leave no files.
 */
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { isAbsolute, join } from 'node:path'
import { refused } from '../failure.ts'
import type { Environment, Options } from '../options.ts'
import { askHealth } from './ask-health.ts'

/** Real time in which one that is well has answered. */
const patienceMs = 2_000

export interface Instance {
  readonly port: number
  readonly pid: number
  readonly url: string
  /** Path of its log. */
  readonly log: string
  /** RFC 3339, real time. */
  readonly startedAt: string
}

export const portOption = {
  port: {
    type: 'number',
    describe: 'Which one, where there are several',
    range: [1, 65_535],
    whole: true,
    names: 'ports',
  },
} as const satisfies Options

/** By the XDG base directory specification, which ignores paths that are not absolute. */
export function stateDirectory({ XDG_STATE_HOME: base = '' }: Environment): string {
  const home = isAbsolute(base) ? base : join(homedir(), '.local', 'state')
  return join(home, 'compute-emulator')
}

/** Nobody else is to read logs or to say which process is to be ended. */
export function makeStateDirectory(environment: Environment): string {
  const directory = stateDirectory(environment)
  mkdirSync(directory, { recursive: true, mode: 0o700 })
  return directory
}

export function rememberInstance(instance: Instance, environment: Environment): void {
  const text = `${JSON.stringify(instance, null, 2)}\n`
  writeFileSync(fileOf(instance, environment), text, { mode: 0o600 })
}

/** And its log. */
export function forgetInstance(instance: Instance, environment: Environment): void {
  rmSync(fileOf(instance, environment), { force: true })
  rmSync(instance.log, { force: true })
}

/** By port, whether they still run or not. */
export function listInstances(environment: Environment): Instance[] {
  const directory = stateDirectory(environment)
  const names = readNames(directory).filter((name) => /^\d+\.json$/.test(name))
  const read = names.map((name) => readInstance(join(directory, name)))
  return read.filter((found) => found !== undefined).sort((one, other) => one.port - other.port)
}

/** The one that is meant. Refuses where there is none, or several and nobody said which. */
export function requireInstance(port: number | undefined, environment: Environment): Instance {
  const all = listInstances(environment)
  const [only, another] = all
  if (port !== undefined) {
    const found = all.find((instance) => instance.port === port)
    if (found === undefined) throw refused(`no emulator was started with --detach on port ${port}`)
    return found
  }
  if (only === undefined) {
    throw refused(
      'no emulator goes on in the background; start one with: compute-emulator start --detach',
    )
  }
  if (another === undefined) return only
  const ports = all.map((instance) => instance.port).join(', ')
  throw refused(`several emulators go on in the background; say --port, one of ${ports}`)
}

/** Whether there is a process of that number, whoever's. One that nobody has buried is gone, too. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
  try {
    return !/\) Z /.test(readFileSync(`/proc/${pid}/stat`, 'utf8'))
  } catch {
    // Only Linux has such files.
    return true
  }
}

/** Whether what answers there is that process: numbers of processes are given out again. */
export async function isItself({ url, pid }: Instance): Promise<boolean> {
  return (await askHealth(url, patienceMs))?.pid === pid
}

function fileOf({ port }: Instance, environment: Environment): string {
  return join(stateDirectory(environment), `${port}.json`)
}

function readNames(directory: string): string[] {
  try {
    return readdirSync(directory)
  } catch {
    // Nothing was ever started in the background.
    return []
  }
}

/** Undefined for a file that is not one of ours. */
function readInstance(path: string): Instance | undefined {
  try {
    const read = JSON.parse(readFileSync(path, 'utf8')) as Instance
    const isOne = read.pid > 0 && read.port > 0 && typeof read.log === 'string'
    return isOne ? read : undefined
  } catch {
    // Half written, or another program's.
    return undefined
  }
}
