/** A test as somebody writes it who uses the module; its environment says where the engine is. */
import assert from 'node:assert/strict'
import { fileURLToPath } from 'node:url'
import { ComputeEmulatorContainer } from 'compute-emulator/testcontainers'
import { Network } from 'testcontainers'

const { TEST_IMAGE, TEST_PORT } = process.env
const examples = fileURLToPath(new URL('../../examples/fixtures', import.meta.url))

const container = new ComputeEmulatorContainer(TEST_IMAGE)
  .withStartOptions('--clock', 'manual', '--seed', '7', '--world', 'mine')
  .withFixtures(examples)
const network = TEST_PORT === undefined ? await new Network().start() : undefined
if (network === undefined) container.withHostNetwork(Number(TEST_PORT))
else container.withNetwork(network)

const cloud = await container.start()
try {
  const state = async () => (await fetch(`${cloud.url}/_emulator/state`)).json()
  assert.equal((await state()).now, '2026-01-01T00:00:00.000Z')
  await cloud.advance('1h30m')
  assert.equal((await state()).now, '2026-01-01T01:30:00.000Z')
  await cloud.reset('8')
  const { now, seed, endpoints } = await state()
  assert.deepEqual({ now, seed }, { now: '2026-01-01T00:00:00.000Z', seed: '8' })
  assert.ok(endpoints.length > 0)
  await assert.rejects(cloud.advance('soon'), /'soon' is not a span of time/)
} finally {
  await cloud.stop()
  await network?.stop()
}
