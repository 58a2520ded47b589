/** Runs an emulator around one handler until it is told to stop: what `dev` does. */
import { existsSync, watch } from 'node:fs'
import { dirname, extname } from 'node:path'
import { type ServedEmulator, serve } from '../../emulator/serve.ts'
import { misused } from '../failure.ts'
import type { Values } from '../options.ts'
import type { Output } from '../output.ts'
import type { devOptions } from './dev-options.ts'
import { closeOnSignal, toFailure } from './run-start.ts'

type DevValues = Values<typeof devOptions>

/** Editors write a file in several steps. */
const settleMs = 200
const ignored = /(^|\/)(\.|__pycache__|node_modules|.*\.(pyc|pkl|lock|log|tmp)$|.*~$)/

/** Resolves when the emulator answers; it then runs until a signal comes. */
export async function runDev(values: DevValues, output: Output): Promise<void> {
  const { file = '', endpoint, port, workers } = values
  if (!existsSync(file)) throw misused(`there is no file '${file}'`)
  const command = values.command ?? commandFor(file)
  const running = await serve({
    port,
    world: 'empty',
    workers: { [endpoint]: command },
    onWorkerLine: (line) => output.result(values.json ? JSON.stringify(line) : describeLine(line)),
  }).catch((error: unknown) => {
    throw toFailure(error, { host: 'localhost', port })
  })
  await resize(running, endpoint, workers)
  const directory = values.watch ?? dirname(file)
  output.result(
    values.json
      ? JSON.stringify({ url: running.url, endpoint, command, watching: directory })
      : describeDev(running.url, { endpoint, command, directory }),
  )
  const watcher = watchFiles(directory, (changed) => {
    void release(running, endpoint, changed).then((version) => {
      if (!values.json) output.result(`${changed} changed: version ${version} of the workers`)
    })
  })
  closeOnSignal(running, () => watcher.close())
}

interface WorkerLine {
  readonly workerId: string
  readonly text: string
}

const describeLine = ({ workerId, text }: WorkerLine): string => `${workerId} | ${text}`

function describeDev(
  url: string,
  { endpoint, command, directory }: { endpoint: string; command: string; directory: string },
): string {
  return [
    `compute-emulator runs '${command}' as the workers of ${endpoint}, and watches ${directory}.`,
    '',
    'Try:',
    `  curl ${url}/v2/${endpoint}/runsync -H 'Authorization: Bearer any-key' -d '{"input":{"prompt":"hello"}}'`,
    '',
  ].join('\n')
}

/** By the end of its name; a file of any other kind has to start by itself. */
function commandFor(file: string): string {
  const quoted = `'${file.replaceAll("'", `'\\''`)}'`
  const extension = extname(file)
  if (extension === '.py') return `python3 -u ${quoted}`
  if (['.js', '.mjs', '.cjs'].includes(extension)) return `node ${quoted}`
  return file.includes('/') ? quoted : `./${quoted}`
}

/** One worker is always there, so that a handler that does not start shows at once. */
async function resize({ url }: ServedEmulator, endpoint: string, max: number): Promise<void> {
  await send(`${url}/v2/serverless/${endpoint}`, 'PATCH', { workers: { min: 1, max } })
}

async function release({ url }: ServedEmulator, endpoint: string, changed: string) {
  const path = `/_emulator/endpoints/${endpoint}/release`
  const body = await send(url + path, 'POST', { change: changed })
  return (body as { version: number }).version
}

async function send(address: string, method: string, body: object): Promise<unknown> {
  const headers = { authorization: 'Bearer dev', 'content-type': 'application/json' }
  const response = await fetch(address, { method, headers, body: JSON.stringify(body) })
  if (!response.ok) throw new Error(`${method} ${address}: ${await response.text()}`)
  return response.json()
}

/** Tells of the last file of several that changed together. */
function watchFiles(directory: string, onChange: (file: string) => void) {
  let timer: NodeJS.Timeout | undefined
  return watch(directory, { recursive: true }, (_event, name) => {
    if (name === null || ignored.test(name)) return
    clearTimeout(timer)
    timer = setTimeout(() => onChange(name), settleMs)
  })
}
