/** What a key with fewer rights may do through GraphQL. */
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { startCloud } from '../support/cloud.ts'
import { temporaryFolder } from '../support/folder.ts'
import { graphqlOf } from '../support/graphql.ts'

const endpoint = 'container: { image: x }, gpuTypeIds: [NVIDIA GeForce RTX 4090]'
const world = `
account: { id: user_keys, email: keys@example.com, balanceUsd: 100 }
keys:
  - { key: reader, access: read-only }
  - { key: one, access: restricted, endpoints: { mine: READ_WRITE } }
  - { key: gone, access: revoked }
networkVolumes: [{ id: vol, name: v, sizeGb: 10, dataCenterId: EU-RO-1 }]
endpoints:
  - { id: mine, name: mine, ${endpoint} }
  - { id: other, name: other, ${endpoint} }
`

async function askAs(key: string) {
  const directory = temporaryFolder('graphql-keys')
  mkdirSync(join(directory, 'worlds'))
  writeFileSync(join(directory, 'worlds', 'keys.yaml'), world)
  const { ask } = graphqlOf(await startCloud({ fixtures: [directory], world: 'keys' }))
  const headers = { authorization: `Bearer ${key}` }
  return (query: string) => ask(query, undefined, headers)
}

const save = (id: string) =>
  `mutation { saveEndpoint(input: {id: "${id}", name: "renamed"}) { name } }`

test('a key that may only read sees everything and is refused every change with 403', async () => {
  const ask = await askAs('reader')
  const read = await ask('{ myself { endpoints { id } networkVolumes { id } } }')
  expect(read.body.data.myself).toEqual({
    endpoints: [{ id: 'mine' }, { id: 'other' }],
    networkVolumes: [{ id: 'vol' }],
  })
  const { status, body } = await ask('mutation { deleteNetworkVolume(input: {id: "vol"}) }')
  expect(status).toBe(403)
  expect(body).toMatchObject({
    data: { deleteNetworkVolume: null },
    errors: [{ message: 'access denied', extensions: { code: 'FORBIDDEN' } }],
  })
  expect((await ask(save('mine'))).status).toBe(403)
})

test('a key for one endpoint sees and changes that one', async () => {
  const ask = await askAs('one')
  const { body } = await ask('{ myself { id endpoints { id } endpoint(id: "mine") { id } } }')
  expect(body.data.myself).toEqual({
    id: 'user_keys',
    endpoints: [{ id: 'mine' }],
    endpoint: { id: 'mine' },
  })
  expect((await ask(save('mine'))).body).toEqual({ data: { saveEndpoint: { name: 'renamed' } } })
})

test.each([
  ['read another', '{ myself { endpoint(id: "other") { id } } }'],
  ['change another', save('other')],
  ['make one', 'mutation { saveEndpoint(input: {name: "new", gpuIds: "ADA_24"}) { id } }'],
  ['list pods', '{ myself { pods { id } } }'],
  ['look for a pod', '{ pod(input: {podId: "x"}) { id } }'],
])('a key for one endpoint cannot %s', async (_what, query) => {
  const ask = await askAs('one')
  expect(await ask(query)).toMatchObject({ status: 403 })
})

test('keys are listed with what they may do, and none is shown', async () => {
  const ask = await askAs('a-key-that-nobody-listed')
  const query = '{ myself { apiKeys { id name permissions createdAt lastUsed } } }'
  const { status, body, text } = await ask(query)
  expect(status).toBe(200)
  const { apiKeys } = body.data.myself
  expect(apiKeys.map(({ permissions }: { permissions: string }) => permissions)).toEqual([
    ...['read-only', 'restricted', 'revoked'],
  ])
  expect(new Set(apiKeys.map(({ id }: { id: string }) => id)).size).toBe(3)
  for (const key of ['reader', 'one"', 'gone']) expect(text).not.toContain(key)
  const refused = await (await askAs('one'))(query)
  expect(refused).toMatchObject({ status: 403, body: { data: { myself: { apiKeys: null } } } })
})

test('a key that the world gave out, or the control API made known, is listed too', async () => {
  const cloud = await startCloud({ profile: 'instant' })
  const { ask, data } = graphqlOf(cloud)
  const anonymous = { authorization: undefined }
  const asked = await ask('mutation { createFlashAuthRequest { id } }', undefined, anonymous)
  await cloud.advance('1s')
  await cloud.put('/_emulator/keys', { key: 'made-known-to-all', access: 'read-only' })
  const { id } = asked.body.data.createFlashAuthRequest
  const taken = await ask(
    `{ flashAuthRequestStatus(flashAuthRequestId: "${id}") { apiKey } }`,
    undefined,
    anonymous,
  )
  const { apiKey } = taken.body.data.flashAuthRequestStatus
  const { myself } = await data('{ myself { apiKeys { name permissions } } }')
  expect(myself.apiKeys).toEqual([
    { name: 'made…-all', permissions: 'read-only' },
    { name: `${apiKey.slice(0, 4)}…${apiKey.slice(-4)}`, permissions: 'all' },
  ])
})

test('a world that somebody has alone has no keys of others', async () => {
  const cloud = await startCloud({ isolate: true })
  await cloud.put('/_emulator/keys', { key: 'opens-the-default-world', access: 'all' })
  const query = { query: '{ myself { apiKeys { permissions } } }' }
  const ask = async (key: string) =>
    (await cloud.post('/graphql', query, { authorization: `Bearer ${key}` })).body.data.myself
  expect(await ask('somebody-else')).toEqual({ apiKeys: [] })
  expect(await ask('opens-the-default-world')).toEqual({ apiKeys: [{ permissions: 'all' }] })
})

test('a key that was revoked opens nothing, not even what needs no key', async () => {
  const ask = await askAs('gone')
  expect(await ask('{ countryCodes }')).toMatchObject({ status: 401 })
})
