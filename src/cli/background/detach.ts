/** `start --detach`: the same emulator as a process of its own, which goes on when this one ends. */
import { type ChildProcess, spawn } from 'node:child_process'
import { closeSync, openSync, readFileSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { isSea } from 'node:sea'
import { type ExitCode, exitCodes, Failure } from '../failure.ts'
import type { Options } from '../options.ts'
import type { Output } from '../output.ts'
import type { StartValues } from '../start/run-start.ts'
import { startOptions } from '../start/start-options.ts'
import { type Instance, makeStateDirectory, rememberInstance } from './instances.ts'

/** What the process says of itself once it answers: the first line of `start --json`. */
interface Report {
  readonly url: string
  readonly port: number
  readonly pid: number
}

/** Resolves when it answers. Fails as it failed, in its own words. */
export async function startDetached(values: StartValues, output: Output): Promise<void> {
  const directory = makeStateDirectory(process.env)
  // Its port may not be known yet.
  const draft = join(directory, `starting-${process.pid}.log`)
  const child = launch(values, draft)
  const report = await untilReady(child, draft)
  const { url, port, pid } = report
  const log = join(directory, `${port}.log`)
  renameSync(draft, log)
  const instance: Instance = { port, pid, url, log, startedAt: new Date().toISOString() }
  rememberInstance(instance, process.env)
  child.disconnect()
  child.unref()
  output.result(values.json ? JSON.stringify({ ...report, log }) : describe(instance))
}

function launch(values: StartValues, log: string): ChildProcess {
  const file = openSync(log, 'a+', 0o600)
  // A single executable is its own program; otherwise Node is told which one to run.
  const program = isSea() ? [] : [...process.execArgv, process.argv[1] ?? '']
  const child = spawn(process.execPath, [...program, 'start', ...toArguments(values)], {
    detached: true,
    stdio: ['ignore', file, file, 'ipc'],
  })
  closeSync(file)
  return child
}

/** All values, the environment's included, as somebody would type them. */
export function toArguments(values: StartValues): string[] {
  const table: Options = startOptions
  return Object.entries(values).flatMap(([name, value]) => {
    if (name === 'detach' || value === undefined || value === false) return []
    if (table[name]?.type === 'boolean') return [`--${name}`]
    return [value].flat().map((one) => `--${name}=${one}`)
  })
}

function untilReady(child: ChildProcess, log: string): Promise<Report> {
  return new Promise((resolve, reject) => {
    child.once('message', (text) => resolve(JSON.parse(String(text)) as Report))
    child.once('error', reject)
    child.once('exit', (code) => {
      const said = readFileSync(log, 'utf8').trim()
      rmSync(log, { force: true })
      const exitCode = (code ?? exitCodes.bug) as ExitCode
      reject(new Failure(exitCode, said || `the emulator ended with ${code} and said nothing`))
    })
  })
}

function describe({ url, port, pid, log }: Instance): string {
  return [
    `compute-emulator goes on in the background at ${url}, as process ${pid}.`,
    `  compute-emulator logs --port ${port} --follow   # what it says, from ${log}`,
    `  compute-emulator stop --port ${port}`,
  ].join('\n')
}
