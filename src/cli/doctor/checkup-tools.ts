/** What `doctor` says of tools that some clients and workers need: Python and a container engine. */
import { execFile } from 'node:child_process'
import { request } from 'node:http'
import { listLeftovers } from '../../adapters/docker/leftovers.ts'
import type { Environment } from '../options.ts'
import type { Finding } from './checkup.ts'

const patienceMs = 5_000

/** Its version, and that of the worker SDK where it is installed: a line each. */
const question = [
  'import platform, importlib.metadata as m',
  'print(platform.python_version())',
  'try: print(m.version("runpod"))',
  'except m.PackageNotFoundError: pass',
].join('\n')

export async function findPython(): Promise<Finding> {
  const about = 'python'
  const answer = await run('python3', ['-c', question])
  if (answer === undefined) {
    return { about, state: 'note', says: 'there is no python3: worker programs need another way' }
  }
  const [version = '', sdk] = answer.trim().split('\n')
  if (sdk === undefined) {
    return { about, state: 'note', says: `${version}, without the package runpod` }
  }
  return { about, state: 'ok', says: `${version} with runpod ${sdk}` }
}

export async function findEngine({ DOCKER_HOST = '' }: Environment): Promise<Finding> {
  const about = 'containers'
  const address = DOCKER_HOST === '' ? 'unix:///var/run/docker.sock' : DOCKER_HOST
  const version = await askEngine(address)
  if (version === undefined) {
    return { about, state: 'note', says: `no engine answers at ${address}` }
  }
  // One that only half answers has nothing of ours.
  const left = await listLeftovers().catch(() => [])
  if (left.length === 0) {
    return { about, state: 'ok', says: `engine ${version} answers at ${address}` }
  }
  const names = left.map(({ name }) => name).join(' ')
  const says = `emulators that are gone left ${names}; remove with: docker rm --force ${names}`
  return { about, state: 'wrong', says }
}

/** Its version; undefined where nobody answers as an engine does. */
function askEngine(address: string): Promise<string | undefined> {
  const place = placeOf(address)
  if (place === undefined) return Promise.resolve(undefined)
  return new Promise((resolve) => {
    const asked = request({ ...place, path: '/version', timeout: patienceMs }, (response) => {
      let text = ''
      response.setEncoding('utf8').on('data', (part) => {
        text += part
      })
      response.on('end', () => resolve(/"Version":\s*"([^"]+)"/.exec(text)?.[1]))
    })
    asked.on('timeout', () => asked.destroy())
    asked.on('error', () => resolve(undefined))
    asked.end()
  })
}

/** Engines behind SSH or TLS are asked by their own tools. */
function placeOf(address: string) {
  if (address.startsWith('unix://')) return { socketPath: address.slice('unix://'.length) }
  const url = URL.canParse(address) ? new URL(address) : undefined
  if (url?.protocol !== 'tcp:' && url?.protocol !== 'http:') return undefined
  return { host: url.hostname, port: url.port }
}

/** What it prints; undefined where it is not there or fails. */
function run(program: string, args: readonly string[]): Promise<string | undefined> {
  return new Promise((resolve) => {
    execFile(program, args, { timeout: patienceMs }, (error, stdout) => {
      resolve(error === null ? stdout : undefined)
    })
  })
}
