/** The measurements in `core/`, bundled from the sources and run each in a process of its own. */
import { build } from 'esbuild'
import { bundleOptions } from '../scripts/bundle-options.js'
import { untilCalm } from './calm.js'
import { startNode } from './processes.js'

const names = ['day', 'heap', 'memory', 'pages', 'scenario', 'snapshot', 'timers']
/** @type {Promise<unknown> | undefined} */
let built

/** Once a run. */
export function buildCore() {
  built ??= build({
    absWorkingDir: import.meta.dirname,
    entryPoints: names.map((name) => `core/${name}.ts`),
    outdir: '.build',
    bundle: true,
    format: 'esm',
    platform: 'node',
    target: 'node20',
    loader: { '.graphql': 'text' },
    alias: bundleOptions.alias,
    sourcemap: true,
    logLevel: 'warning',
    banner: {
      js: [
        "import { createRequire as __createRequire } from 'node:module';",
        'const require = __createRequire(import.meta.url);',
      ].join(''),
    },
  })
  return built
}

/**
 * Resolves to what the measurement told, one value a line. Cores are free for it to choose: it
 * serves nobody.
 *
 * @param {string} name
 * @param {readonly string[]} args
 * @param {(text: string) => void} progress
 * @returns {Promise<any[]>}
 */
export async function runCore(name, args, progress) {
  await untilCalm('either', progress)
  const script = `${import.meta.dirname}/.build/${name}.js`
  const flags = ['--expose-gc', '--enable-source-maps']
  const child = startNode('all', [...flags, script, ...args], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  let text = ''
  child.stdout?.setEncoding('utf8').on('data', (part) => {
    text += part
    progress(part.trim())
  })
  return new Promise((resolve, reject) => {
    child.once('close', (code) => {
      if (code !== 0) reject(new Error(`${name} ended with ${code}`))
      else
        resolve(
          text
            .trim()
            .split('\n')
            .map((line) => JSON.parse(line)),
        )
    })
  })
}
