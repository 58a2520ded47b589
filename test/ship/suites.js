/** The helper for test suites: the examples that come with the package, by the runners they are for. */
import assert from 'node:assert/strict'
import { cpSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { run } from './programs.js'

const vitest = 'vitest@4.1.12'
/** Tests in each example. */
const count = 4

/**
 * In a folder that has the package and nothing of the project.
 *
 * @param {string} folder
 * @param {string} tarball
 * @param {import('./checks.js').Checks} checks
 */
export async function checkSuites(folder, tarball, { check, skip }) {
  const home = join(folder, 'suites')
  mkdirSync(home)
  writeFileSync(join(home, 'package.json'), '{"private": true, "type": "module"}')
  const install = (/** @type {string} */ what) =>
    run('npm', ['install', '--no-audit', '--no-fund', what], { cwd: home })
  install(tarball)
  const examples = join(home, 'node_modules', 'compute-emulator', 'examples', 'tests')
  cpSync(examples, join(home, 'tests'), { recursive: true })
  await check('a suite of node:test runs', () => {
    const said = run(process.execPath, ['--test', 'tests/node-test/render.test.mjs'], { cwd: home })
    assert.match(said, new RegExp(`^(# |ℹ )pass ${count}$`, 'm'))
  })
  try {
    install(vitest)
  } catch (error) {
    skip('a suite of vitest', `npm cannot get ${vitest}: ${error}`)
    return
  }
  await check('a suite of vitest runs', () => {
    const env = { ...process.env, NO_COLOR: '1' }
    const said = run('npx', ['vitest', 'run', '--root', 'tests/vitest'], { cwd: home, env })
    assert.match(said, new RegExp(`^ +Tests +${count} passed \\(${count}\\)$`, 'm'))
    return vitest
  })
}
