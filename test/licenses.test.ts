/** The list of what the bundles contain of others is the one that they contain. */
import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'

const script = fileURLToPath(new URL('../scripts/licenses.js', import.meta.url))

test('LICENSES.md lists what the bundles contain, on terms that may be passed on', () => {
  const { status, stderr } = spawnSync(process.execPath, [script, '--check'], { encoding: 'utf8' })
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' })
})
