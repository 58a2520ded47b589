import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, test } from '@jest/globals'

const library = join(import.meta.dirname, '..', 'dist', 'index.js')

/**
 * In a process of its own, with the library as it is built: surfaces are loaded once in a process, and
 * from files, which takes a turn of the loop or more.
 */
const program = `
  const { createEmulator } = await import(${JSON.stringify(library)})
  const { emulator } = await createEmulator({ clock: 'auto', seed: '1' })
  const { main } = emulator
  const headers = { authorization: 'Bearer any-key', 'content-type': 'application/json' }
  const ask = (path, body) =>
    emulator.handle(emulator.route('POST', path), {
      ...{ method: 'POST', path, search: '', headers, origin: 'http://127.0.0.1:4300' },
      ...{ text: JSON.stringify(body), onHangUp() {} },
    })
  const pod = { name: 'new', image: 'a/b:1', cpu: { id: 'cpu3c', vcpuCount: 2 } }
  // The first loads what looks at bodies, and comes to rest.
  await ask('/v2/pods', pod)
  while (main.world.work.underWay) await new Promise(setImmediate)
  const created = await ask('/v2/pods', pod)
  const startedMs = main.world.nowMs
  const answered = await ask('/graphql', { query: '{ myself { pods { name } } }' })
  const { nowMs, work } = main.world
  const isComing = work.underWay
  while (work.underWay) await new Promise(setImmediate)
  console.log(JSON.stringify({
    statuses: [created.status, answered.status],
    skippedMs: nowMs - startedMs,
    isComing,
    goesOn: main.world.nowMs > startedMs,
  }))
  process.exit()
`

test('time does not skip ahead of a request whose surface is still being loaded', async () => {
  const args = ['--input-type=module', '-e', program]
  const { stdout } = await promisify(execFile)(process.execPath, args)
  expect(JSON.parse(stdout)).toEqual({
    statuses: [201, 200],
    skippedMs: 0,
    isComing: true,
    goesOn: true,
  })
})
