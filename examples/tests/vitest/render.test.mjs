/** With vitest: `npx vitest run --root examples/tests/vitest`. */
import { useEmulator } from 'compute-emulator/testing'
import * as hooks from 'vitest'
import { render } from '../render.mjs'

const { expect, test } = hooks
const cloud = useEmulator({ seed: '1' }, hooks)

test('a picture is what the worker returns', async () => {
  expect(await render('a lighthouse')).toEqual({ prompt: 'a lighthouse' })
})

test('an hour passes in no time', async () => {
  const create = { name: 'mine', image: 'example/image:1', gpu: { id: 'NVIDIA L4' } }
  const made = await fetch('https://api.runpod.io/v2/pods', post(create))
  const { id } = await made.json()
  const began = cloud.clock.now()
  await cloud.clock.advance('1h')
  const pod = await (await fetch(`https://api.runpod.io/v2/pods/${id}`, withKey)).json()
  expect(pod.status).toEqual('RUNNING')
  expect(cloud.clock.now() - began).toEqual(3_600_000)
})

test('no test sees what another did', async () => {
  const health = await (await cloud.fetch('/v2/demo/health', withKey)).json()
  expect(health.jobs.completed).toBe(0)
})

test('a test cannot reach the cloud by mistake', async () => {
  await expect(fetch('https://console.runpod.io/')).rejects.toThrow('fetch failed')
})

const withKey = {
  headers: { authorization: 'Bearer test-key', 'content-type': 'application/json' },
}
const post = (body) => ({ ...withKey, method: 'POST', body: JSON.stringify(body) })
