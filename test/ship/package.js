/** The npm package: what is packed, what comes with it, and what it is to those who install it. */
import assert from 'node:assert/strict'
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { project, run, start, statuses } from './programs.js'
import { checkSuites } from './suites.js'

const limitMb = 10
const typesChecker = '@arethetypeswrong/cli@0.18.5'

const consumer = `
import { type RunningEmulator, startEmulator } from 'compute-emulator'

const cloud: RunningEmulator = await startEmulator({ clock: 'manual', seed: '1' })
const events: number = await cloud.clock.advance('30m')
console.log(JSON.stringify({ url: cloud.url, events, now: cloud.clock.now() }))
await cloud.close()
// @ts-expect-error: there is no such option.
export const mistake = () => startEmulator({ clok: 'manual' })
`

/** @param {import('./checks.js').Checks} checks */
export async function checkPackage(checks) {
  const folder = mkdtempSync(join(tmpdir(), 'package-'))
  try {
    await checkFrom(folder, checks)
  } finally {
    rmSync(folder, { recursive: true })
  }
}

/** @param {string} folder @param {import('./checks.js').Checks} checks */
async function checkFrom(folder, checks) {
  const { check, skip } = checks
  const packed = await check('npm packs it', () => {
    run('npm', ['pack', '--pack-destination', folder], { cwd: project })
  })
  if (!packed) return
  const tarball = join(folder, readdirSync(folder)[0] ?? '')
  await check('publint finds nothing in the package', () => {
    run(join(project, 'node_modules', '.bin', 'publint'), ['--strict', tarball])
  })
  await checkTypes(tarball, { check, skip })
  const home = join(folder, 'home')
  mkdirSync(home)
  const installed = await check('it installs into an empty folder', () => {
    writeFileSync(join(home, 'package.json'), '{"private": true, "type": "module"}')
    run('npm', ['install', '--no-audit', '--no-fund', tarball], { cwd: home })
  })
  if (!installed) return
  await check(`with all that it brings it has at most ${limitMb} MB`, () => weigh(home))
  await check('it depends on what its types need, and on nothing else', () => {
    assert.deepEqual(dependencies(home), importedByTypes(home))
  })
  await check('npx runs the command', async () => {
    assert.match(run('npx', ['compute-emulator', '--version'], { cwd: home }), /^\d+\.\d+\.\d+\n$/)
    const args = [join(home, 'node_modules', '.bin', 'compute-emulator'), 'start', '--port', '0']
    const emulator = await start(process.execPath, [...args, '--json'], { cwd: home })
    const paths = ['/v2/pods', '/v1/pods', '/console', '/_emulator/ready']
    const answers = await statuses(emulator.url, paths)
    await emulator.stop()
    assert.deepEqual(answers, Object.fromEntries(paths.map((path) => [path, 200])))
  })
  await check('a program in strict TypeScript uses the library', () => {
    compile(home)
    const said = JSON.parse(run(process.execPath, ['consumer.js'], { cwd: home }))
    assert.equal(said.now, Date.parse('2026-01-01T00:30:00Z'))
  })
  await checkSuites(folder, tarball, checks)
  await checkAudit({ check, skip })
}

/** @param {string} tarball @param {Pick<import('./checks.js').Checks, 'check' | 'skip'>} checks */
async function checkTypes(tarball, { check, skip }) {
  try {
    run('npx', ['--yes', typesChecker, '--version'])
  } catch {
    skip('types as other compilers see them', `npx cannot get ${typesChecker}`)
    return
  }
  // CommonJS programs import it dynamically, as they have to.
  await check('are-the-types-wrong finds nothing', () => {
    run('npx', ['--yes', typesChecker, tarball, '--profile', 'esm-only'])
  })
}

/** @param {string} home */
function weigh(home) {
  const modules = join(home, 'node_modules')
  const entries = readdirSync(modules, { recursive: true, withFileTypes: true })
  const files = entries.filter((entry) => entry.isFile())
  const bytes = files.reduce(
    (sum, file) => sum + statSync(join(file.parentPath, file.name)).size,
    0,
  )
  assert.ok(bytes <= limitMb * 1e6, `it has ${bytes} bytes`)
  const listed = run('npm', ['ls', '--all', '--parseable'], { cwd: home }).trim().split('\n')
  const names = listed.slice(1).map((path) => path.slice(modules.length + 1))
  return `${(bytes / 1e6).toFixed(1)} MB: ${names.join(', ')}`
}

/** @param {string} home */
function dependencies(home) {
  const manifest = join(home, 'node_modules', 'compute-emulator', 'package.json')
  return Object.keys(JSON.parse(readFileSync(manifest, 'utf8')).dependencies).sort()
}

/** But for Node's own, which programs for Node have: an optional peer. @param {string} home */
function importedByTypes(home) {
  const types = join(home, 'node_modules', 'compute-emulator', 'dist', 'types')
  const files = readdirSync(types, { recursive: true, encoding: 'utf8' })
  const texts = files
    .filter((file) => file.endsWith('.d.ts') && file !== 'testcontainers.d.ts')
    .map((file) => readFileSync(join(types, file), 'utf8'))
  const code = texts.map((text) => text.replaceAll(/\/\*.*?\*\//gs, ''))
  const imports = code.flatMap((text) => [...text.matchAll(/from ['"]([^.'"][^'"]*)['"]/g)])
  const names = new Set(imports.map(([, name]) => name ?? ''))
  return [...names].filter((name) => !name.startsWith('node:')).sort()
}

/** By the compiler of the project. @param {string} home */
function compile(home) {
  writeFileSync(join(home, 'consumer.ts'), consumer)
  const compilerOptions = {
    strict: true,
    module: 'NodeNext',
    target: 'ES2023',
    lib: ['ES2023', 'DOM'],
    types: ['node'],
    skipLibCheck: false,
  }
  for (const name of ['@types/node', 'undici-types']) {
    const at = join('node_modules', name)
    cpSync(join(project, at), join(home, at), { recursive: true })
  }
  const settings = { compilerOptions, files: ['consumer.ts'] }
  writeFileSync(join(home, 'tsconfig.json'), JSON.stringify(settings))
  run(process.execPath, [join(project, 'node_modules', 'typescript', 'bin', 'tsc')], { cwd: home })
}

/** @param {Pick<import('./checks.js').Checks, 'check' | 'skip'>} checks */
async function checkAudit({ check, skip }) {
  let report
  try {
    // It ends with 1 when it finds something, which may be in what is not shipped.
    report = JSON.parse(run('sh', ['-c', 'npm audit --json || true'], { cwd: project }))
  } catch (error) {
    report = { message: String(error) }
  }
  if (report.vulnerabilities === undefined) {
    skip('known weaknesses', `npm audit gets no answer: ${report.message ?? report.error?.summary}`)
    return
  }
  await check('nothing that is shipped has a known weakness', () => {
    const shipped = readFileSync(join(project, 'LICENSES.md'), 'utf8')
    const weak = Object.keys(report.vulnerabilities)
    assert.deepEqual(
      weak.filter((name) => shipped.includes(`\n| ${name} |`)),
      [],
    )
  })
}
