/**
 * One process of the user's, and whatever it starts: its lines, its end, and a sure way to end it.
 *
 * The process leads a group of its own, and a shell in that group watches a pipe that only we hold.
 * When we let go of it, because the process is gone or because we are, the shell kills the group. So
 * nothing is left behind even when the emulator is killed outright.
 */
import { type ChildProcess, spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { finished } from 'node:stream'
import { createLines } from './lines.ts'
import type { ProgramListener, RunningProgram } from './program.ts'

export interface ProcessOptions extends ProgramListener {
  /** A line for the shell. */
  readonly command: string
  readonly directory: string | undefined
  /** All of it. */
  readonly environment: Readonly<Record<string, string>>
}

/** `$1` is the command. The watcher stays deaf to what the others of its group are asked to do. */
const script = [
  '(trap "" TERM INT HUP; read -r _ <&3; kill -KILL 0) >/dev/null 2>&1 &',
  'exec 3<&-; eval "$1"',
].join('\n')

/** Output that somebody outside the group keeps open is not waited for. */
const lastLinesMs = 500

export function startProcess(options: ProcessOptions): RunningProgram {
  const { command, directory, environment, onExit } = options
  if (directory !== undefined && !existsSync(directory)) {
    const failure = `there is no directory '${directory}'`
    setImmediate(() => onExit({ code: null, signal: null, failure }))
    return { stop: () => {}, freeze: () => {} }
  }
  const child = spawn('/bin/sh', ['-c', script, 'sh', inPlaceOfShell(command)], {
    cwd: directory,
    env: { ...environment },
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe', 'pipe'],
  })
  watch(child, options)
  return { stop: (graceMs) => stop(child, graceMs), freeze: () => freeze(child) }
}

/**
 * A plain command takes the place of the shell that starts it, and so gets its signals. Of a line that
 * is more than that, the shell stays, and is what ends when it is asked to.
 */
function inPlaceOfShell(line: string): string {
  const [, settings, command] = /^((?:\w+=[^\s'"]*\s+)*)([^;&|<>()`\n]+)$/.exec(line.trim()) ?? []
  return command === undefined || command.startsWith('exec ') ? line : `${settings}exec ${command}`
}

function watch(child: ChildProcess, { command, onLines, onExit }: ProcessOptions): void {
  const outputs = [child.stdout, child.stderr].filter((output) => output !== null)
  const ends = outputs.map((output) => {
    const lines = createLines(onLines)
    output.on('data', lines.add)
    return new Promise<void>((resolve) => {
      finished(output, () => {
        lines.end()
        resolve()
      })
    })
  })
  const letGo = () => child.stdio[3]?.destroy()
  // A pipe whose other end is gone is no failure of ours.
  child.stdio[3]?.on('error', () => {})
  child.once('error', (error) => {
    letGo()
    const failure = `'${command}' could not be started: ${error.message}`
    onExit({ code: null, signal: null, failure })
  })
  child.once('exit', (code, signal) => {
    letGo()
    const late = new Promise((resolve) => setTimeout(resolve, lastLinesMs).unref())
    void Promise.race([Promise.all(ends), late]).then(() => onExit({ code, signal }))
  })
}

function stop(child: ChildProcess, graceMs: number): void {
  if (graceMs > 0) {
    signalGroup(child, 'SIGTERM')
    const timer = setTimeout(() => signalGroup(child, 'SIGKILL'), graceMs)
    child.once('exit', () => clearTimeout(timer))
  } else {
    signalGroup(child, 'SIGKILL')
  }
}

/**
 * Only the program itself: what sends its signs of life, where that is a process of its own, goes on
 * as it does beside a handler that never returns; and so does the shell that watches over the group.
 */
function freeze({ pid, exitCode, signalCode }: ChildProcess): void {
  if (pid !== undefined && exitCode === null && signalCode === null) process.kill(pid, 'SIGSTOP')
}

function signalGroup({ pid, exitCode, signalCode }: ChildProcess, signal: NodeJS.Signals): void {
  if (pid === undefined || exitCode !== null || signalCode !== null) return
  try {
    process.kill(-pid, signal)
  } catch {
    // It ended in the meantime.
  }
}
