/**
 * Makes `dist/`: the command and the library as bundles that share their chunks, and the built-in
 * fixtures as one checked JSON file. Needs no type checker, so it runs before every start and test.
 */
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { basename, dirname, join, relative, sep } from 'node:path'
import { pathToFileURL } from 'node:url'
import { bundleOptions, root } from './bundle-options.js'

const dist = join(root, 'dist')
const quiet = process.argv.includes('--quiet')
const startedAt = performance.now()

/** What `start` loads, and everything else: a bundle of each, see `oneCore`. */
const command = { cli: 'src/cli/main.ts' }
const others = {
  'command-line': 'src/cli/command-line.ts',
  complete: 'src/cli/completion/complete.ts',
  index: 'src/index.ts',
  testing: 'src/testing.ts',
  testcontainers: 'src/testcontainers.ts',
}
/** What either has loaded before anything is loaded later. */
const commandCore = ['src/cli/start/run-start.ts', 'src/cli/start/start-options.ts']
const libraryCore = ['src/index.ts']

/** CommonJS dependencies ask for Node's own modules through `require`, which ES modules lack. */
const banner = [
  "import { createRequire as __createRequire } from 'node:module';",
  'const require = __createRequire(import.meta.url);',
].join('')

const esbuild = await import('esbuild').catch(() => {
  console.error('esbuild is not installed: run `npm install` first')
  process.exit(3)
})
// What is wrong with the sources, esbuild has printed already.
const [fixtures, ...bundled] = await Promise.all([
  checkFixtures(),
  bundle(command, [oneCore(commandCore), commandParts()]),
  bundle(others, [oneCore(libraryCore)]),
]).catch((error) => {
  if (error.errors === undefined) console.error(error)
  process.exit(1)
})
const bundles = bundled.flat()
const outputs = [...bundles, { path: join(dist, 'fixtures.json'), text: fixtures }]
for (const { path, text } of outputs) replaceFile(path, text)
// Before a start or test nothing is removed: an emulator that runs may yet load a chunk it knows.
if (!quiet) {
  removeStaleChunks()
  console.log(summary())
}

async function bundle(entryPoints, plugins) {
  const { outputFiles } = await esbuild.build({
    ...bundleOptions,
    entryPoints,
    plugins,
    outdir: dist,
    // Whoever tests with it has it.
    external: ['testcontainers'],
    splitting: true,
    chunkNames: 'chunks/[name]-[hash]',
    sourcemap: true,
    sourcesContent: false,
    banner: { js: banner },
  })
  const files = outputFiles.map(({ path, text }) => ({ path, text }))
  const trimmed = files.map(({ path, text }) => ({ path, text: trim(text, files) }))
  // Chunks come first, so that no entry asks for one that is not there yet.
  return trimmed.sort((left, right) => depth(right.path) - depth(left.path))
}

/**
 * Without the banner where nothing asks for `require`, and without imports of esbuild's own helpers
 * that take nothing from them, which are one file more on the way of a start. Lines and columns stay
 * where the source map has them.
 */
function trim(text, files) {
  const asked = text.includes('typeof require') || !text.startsWith(banner)
  const own = asked ? text : text.slice(banner.length)
  return own.replaceAll(/import"([^"]+)";/g, (whole, from) => {
    const chunk = files.find(({ path }) => basename(path) === basename(from))
    return chunk !== undefined && isHelpers(chunk.text) ? ' '.repeat(whole.length) : whole
  })
}

/** All that it exports are names of esbuild's. */
function isHelpers(text) {
  return /^var __/m.test(text) && /^(?!.*import).*export\{(__\w+,?)+\};?$/m.test(text)
}

/**
 * Keeps what is always loaded in one file. Modules are put into a chunk for each set of bundles that
 * need them; with everything that is loaded later asking for the core as a whole, which is there by
 * then, all of the core is in one set. Twenty chunks took a fifth of the start to find and to link.
 *
 * @param {readonly string[]} core  modules, by their paths in the project
 */
function oneCore(core) {
  const later = new Set()
  const imports = core.map((module) => `import ${JSON.stringify(join(root, module))}\n`).join('')
  return {
    name: 'one core',
    setup(build) {
      build.onResolve({ filter: /^\./ }, ({ kind, path, resolveDir }) => {
        if (kind === 'dynamic-import') later.add(join(resolveDir, path))
        return undefined
      })
      build.onLoad({ filter: /\.ts$/ }, ({ path }) => {
        if (!later.has(path)) return undefined
        return { contents: imports + readFileSync(path, 'utf8'), loader: 'ts' }
      })
    },
  }
}

/** What the command does not bundle itself. */
function commandParts() {
  return {
    name: 'command parts',
    setup(build) {
      // Its other build loads node:crypto for what is not used here: ids are drawn from the seed.
      build.onResolve({ filter: /^nanoid$/ }, () => ({
        path: join(root, 'node_modules/nanoid/index.browser.js'),
      }))
      build.onResolve({ filter: /^\.\/(command-line|completion\/complete)\.ts$/ }, ({ path }) => ({
        path: `./${basename(path, '.ts')}.js`,
        external: true,
      }))
    },
  }
}

function depth(path) {
  return path.split(sep).length
}

/** The loader itself reads and checks the built-in set, so both agree on what is right. */
async function checkFixtures() {
  const { outputFiles } = await esbuild.build({
    ...bundleOptions,
    stdin: {
      contents: `
        export { parseFixtures } from './src/adapters/fixtures/parse.ts'
        export { FixtureError } from './src/adapters/fixtures/problem.ts'`,
      resolveDir: root,
    },
    packages: 'external',
  })
  const loader = join(dist, `.loader-${process.pid}.js`)
  mkdirSync(dist, { recursive: true })
  writeFileSync(loader, outputFiles[0].contents)
  const { parseFixtures, FixtureError } = await import(pathToFileURL(loader).href).finally(() =>
    rmSync(loader),
  )
  try {
    return JSON.stringify(parseFixtures({ directories: [join(root, 'fixtures')] }))
  } catch (error) {
    if (!(error instanceof FixtureError)) throw error
    console.error(error.message)
    process.exit(2)
  }
}

/** By rename, and only when it changed: another process may be running what is there. */
function replaceFile(path, text) {
  if (existsSync(path) && readFileSync(path, 'utf8') === text) return
  mkdirSync(dirname(path), { recursive: true })
  const draft = `${path}.${process.pid}`
  writeFileSync(draft, text)
  renameSync(draft, path)
}

function removeStaleChunks() {
  const current = new Set(bundles.map(({ path }) => path))
  const chunks = join(dist, 'chunks')
  if (!existsSync(chunks)) return
  for (const name of readdirSync(chunks)) {
    const stale = /\.(js|map)$/.test(name) && !current.has(join(chunks, name))
    if (stale) rmSync(join(chunks, name), { force: true })
  }
}

function summary() {
  const code = outputs.filter(({ path }) => !path.endsWith('.map'))
  const top = code.filter(({ path }) => dirname(path) === dist)
  const chunks = code.filter(({ path }) => dirname(path) !== dist)
  const parts = top.map((file) => `${relative(dist, file.path)} ${kilobytes([file])}`)
  parts.push(`${chunks.length} chunks ${kilobytes(chunks)}`)
  return `dist: ${parts.join(', ')} in ${Math.round(performance.now() - startedAt)} ms`
}

function kilobytes(files) {
  const bytes = files.reduce((sum, { text }) => sum + Buffer.byteLength(text), 0)
  return `${Math.ceil(bytes / 1024)} KB`
}
