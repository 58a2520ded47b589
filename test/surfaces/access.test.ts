/** Keys: who may do what, on the surfaces that take them. */
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { startCloud } from '../support/cloud.ts'
import { temporaryFolder } from '../support/folder.ts'

const keys = `
  - { key: full, access: all }
  - { key: reader, access: read-only }
  - { key: gone, access: revoked }
  - { key: partial, access: restricted, endpoints: { demo: READ_WRITE, demostream: READ } }
`

function fixtures(): string {
  const directory = temporaryFolder('fixtures')
  mkdirSync(join(directory, 'worlds'))
  const world = `
account: { id: user_keys, email: keys@example.com, balanceUsd: 100 }
keys: ${keys}
endpoints:
  - { id: demo, name: demo, container: { image: x }, gpuTypeIds: [NVIDIA GeForce RTX 4090] }
  - { id: demostream, name: s, container: { image: x }, gpuTypeIds: [NVIDIA GeForce RTX 4090] }
`
  writeFileSync(join(directory, 'worlds', 'keys.yaml'), world)
  return directory
}

const as = (key: string) => ({ authorization: `Bearer ${key}` })
const pod = { name: 'p', image: 'x', gpu: { id: 'NVIDIA GeForce RTX 4090' } }

test('a key that fixtures list has the rights that they give it', async () => {
  const { get, post } = await startCloud({ fixtures: [fixtures()], world: 'keys' })
  expect((await post('/v2/pods', pod, as('full'))).status).toBe(201)
  expect((await get('/v2/pods', as('reader'))).status).toBe(200)
  expect(await post('/v2/pods', pod, as('reader'))).toMatchObject({
    status: 403,
    body: { title: 'Forbidden', status: 403, detail: 'access denied' },
  })
  expect((await get('/v2/pods', as('gone'))).status).toBe(401)
})

test('a restricted key reaches its endpoints and nothing else', async () => {
  const { get, post, world } = await startCloud({ fixtures: [fixtures()], world: 'keys' })
  const submit = (endpoint: string) => post(`/v2/${endpoint}/run`, { input: 1 }, as('partial'))
  expect((await submit('demo')).status).toBe(200)
  expect((await submit('demostream')).status).toBe(403)
  expect((await get('/v2/demostream/health', as('partial'))).status).toBe(200)
  expect((await get('/v2/pods', as('partial'))).status).toBe(403)
  expect((await get('/v2/serverless/demo', as('partial'))).status).toBe(200)
  expect(world().jobs.size).toBe(1)
})

test('a key that may only read changes no keys, secrets or clusters', async () => {
  const { get, post, put, world } = await startCloud({ fixtures: [fixtures()], world: 'keys' })
  const reader = as('reader')
  const secret = { name: 'n', value: 'v' }
  expect((await post('/v2/secrets', secret, reader)).status).toBe(403)
  expect((await post('/v2/clusters', {}, reader)).status).toBe(403)
  expect((await post('/v2/registries/delegations', {}, reader)).status).toBe(403)
  expect((await put('/v2/account/ssh-keys', { keys: [] }, reader)).status).toBe(403)
  for (const noun of ['secrets', 'clusters', 'registries/delegations', 'account/ssh-keys']) {
    expect((await get(`/v2/${noun}`, reader)).status).toBe(200)
    expect((await get(`/v2/${noun}`, as('partial'))).status).toBe(403)
  }
  expect(world().secrets.size).toBe(0)
})

test('a restricted key reads the builds of its endpoints', async () => {
  const { get } = await startCloud({ fixtures: [fixtures()], world: 'keys' })
  expect((await get('/v2/serverless/demostream/builds', as('partial'))).status).toBe(200)
  expect((await get('/v2/serverless/other/builds', as('partial'))).status).toBe(403)
})

test('any other key opens the default world, unless access is strict', async () => {
  const open = await startCloud({ fixtures: [fixtures()], world: 'keys' })
  expect((await open.get('/v2/pods', as('whatever'))).status).toBe(200)
  const strict = await startCloud({ fixtures: [fixtures()], world: 'keys', auth: 'strict' })
  expect((await strict.get('/v2/pods', as('whatever'))).status).toBe(401)
  expect((await strict.get('/v2/pods', as('full'))).status).toBe(200)
})

test('isolated keys share nothing', async () => {
  const { get, post } = await startCloud({ isolate: true })
  const mine = await post('/v2/pods', pod, as('one'))
  expect((await get(`/v2/pods/${mine.body.id}`, as('one'))).status).toBe(200)
  expect((await get(`/v2/pods/${mine.body.id}`, as('two'))).status).toBe(404)
  expect((await post('/v2/pods', pod, as('two'))).body.id).toBe(mine.body.id)
})

test('the request address takes a key with and without Bearer, and needs one', async () => {
  const { get } = await startCloud()
  expect((await get('/v2/demo/health', { authorization: 'bare-key' })).status).toBe(200)
  expect(await get('/v2/demo/health', { authorization: undefined })).toMatchObject({
    status: 401,
    body: { status: 401, title: 'Unauthorized', detail: 'no token provided' },
  })
})

test('REST v2 takes the key from its header and from nowhere else', async () => {
  const { get } = await startCloud()
  expect((await get('/v2/pods?api_key=k', { authorization: undefined })).status).toBe(401)
  expect((await get('/v2/pods', { authorization: 'bare-key' })).status).toBe(401)
})
