/** The example of an app beside the emulator, as Compose runs it. */
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { installPackage } from '../engine/engine.js'
import { baseImage, freePort, image } from './container.js'
import { isRoot, project, run } from './programs.js'

const example = join(project, 'examples', 'compose')

/**
 * @param {import('./checks.js').Checks} checks
 * @param {import('../engine/engine.js').Engine} engine
 */
export async function checkCompose({ check, skip }, { environment }) {
  const found = findCompose(environment)
  if ('missing' in found) return skip('the example for Compose', found.missing)
  const [command = '', ...words] = found.command
  const env = {
    ...environment,
    COMPOSE_PROJECT_NAME: 'compute-emulator-test',
    EMULATOR_IMAGE: image,
    EMULATOR_PORT: String(await freePort()),
    APP_IMAGE: baseImage,
  }
  const compose = (/** @type {string[]} */ ...args) =>
    run(command, [...words, ...args], { cwd: example, env })
  try {
    await check('an app beside the emulator finds it by name, once it answers', () => {
      const said = compose('up', '--no-build', '--no-color', '--exit-code-from', 'app')
      assert.match(said, /status: 'COMPLETED'/)
    })
  } finally {
    compose('down', '--volumes')
  }
}

/**
 * @param {NodeJS.ProcessEnv} env
 * @returns {{ command: string[] } | { missing: string }}
 */
function findCompose(env) {
  const commands = [['docker', 'compose'], ['docker-compose']]
  const find = () =>
    commands.find(([name = '', ...words]) => {
      return spawnSync(name, [...words, 'version'], { env }).status === 0
    })
  const present = find()
  if (present !== undefined) return { command: present }
  if (!isRoot) return { missing: 'there is no Compose, and only root can install it' }
  const problem = installPackage('docker-compose')
  const command = find()
  return command === undefined ? { missing: problem ?? 'Compose does not run' } : { command }
}
