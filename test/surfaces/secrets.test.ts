/** Secrets: written once, seen by containers, and by nobody else. */
import { environmentOf } from '../../src/domain/environment.ts'
import { createSecret } from '../../src/domain/secrets.ts'
import { type Cloud, startCloud } from '../support/cloud.ts'
import { beginWith } from '../support/start-state.ts'

const value = 'hf_very_secret'
const secret = { name: 'hf_token', value, description: 'for the model hub' }
const pod = {
  name: 'p',
  image: 'example/image:1',
  gpu: { id: 'NVIDIA GeForce RTX 4090' },
  env: { HF_TOKEN: '{{ RUNPOD_SECRET_hf_token }}', PLAIN: 'yes' },
}

test('a secret can be made, read without its value, described anew and deleted', async () => {
  const { post, get, patch, delete: remove, advance } = await startCloud()
  const made = await post('/v2/secrets', secret)
  expect(made).toMatchObject({
    status: 201,
    body: {
      name: 'hf_token',
      description: 'for the model hub',
      createdAt: '2026-01-01T00:00:00.000Z',
      valueLastUpdatedAt: null,
    },
  })
  const path = `/v2/secrets/${made.body.id}`
  await advance('1h')
  expect((await patch(path, { description: 'other' })).body).toMatchObject({
    description: 'other',
    valueLastUpdatedAt: null,
  })
  expect((await patch(path, { value: 'new' })).body).toMatchObject({
    description: 'other',
    valueLastUpdatedAt: '2026-01-01T01:00:00.000Z',
  })
  expect((await get('/v2/secrets')).body).toEqual({
    secrets: [(await get(path)).body],
    pagination: { nextCursor: null, hasNextPage: false },
  })
  expect((await remove(path)).status).toBe(204)
  expect((await get(path)).status).toBe(404)
  expect((await remove(path)).status).toBe(404)
})

test.each([
  ['a name that begins with a digit', { name: '1a' }],
  ['a name with a blank', { name: 'a b' }],
  ['a name that is the platform’s', { name: 'runPod_x' }],
  ['a name of 192 characters', { name: 'a'.repeat(192) }],
  ['no name', { name: undefined }],
  ['no value', { value: undefined }],
  ['a description of more than 65,535 bytes', { description: 'ä'.repeat(32_768) }],
  ['a field that is not there', { id: 'x' }],
])('a secret with %s is refused with 422, and its value is not said', async (_what, changes) => {
  const { post, world } = await startCloud()
  const reply = await post('/v2/secrets', { ...secret, ...changes })
  expect(reply.status).toBe(422)
  expect(reply.text).not.toContain(value)
  expect(world().secrets.size).toBe(0)
})

test('names with dots, dashes and slashes are names, and each is unique', async () => {
  const { post, world } = await startCloud()
  expect((await post('/v2/secrets', { ...secret, name: '_a.b-c/d' })).status).toBe(201)
  expect((await post('/v2/secrets', { ...secret, name: '_a.b-c/d' })).status).toBe(409)
  expect((await post('/v2/secrets', { ...secret, name: '_A.b-c/d' })).status).toBe(201)
  expect(world().secrets.size).toBe(2)
})

test('a secret cannot be renamed, nor changed by nothing', async () => {
  const { post, patch, get } = await startCloud()
  const path = `/v2/secrets/${(await post('/v2/secrets', secret)).body.id}`
  const before = (await get(path)).body
  expect((await patch(path, { name: 'other' })).status).toBe(422)
  expect((await patch(path, {})).status).toBe(422)
  expect((await patch(path, { value: 'x', description: 'ä'.repeat(32_768) })).status).toBe(422)
  expect((await get(path)).body).toEqual(before)
  expect((await patch('/v2/secrets/none', { value: 'x' })).status).toBe(404)
})

test('a value has at most 16,777,215 bytes', async () => {
  const { world } = await startCloud()
  expect(() => createSecret(world(), { ...secret, value: 'a'.repeat(16_777_216) })).toThrow()
  expect(world().secrets.size).toBe(0)
})

