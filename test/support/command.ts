/** The command as it is shipped, as a child process. */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface, type Interface } from 'node:readline'
import { fileURLToPath } from 'node:url'

const program = fileURLToPath(new URL('../../bin/compute-emulator.js', import.meta.url))

export interface Finished {
  readonly code: number | null
  readonly stdout: string
  readonly stderr: string
}

/** Runs a command to its end. `env` is all of its environment. */
export async function run(args: readonly string[], env: NodeJS.ProcessEnv = {}): Promise<Finished> {
  const child = launch(args, env)
  let stdout = ''
  let stderr = ''
  child.stdout?.setEncoding('utf8').on('data', (text: string) => {
    stdout += text
  })
  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    stderr += text
  })
  const [code] = (await once(child, 'close')) as [number | null]
  return { code, stdout, stderr }
}

export interface Started {
  readonly url: string
  /** What it said first. */
  readonly first: Readonly<Record<string, unknown>>
  /** The next line that it prints. */
  readonly nextLine: () => Promise<string>
  /** Sends a signal; resolves to the exit code and how long the end took. */
  readonly stop: (signal?: NodeJS.Signals) => Promise<{ code: number | null; tookMs: number }>
}

/** Starts an emulator on a free port, and resolves when it has said where it is. */
export async function start(
  args: readonly string[] = [],
  env: NodeJS.ProcessEnv = {},
  command: 'start' | 'dev' = 'start',
): Promise<Started> {
  const child = launch([command, '--port', '0', '--json', ...args], env)
  const lines = createInterface({ input: child.stdout as NonNullable<typeof child.stdout> })
  const iterator = lines[Symbol.asyncIterator]()
  const nextLine = async () => ((await iterator.next()) as IteratorResult<string, string>).value
  const first = JSON.parse(await nextLine()) as Started['first']
  return { url: String(first.url), first, nextLine, stop: (signal) => stop(child, lines, signal) }
}

async function stop(child: ChildProcess, lines: Interface, signal: NodeJS.Signals = 'SIGTERM') {
  const startedMs = performance.now()
  const ended = once(child, 'exit')
  child.kill(signal)
  const [code] = (await ended) as [number | null]
  lines.close()
  return { code, tookMs: performance.now() - startedMs }
}

function launch(args: readonly string[], env: NodeJS.ProcessEnv): ChildProcess {
  return spawn(process.execPath, [program, ...args], { env, stdio: ['ignore', 'pipe', 'pipe'] })
}
