/**
 * Makes `build/compute-emulator`: the command as one executable, with Node, fixtures and pages inside.
 *
 * The Node inside is the one that runs this, from 24 on; for an older one it is that of npm's package.
 */
import { spawnSync } from 'node:child_process'
import {
  chmodSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  renameSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { build } from 'esbuild'
import { bundleOptions, root } from './bundle-options.js'

const nodeRelease = '24.21.0'
const nodeMajor = 24

/** What Node looks for in itself to know that there is something in it. */
const fuse = 'NODE_SEA_FUSE_fce680ab2cc467b6e072b8b5df1996b2'

const folder = join(root, 'build')
const output = join(folder, 'compute-emulator')

if (process.platform !== 'linux') {
  console.error('the single executable is made on Linux, for Linux')
  process.exit(3)
}
mkdirSync(folder, { recursive: true })
run(process.execPath, [join(root, 'scripts', 'build.js'), '--quiet'])
await bundle(join(folder, 'main.cjs'))
const node = findNode()
assemble(node, prepare(node))
// To be passed on with it; Node's own archives and packages have it there.
const license = join(dirname(dirname(node)), 'LICENSE')
if (existsSync(license)) copyFileSync(license, join(folder, 'LICENSE.node'))
console.log(`build/compute-emulator ${Math.ceil(statSync(output).size / 2 ** 20)} MB`)

/** Node takes one script of CommonJS, and keeps it compiled. */
async function bundle(outfile) {
  await build({
    ...bundleOptions,
    entryPoints: [join(root, 'src', 'cli', 'main.ts')],
    outfile,
    write: true,
    format: 'cjs',
    target: `node${nodeMajor}`,
    // A compiled script cannot import, and has nothing that is not in it already.
    supported: { 'dynamic-import': false },
    banner: { js: `const programUrl = require('node:url').pathToFileURL(process.execPath).href;` },
    define: { ...bundleOptions.define, 'import.meta.url': 'programUrl' },
  })
}

/** @param {string} node */
function prepare(node) {
  const blob = join(folder, 'blob')
  const config = join(folder, 'config.json')
  const settings = {
    main: join(folder, 'main.cjs'),
    output: blob,
    disableExperimentalSEAWarning: true,
    useCodeCache: true,
    // The Docker client library reads addresses in a way that Node warns of outside of node_modules.
    execArgv: ['--disable-warning=DEP0169'],
    assets: assets(),
  }
  writeFileSync(config, JSON.stringify(settings))
  run(node, ['--experimental-sea-config', config])
  return blob
}

/** What `src/adapters/shipped.ts` finds in it, by path in the project. */
function assets() {
  const shipped = ['fixtures/scenarios', 'examples/fixtures'].flatMap(filesIn)
  const list = join(folder, 'files.json')
  writeFileSync(list, JSON.stringify(shipped))
  return {
    'fixtures.json': join(root, 'dist', 'fixtures.json'),
    'files.json': list,
    ...Object.fromEntries(shipped.map((path) => [path, join(root, path)])),
  }
}

/** @param {string} part of the project */
function filesIn(part) {
  const entries = readdirSync(join(root, part), { recursive: true, encoding: 'utf8' })
  const files = entries.filter((name) => statSync(join(root, part, name)).isFile())
  return files.sort().map((name) => `${part}/${name}`)
}

/** @param {string} node @param {string} blob */
function assemble(node, blob) {
  const draft = join(folder, 'executable')
  copyFileSync(node, draft)
  chmodSync(draft, 0o755)
  const postject = join(root, 'node_modules', 'postject', 'dist', 'cli.js')
  run(process.execPath, [postject, draft, 'NODE_SEA_BLOB', blob, '--sentinel-fuse', fuse])
  renameSync(draft, output)
}

/** @returns {string} */
function findNode() {
  if (Number(process.versions.node.split('.')[0]) >= nodeMajor) return process.execPath
  const name = `node-${process.platform}-${process.arch}`
  const place = join(folder, `node-${nodeRelease}`)
  const executable = join(place, 'node_modules', name, 'bin', 'node')
  const install = [
    'install',
    '--no-save',
    '--no-package-lock',
    '--ignore-scripts',
    '--prefix',
    place,
  ]
  if (!existsSync(executable)) run('npm', [...install, `${name}@${nodeRelease}`])
  return executable
}

/** Shows what a program said only where it failed. @param {string} command @param {string[]} args */
function run(command, args) {
  const { status, error, stdout, stderr } = spawnSync(command, args, { encoding: 'utf8' })
  if (status === 0) return
  console.error(`${command} ${args.join(' ')}\n${error?.message ?? `${stdout}${stderr}`}`)
  process.exit(1)
}
