/**
 * A Docker engine for tests: the one that is there, or one of our own that leaves nothing behind.
 *
 * Our own has its socket, images and containers in one temporary folder. It touches no firewall and has
 * no network that containers get without asking: they share that of the machine (`--network host`, in
 * builds as well), or are on one that was made for them, whose ports can be published.
 */
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import {
  closeSync,
  existsSync,
  mkdtempSync,
  openSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { get } from 'node:http'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { setTimeout } from 'node:timers/promises'

/**
 * @typedef {object} Engine
 * @property {NodeJS.ProcessEnv} environment this process's own, with the engine's address in it
 * @property {boolean} hasBridge whether containers get a network without asking for one
 * @property {(...args: string[]) => Result} docker runs the client to its end
 * @property {() => Promise<void>} stop ends an engine of our own, with all that it holds
 *
 * @typedef {object} Result
 * @property {number | null} code
 * @property {string} stdout
 * @property {string} stderr
 */

const startLimitMs = 60_000
const stopLimitMs = 20_000
/** A build is the longest that a client is waited for. */
const commandLimitMs = 300_000

/**
 * Says why when there is none to be had.
 *
 * @returns {Promise<{ engine: Engine } | { missing: string }>}
 */
export async function startEngine() {
  const present = client(process.env)
  if (present('version').code === 0) {
    const hasBridge = present('network', 'inspect', 'bridge').code === 0
    return {
      engine: { environment: process.env, hasBridge, docker: present, stop: async () => {} },
    }
  }
  const missing = await whyNoEngine()
  return missing === undefined ? startOwn() : { missing }
}

/** @returns {Promise<string | undefined>} */
async function whyNoEngine() {
  if (process.platform !== 'linux') return 'no Docker engine answers'
  if (process.getuid?.() !== 0) return 'no Docker engine answers, and only root can start one'
  if (findProgram('dockerd') !== undefined) return undefined
  return installPackage('docker.io')
}

/**
 * A package of Debian's; returns what went wrong.
 *
 * @param {string} name
 * @returns {string | undefined}
 */
export function installPackage(name) {
  if (findProgram('apt-get') === undefined)
    return `there is no ${name}, and no apt-get to install it`
  console.error(`engine: installing ${name}`)
  return apt('update') ?? apt('install', '--yes', '--no-install-recommends', name)
}

/**
 * @param {...string} args
 * @returns {string | undefined} what went wrong
 */
function apt(...args) {
  const { status, stderr, error } = spawnSync('apt-get', ['--quiet', ...args], {
    encoding: 'utf8',
    // On a machine with services, installing one would start it.
    env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive', RUNLEVEL: '1' },
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  if (status === 0) return undefined
  return `apt-get ${args[0]} failed: ${error?.message ?? stderr.trim().split('\n').at(-1)}`
}

/** @returns {Promise<{ engine: Engine } | { missing: string }>} */
async function startOwn() {
  // The first shares layers; the other copies them, and needs nothing of the kernel.
  const fast = await startWith('overlay2')
  return 'engine' in fast ? fast : startWith('vfs')
}

/**
 * @param {string} storage
 * @returns {Promise<{ engine: Engine } | { missing: string }>}
 */
async function startWith(storage) {
  const folder = mkdtempSync(join(tmpdir(), 'engine-'))
  const environment = {
    ...process.env,
    DOCKER_HOST: `unix://${folder}/docker.sock`,
    // The builder that is part of the engine: the other is a program that may not be there.
    DOCKER_BUILDKIT: '0',
  }
  const docker = client(environment)
  writeFileSync(join(folder, 'daemon.json'), '{}')
  const log = openSync(join(folder, 'log'), 'w')
  const command = ['dockerd', `--storage-driver=${storage}`, ...daemonOptions(folder)]
  const daemon = spawn('setpriv', ['--pdeathsig', 'TERM', ...command], {
    stdio: ['ignore', log, log],
  })
  closeSync(log)
  const problem = await untilReady(daemon, folder)
  const stop = () => stopOwn(daemon, folder, docker)
  if (problem === undefined) return { engine: { environment, hasBridge: false, docker, stop } }
  await stop()
  return { missing: `the Docker engine does not start: ${problem}` }
}

/** @param {string} folder */
function daemonOptions(folder) {
  return [
    `--host=unix://${folder}/docker.sock`,
    `--data-root=${folder}/data`,
    `--exec-root=${folder}/exec`,
    `--pidfile=${folder}/pid`,
    '--bridge=none',
    '--iptables=false',
    '--ip6tables=false',
    `--config-file=${folder}/daemon.json`,
  ]
}

/**
 * Resolves once the engine answers, or to why it does not.
 *
 * @param {import('node:child_process').ChildProcess} daemon
 * @param {string} folder
 * @returns {Promise<string | undefined>}
 */
async function untilReady(daemon, folder) {
  let failure = 'it is not ready in time'
  daemon.once('error', ({ message }) => {
    failure = message
  })
  const endMs = performance.now() + startLimitMs
  while (daemon.pid !== undefined && daemon.exitCode === null && performance.now() < endMs) {
    if (await answers(join(folder, 'docker.sock'))) return undefined
    await setTimeout(100)
  }
  const lines = readFileSync(join(folder, 'log'), 'utf8').trim().split('\n')
  return lines.findLast((line) => /fail|error/i.test(line)) ?? failure
}

/**
 * @param {string} socketPath
 * @returns {Promise<boolean>}
 */
function answers(socketPath) {
  return new Promise((resolve) => {
    get({ socketPath, path: '/_ping' }, (response) => {
      response.resume()
      resolve(response.statusCode === 200)
    }).once('error', () => resolve(false))
  })
}

/**
 * @param {import('node:child_process').ChildProcess} daemon
 * @param {string} folder
 * @param {Engine['docker']} docker
 */
async function stopOwn(daemon, folder, docker) {
  if (daemon.pid !== undefined && daemon.exitCode === null && daemon.signalCode === null) {
    const containers = docker('ps', '--all', '--quiet').stdout.split('\n').filter(Boolean)
    if (containers.length > 0) docker('rm', '--force', '--volumes', ...containers)
    docker('network', 'prune', '--force')
    const ended = once(daemon, 'exit')
    daemon.kill('SIGTERM')
    await Promise.race([ended, setTimeout(stopLimitMs, undefined, { ref: false })])
    if (daemon.exitCode === null && daemon.signalCode === null) daemon.kill('SIGKILL')
    await ended
  }
  for (const mount of mountsBelow(folder)) spawnSync('umount', ['--lazy', mount])
  rmSync(folder, { recursive: true, force: true })
}

/** Innermost first. @param {string} folder */
function mountsBelow(folder) {
  const places = readFileSync('/proc/self/mounts', 'utf8')
    .split('\n')
    .map((line) => line.split(' ')[1] ?? '')
  return places.filter((place) => place.startsWith(`${folder}/`)).reverse()
}

/**
 * @param {NodeJS.ProcessEnv} env
 * @returns {Engine['docker']}
 */
function client(env) {
  return (...args) => {
    const { status, stdout, stderr, error } = spawnSync('docker', args, {
      encoding: 'utf8',
      env,
      timeout: commandLimitMs,
    })
    return { code: status, stdout: stdout ?? '', stderr: error?.message ?? stderr }
  }
}

/** @param {string} name */
function findProgram(name) {
  const folders = (process.env.PATH ?? '').split(delimiter)
  return folders.map((folder) => join(folder, name)).find((path) => existsSync(path))
}
