/** What `doctor` looks at, one finding for each. */
import { X509Certificate } from 'node:crypto'
import { lookup } from 'node:dns/promises'
import { existsSync, readFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { authorityFiles, defaultAuthorityDirectory } from '../../adapters/tls/authority.ts'
import { askHealth } from '../background/ask-health.ts'
import { isAlive, isItself, listInstances } from '../background/instances.ts'
import type { Environment } from '../options.ts'
import { findEngine, findPython } from './checkup-tools.ts'

/** Real time in which an emulator that is well has answered. */
const patienceMs = 1_000

export interface Finding {
  readonly about: string
  /** `note`: it works, and something will not. */
  readonly state: 'ok' | 'note' | 'wrong'
  readonly says: string
}

export async function examine(port: number, environment: Environment): Promise<Finding[]> {
  return [
    checkNode(process.versions.node),
    ...(
      await Promise.all([
        checkFamilies(),
        checkNames(),
        checkPort(port),
        checkBackground(environment),
      ])
    ).flat(),
    checkProxies(environment),
    checkAuthority(environment, Date.now()),
    await findPython(),
    await findEngine(),
  ]
}

const finding = (state: Finding['state'], about: string, says: string): Finding => ({
  about,
  state,
  says,
})

function checkNode(version: string): Finding {
  const [major = 0, minor = 0] = version.split('.').map(Number)
  const isEnough = major > 20 || (major === 20 && minor >= 19)
  return isEnough
    ? finding('ok', 'node', version)
    : finding('wrong', 'node', `${version}; 20.19 is the oldest that will do`)
}

async function checkFamilies(): Promise<Finding> {
  const [four, six] = await Promise.all([tryBind('127.0.0.1', 0), tryBind('::1', 0)])
  if (four !== undefined) return finding('wrong', 'loopback', `127.0.0.1 cannot be bound: ${four}`)
  if (six === undefined) return finding('ok', 'loopback', '127.0.0.1 and ::1 can be bound')
  return finding('note', 'loopback', `::1 cannot be bound (${six}); callers need 127.0.0.1`)
}

/** Names below localhost are loopback by RFC 6761; not every machine knows. */
async function checkNames(): Promise<Finding> {
  const name = 'demolb.localhost'
  try {
    const { address } = await lookup(name)
    if (/^127\.|^::1$/.test(address)) return finding('ok', 'names', `${name} is this machine`)
    return finding('note', 'names', `${name} is ${address}, which is not this machine`)
  } catch {
    const otherwise = 'call endpoints as /v2/<id>/… instead of by a name of their own'
    return finding('note', 'names', `${name} is not known here; ${otherwise}`)
  }
}

async function checkPort(port: number): Promise<Finding> {
  const problem = await tryBind('127.0.0.1', port)
  if (problem === undefined) return finding('ok', 'port', `${port} is free`)
  const health = await askHealth(`http://127.0.0.1:${port}`, patienceMs)
  if (health !== undefined) {
    return finding('ok', 'port', `compute-emulator ${health.version} answers on ${port}`)
  }
  return finding('wrong', 'port', `${port} is not to be had (${problem}); start with --port 0`)
}

async function checkBackground(environment: Environment): Promise<Finding[]> {
  const instances = listInstances(environment)
  if (instances.length === 0) return [finding('ok', 'background', 'no emulator was left running')]
  return Promise.all(
    instances.map(async (instance) => {
      const { url, pid, port } = instance
      if (isAlive(pid) && (await isItself(instance))) {
        return finding('ok', 'background', `process ${pid} answers at ${url}`)
      }
      const way = `clear it away with: compute-emulator stop --port ${port}`
      return isAlive(pid)
        ? finding('wrong', 'background', `process ${pid} does not answer at ${url}`)
        : finding('wrong', 'background', `process ${pid} of ${url} is gone; ${way}`)
    }),
  )
}

/** Many clients would ask the proxy for this machine, too. */
function checkProxies(environment: Environment): Finding {
  const names = ['HTTP_PROXY', 'http_proxy', 'ALL_PROXY', 'all_proxy']
  const set = names.find((name) => (environment[name] ?? '') !== '')
  if (set === undefined) return finding('ok', 'proxies', 'calls to this machine go straight here')
  const excepted = (environment.NO_PROXY ?? environment.no_proxy ?? '').split(/[\s,]+/)
  if (excepted.includes('*') || excepted.includes('127.0.0.1')) {
    return finding('ok', 'proxies', `${set} is set, and 127.0.0.1 is excepted from it`)
  }
  return finding('note', 'proxies', `${set} is set; clients need NO_PROXY=127.0.0.1,localhost`)
}

/** Only clients with hard-coded hosts need one. */
function checkAuthority(environment: Environment, nowMs: number): Finding {
  const { certificate } = authorityFiles(defaultAuthorityDirectory(environment))
  if (!existsSync(certificate)) {
    const way = "'compute-emulator ca' makes one, for clients with hard-coded hosts"
    return finding('note', 'authority', `there is none; ${way}`)
  }
  const validTo = readValidTo(certificate)
  if (validTo === undefined)
    return finding('wrong', 'authority', `${certificate} is no certificate`)
  const until = `${certificate}, valid until ${new Date(validTo).toISOString()}`
  return validTo > nowMs
    ? finding('ok', 'authority', until)
    : finding('wrong', 'authority', `${until}; renew it with: compute-emulator ca --renew`)
}

/** In ms since 1970; undefined for a file that is no certificate. */
function readValidTo(path: string): number | undefined {
  try {
    return Date.parse(new X509Certificate(readFileSync(path)).validTo)
  } catch {
    // Half written, not ours to read, or something else.
    return undefined
  }
}

/** Why it cannot be bound; undefined where it can. */
function tryBind(host: string, port: number): Promise<string | undefined> {
  return new Promise((resolve) => {
    const server = createServer()
    server.once('error', (error: NodeJS.ErrnoException) => resolve(error.code ?? error.message))
    server.listen(port, host, () => server.close(() => resolve(undefined)))
  })
}