test('a container sees the value where its environment refers to it, and replies the reference', async () => {
  const cloud = await startCloud()
  await cloud.post('/v2/secrets', secret)
  const { body } = await cloud.post('/v2/pods', pod)
  expect(body.env).toEqual(pod.env)
  const { container } = cloud.world().pods.require(body.id).spec
  expect(environmentOf(cloud.world(), container)).toEqual({ HF_TOKEN: value, PLAIN: 'yes' })
})

test('a reference is found inside a text, without blanks, and twice; to no secret it stays', async () => {
  const { post, world } = await startCloud()
  await post('/v2/secrets', { ...secret, value: '$& {{RUNPOD_SECRET_hf_token}}' })
  const env = {
    URL: 'a:{{RUNPOD_SECRET_hf_token}}@b/{{  RUNPOD_SECRET_hf_token  }}',
    OTHER: '{{ RUNPOD_SECRET_none }}',
  }
  expect(environmentOf(world(), { env })).toEqual({
    URL: 'a:$& {{RUNPOD_SECRET_hf_token}}@b/$& {{RUNPOD_SECRET_hf_token}}',
    OTHER: '{{ RUNPOD_SECRET_none }}',
  })
})

test('a worker looks for its health where a secret says', async () => {
  const endpoint = {
    id: 'e',
    name: 'e',
    type: 'LOAD_BALANCER',
    container: { image: 'i', env: { HEALTH_CHECK_PATH: '/{{ RUNPOD_SECRET_path }}' } },
    gpuTypeIds: ['NVIDIA GeForce RTX 4090'],
    workersMin: 1,
  }
  const secrets = [{ id: 's', name: 'path', value: 'well' }]
  const { get, advance } = await startCloud(beginWith({ secrets, endpoints: [endpoint] }))
  await advance('5s')
  const answer = get('/v2/e/well')
  await advance('1s')
  expect(await answer).toMatchObject({ status: 200, body: { status: 'healthy' } })
})

test('no reply, log or timeline has the value', async () => {
  const cloud = await startCloud()
  const { body } = await cloud.post('/v2/secrets', secret)
  const made = await cloud.post('/v2/pods', pod)
  await cloud.post('/v2/templates', { name: 't', image: 'i', env: pod.env })
  await cloud.patch('/v2/serverless/demo', { env: pod.env })
  await cloud.post('/v2/demo/run', { input: 1 })
  await cloud.advance('3s')
  await cloud.patch(`/v2/secrets/${body.id}`, { description: 'other' })
  for (const text of await everything(cloud, made.body.id)) expect(text).not.toContain(value)
  const [shown = ''] = await readAll(cloud, [`/_emulator/pods/${made.body.id}/environment`])
  expect(JSON.parse(shown).environment).toMatchObject({
    HF_TOKEN: '********',
    PLAIN: 'yes',
    RUNPOD_POD_ID: made.body.id,
    RUNPOD_GPU_COUNT: '1',
  })
})

function everything(cloud: Cloud, podId: string): Promise<string[]> {
  const [worker] = cloud.world().queues.workersOf('demo')
  const v2 = ['secrets', 'pods', 'templates', 'serverless', 'serverless/demo/releases']
  return readAll(cloud, [
    ...v2.map((noun) => `/v2/${noun}`),
    `/v2/pods/${podId}/logs?tail=5000`,
    `/v2/serverless/demo/workers/${worker?.id}/logs?tail=5000`,
    ...['state', 'timeline', 'requests', 'pending'].map((noun) => `/_emulator/${noun}`),
    `/_emulator/pods/${podId}/environment`,
    '/v1/pods',
  ])
}

async function readAll({ get }: Cloud, paths: readonly string[]): Promise<string[]> {
  const texts: string[] = []
  for (const path of paths) {
    const { status, text } = await get(path)
    expect([path, status]).toEqual([path, 200])
    texts.push(text)
  }
  return texts
}
