/**
 * `npm run test:clients`: the emulator as it is shipped, with clients and workers as they are shipped.
 * Says what it left out and why; its last line is what CI counts.
 */
import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startEngine } from '../engine/engine.js'
import { environments, fixedClients, isPrepared, prepare, pythonOf } from './environments.js'

/** @type {Record<string, string>} */
const problems = prepare()
const found = await startEngine()
const engine = 'engine' in found ? found.engine : undefined
if ('missing' in found) problems.containers = found.missing
const folder = mkdtempSync(join(tmpdir(), 'clients-'))
const report = join(folder, 'report.json')
const jest = [
  '--experimental-vm-modules',
  '--disable-warning=ExperimentalWarning',
  'node_modules/jest/bin/jest.js',
  '--config=test/clients/jest.config.js',
  // They measure time, on however few cores there are.
  '--runInBand',
  '--json',
  `--outputFile=${report}`,
  ...process.argv.slice(2),
]
const { status } = spawnSync(process.execPath, jest, {
  stdio: ['inherit', 'ignore', 'inherit'],
  env: {
    ...(engine?.environment ?? process.env),
    TEST_CLIENTS_PYTHONS: pythonsOf(environments),
    TEST_CLIENTS_FIXED: pythonsOf(fixedClients),
    TEST_CLIENTS_ENGINE: engine === undefined ? '' : 'there',
  },
})
await engine?.stop()
for (const [name, why] of Object.entries(problems)) console.log(`skipped: ${name}: ${why}`)
const { numPassedTests = 0, numFailedTests = 0, numRuntimeErrorTestSuites = 0 } = read(report)
rmSync(folder, { recursive: true })
const failed = numFailedTests + numRuntimeErrorTestSuites
console.log(`${numPassedTests} passed, ${failed} failed`)
process.exit(failed > 0 || status !== 0 ? 1 : 0)

/**
 * Interpreters of those that could be made, by name.
 *
 * @param {Readonly<Record<string, string>>} wanted
 */
function pythonsOf(wanted) {
  const names = Object.keys(wanted).filter(isPrepared)
  return JSON.stringify(Object.fromEntries(names.map((name) => [name, pythonOf(name)])))
}

/** @param {string} file */
function read(file) {
  try {
    return JSON.parse(readFileSync(file, 'utf8'))
  } catch {
    // It did not get as far as a report: that is a failure, too.
    return { numRuntimeErrorTestSuites: 1 }
  }
}
