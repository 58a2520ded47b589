/** The single executable: in a root file system that has its libraries in it, and nothing else. */
import assert from 'node:assert/strict'
import { chmodSync, existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { isRoot, project, run, start, statuses } from './programs.js'
import { addProgram, librariesOf } from './roots.js'

export const binary = join(project, 'build', 'compute-emulator')
const inside = '/bin/compute-emulator'
const nobody = '--userspec=65532:65532'
/** `chroot` and `ip` are not on everybody's. */
const env = { PATH: '/usr/sbin:/usr/bin:/sbin:/bin' }

/** What a system has that runs programs in C++: https://nodejs.org builds against glibc. */
const libraries = /^(ld-linux.*|lib(c|dl|m|pthread|gcc_s|stdc\+\+))\.so\.\d+$/

/** @param {import('./checks.js').Checks} checks */
export async function checkBinary({ check, skip }) {
  if (process.platform !== 'linux') return skip('the single executable', 'it is made on Linux')
  const built = await check('npm run build:binary makes one executable', () => {
    return run('npm', ['run', '--silent', 'build:binary'], { cwd: project }).trim()
  })
  if (!built) return
  await check('it needs the C and C++ libraries of the system, and no others', () => {
    const names = librariesOf(binary).map((path) => basename(path))
    assert.deepEqual(
      names.filter((name) => !libraries.test(name)),
      [],
    )
    return names.join(', ')
  })
  if (!isRoot)
    return skip('the executable in an empty root file system', 'only root can change root')
  const root = mkdtempSync(join(tmpdir(), 'root-'))
  try {
    chmodSync(root, 0o755)
    addProgram(root, binary, inside)
    await checkIn(root, { check })
  } finally {
    rmSync(root, { recursive: true })
  }
}

/** @param {string} root @param {Pick<import('./checks.js').Checks, 'check'>} checks */
async function checkIn(root, { check }) {
  await check(
    'in a root with these and nothing else, every surface answers, for nobody',
    async () => {
      const args = [nobody, root, inside, 'start', '--port', '0', '--json', '--log-level', 'silent']
      const emulator = await start('chroot', args, { env })
      const paths = ['/v2/pods', '/v1/pods', '/v2/demo/health', '/v2/openapi.json', '/console', '/']
      const answers = await statuses(emulator.url, paths)
      const graphql = await askGraphql(emulator.url)
      const { code, tookMs } = await emulator.stop()
      assert.deepEqual(answers, Object.fromEntries(paths.map((path) => [path, 200])))
      assert.deepEqual(graphql, { data: { myself: { pods: [{ id: 'demopod' }] } } })
      assert.equal(code, 0)
      return `ready in ${Math.round(emulator.readyMs)} ms, gone in ${Math.round(tookMs)} ms`
    },
  )
  await check('it plays every built-in scenario', () => {
    const said = run('chroot', [root, inside, 'scenario', 'run', '--all'], { env })
    return said.trim().split('\n').at(-1)
  })
  await check('it writes examples, and reads what it wrote', () => {
    run('chroot', [root, inside, 'fixtures', 'init', '/mine'], { env })
    assert.ok(existsSync(join(root, 'mine', 'scenarios', 'first.yaml')))
    run('chroot', [root, inside, 'scenario', 'run', 'first', '--fixtures', '/mine'], { env })
  })
  await check('without any network but loopback it is the same', () => {
    const command = `chroot ${root} ${inside}`
    const script = [
      'ip link set lo up',
      `${command} start --port 4300 --log-level silent & emulator=$!`,
      `${command} wait --timeout 30s && ${command} status > /dev/null`,
      'code=$?; kill $emulator; wait $emulator; exit $code',
    ]
    run('unshare', ['--net', 'sh', '-c', script.join('\n')], { env })
  })
}

/** @param {string} url */
async function askGraphql(url) {
  const response = await fetch(`${url}/graphql`, {
    method: 'POST',
    headers: { authorization: 'Bearer any-key', 'content-type': 'application/json' },
    body: JSON.stringify({ query: '{ myself { pods { id } } }' }),
  })
  return response.json()
}
