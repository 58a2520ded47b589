/** The platform's public endpoints: everybody may call them, and they are in nobody's list. */
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { startCloud } from '../support/cloud.ts'
import { temporaryFolder } from '../support/folder.ts'
import { graphqlOf } from '../support/graphql.ts'

test('a text model answers with its tokens and their cost, under an id of its own form', async () => {
  const { post, advance } = await startCloud()
  await post('/v2/demo/run', { input: 1 })
  const answer = post('/v2/qwen3-32b-awq/runsync', { input: { prompt: 'How are you?' } })
  await advance('5s')
  const { body } = await answer
  expect(body).toMatchObject({
    id: expect.stringMatching(/^sync-[0-9a-f-]{36}-u2$/),
    status: 'COMPLETED',
    output: [
      {
        choices: [{ tokens: ['A fixture, not a model, answers: How are you?'] }],
        usage: { input: 3, output: 9 },
        cost: 0.00012,
      },
    ],
  })
})

test('an image model answers after its time with an address and a cost', async () => {
  const { post, get, advance } = await startCloud()
  const { body } = await post('/v2/flux-1-dev/run', { input: { prompt: 'a boat' } })
  expect(body.id).toMatch(/-u2$/)
  await advance('10s')
  expect((await get(`/v2/flux-1-dev/status/${body.id}`)).body).toMatchObject({
    status: 'COMPLETED',
    executionTime: 2_000,
    output: { image_url: expect.stringMatching(/^https:/), cost: 0.02 },
  })
})

test('a public text model speaks as OpenAI does, too', async () => {
  const { post, advance } = await startCloud()
  const answer = post('/v2/qwen3-32b-awq/openai/v1/chat/completions', {
    messages: [{ role: 'user', content: 'hi' }],
  })
  await advance('5s')
  expect((await answer).body.choices[0].message.content).toMatch(/: hi$/)
})

test('no account lists, shows, changes or deletes one', async () => {
  const cloud = await startCloud()
  const { get, patch, delete: remove } = cloud
  const lists = [(await get('/v1/endpoints')).text, (await get('/v2/serverless')).text]
  lists.push(JSON.stringify(await graphqlOf(cloud).data('{ myself { endpoints { id } } }')))
  for (const list of lists) {
    expect(list).toContain('demollm')
    expect(list).not.toContain('flux-1-dev')
  }
  for (const path of ['/v1/endpoints/flux-1-dev', '/v2/serverless/flux-1-dev']) {
    expect((await get(path)).status).toBe(404)
    expect((await patch(path, { name: 'mine' })).status).toBe(404)
    expect((await remove(path)).status).toBe(404)
  }
  expect((await get('/v2/flux-1-dev/health')).status).toBe(200)
})

test('a key that is restricted to other endpoints may call one, and a read-only one may look', async () => {
  const directory = temporaryFolder('public')
  mkdirSync(join(directory, 'worlds'))
  writeFileSync(
    join(directory, 'worlds', 'default.yaml'),
    `account: { id: u, email: a@b.example, balanceUsd: 1000 }
keys:
  - { key: partial, access: restricted, endpoints: {} }
  - { key: reader, access: read-only }
endpoints:
  - id: everybodys
    name: p
    public: true
    container: { image: x }
    gpuTypeIds: [NVIDIA GeForce RTX 4090]
`,
  )
  const { get, post } = await startCloud({ fixtures: [directory], auth: 'strict' })
  const as = (key: string) => ({ authorization: `Bearer ${key}` })
  const submit = (key: string) => post('/v2/everybodys/run', { input: 1 }, as(key))
  expect((await submit('partial')).status).toBe(200)
  expect((await submit('reader')).status).toBe(403)
  expect((await get('/v2/everybodys/health', as('reader'))).status).toBe(200)
  expect((await submit('stranger')).status).toBe(401)
})

test('one that nobody used for weeks still answers', async () => {
  const { post, advance } = await startCloud()
  await advance('480h')
  const answer = post('/v2/flux-1-dev/runsync', { input: { prompt: 'a boat' } })
  await advance('10s')
  expect((await answer).body.status).toBe('COMPLETED')
})
