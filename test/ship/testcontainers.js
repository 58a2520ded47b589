/** The module of Testcontainers, in the hands of a test that uses it. */
import { join } from 'node:path'
import { freePort, image } from './container.js'
import { project, run } from './programs.js'

const user = join(project, 'test', 'ship', 'testcontainers-user.js')

/**
 * @param {import('./checks.js').Checks} checks
 * @param {import('../engine/engine.js').Engine} engine
 */
export async function checkTestcontainers({ check, skip }, engine) {
  await check('a test starts, moves and resets an emulator through Testcontainers', async () => {
    const env = { ...engine.environment, TEST_IMAGE: image }
    const hostNetwork = {
      TEST_PORT: String(await freePort()),
      // It would look for a bridge, and for a container of its own to pull.
      TESTCONTAINERS_HOST_OVERRIDE: '127.0.0.1',
      TESTCONTAINERS_RYUK_DISABLED: 'true',
    }
    run(process.execPath, [user], { env: engine.hasBridge ? env : { ...env, ...hostNetwork } })
  })
  if (!engine.hasBridge) skip('the same with a mapped port', 'the engine has no bridge')
}
