/** A pod's and a job's way through the cloud, seen through REST v2 and the request address. */
import { startCloud } from './support/cloud.ts'

const pod = { name: 'p', image: 'example/image:1', gpu: { id: 'NVIDIA GeForce RTX 4090' } }

test('a pod is provisioned, starts and runs, each in its own time', async () => {
  const { post, get, advance, bugs } = await startCloud()
  const made = await post('/v2/pods', pod)
  expect(bugs).toEqual([])
  expect(made).toMatchObject({ status: 201, body: { status: 'PROVISIONING', runtime: null } })
  const path = `/v2/pods/${made.body.id}`
  await advance('10s')
  expect(await get(path)).toMatchObject({
    body: { status: 'RUNNING', actions: ['stop', 'restart', 'terminate'] },
  })
})

test('a job waits for its worker and comes back with its input', async () => {
  const { post, get, advance, bugs } = await startCloud()
  const { body: job } = await post('/v2/demo/run', { input: { prompt: 'hi' } })
  expect(job).toMatchObject({ status: 'IN_QUEUE' })
  await advance('5s')
  expect(bugs).toEqual([])
  expect(await get(`/v2/demo/status/${job.id}`)).toMatchObject({
    body: { status: 'COMPLETED', output: { prompt: 'hi' } },
  })
})
