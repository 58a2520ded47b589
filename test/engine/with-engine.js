/**
 * Runs a command beside a Docker engine, which ends with it:
 *
 *   node test/engine/with-engine.js docker info
 */
import { spawnSync } from 'node:child_process'
import { startEngine } from './engine.js'

const [command, ...args] = process.argv.slice(2)
const found = await startEngine()
if ('missing' in found || command === undefined) {
  console.error('missing' in found ? found.missing : 'say what to run')
  process.exit(1)
}
const { engine } = found
const { status } = spawnSync(command, args, { env: engine.environment, stdio: 'inherit' })
await engine.stop()
process.exit(status ?? 1)
