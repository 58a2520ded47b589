/** The module of Testcontainers, in the hands of a test that uses it. */
import { join } from 'node:path'
import { freePort, image } from './container.js'
import { project, run } from './programs.js'

const user = join(project, 'test', 'ship', 'testcontainers-user.js')

/**
 * @param {import('./checks.js').Checks} checks
 * @param {import('../engine/engine.js').Engine} engine
 */
export async function checkTestcontainers({ check }, engine) {
  const env = {
    ...engine.environment,
    TEST_IMAGE: image,
    // Or it would look for a bridge, and for a container of its own to pull.
    TESTCONTAINERS_HOST_OVERRIDE: '127.0.0.1',
    TESTCONTAINERS_RYUK_DISABLED: 'true',
  }
  await check('a test starts, moves and resets an emulator through Testcontainers', () => {
    run(process.execPath, [user], { env })
  })
  await check('it does so on the network of the machine', async () => {
    run(process.execPath, [user], { env: { ...env, TEST_PORT: String(await freePort()) } })
  })
}
