/** With Node's own runner: `node --test examples/tests/node-test`. */
import assert from 'node:assert/strict'
import * as hooks from 'node:test'
import { useEmulator } from 'compute-emulator/testing'
import { render } from '../render.mjs'

const cloud = useEmulator({ seed: '1' }, hooks)

hooks.test('a picture is what the worker returns', async () => {
  assert.deepEqual(await render('a lighthouse'), { prompt: 'a lighthouse' })
})

hooks.test('an hour passes in no time', async () => {
  const create = { name: 'mine', image: 'example/image:1', gpu: { id: 'NVIDIA L4' } }
  const made = await fetch('https://api.runpod.io/v2/pods', post(create))
  const { id } = await made.json()
  const began = cloud.clock.now()
  await cloud.clock.advance('1h')
  const pod = await (await fetch(`https://api.runpod.io/v2/pods/${id}`, withKey)).json()
  assert.deepEqual(pod.status, 'RUNNING')
  assert.deepEqual(cloud.clock.now() - began, 3_600_000)
})

hooks.test('no test sees what another did', async () => {
  const health = await (await cloud.fetch('/v2/demo/health', withKey)).json()
  assert.equal(health.jobs.completed, 0)
})

hooks.test('a test cannot reach the cloud by mistake', async () => {
  await assert.rejects(
    fetch('https://console.runpod.io/'),
    ({ cause }) => cause.code === 'ERR_CLOUD_CALL',
  )
})

const withKey = {
  headers: { authorization: 'Bearer test-key', 'content-type': 'application/json' },
}
const post = (body) => ({ ...withKey, method: 'POST', body: JSON.stringify(body) })
