/** What REST v2 says to requests before it looks at what they are about. */
import request from 'supertest'
import { startEmulator } from '../../src/index.ts'
import { startCloud } from '../support/cloud.ts'

const pod = { name: 'mine', image: 'example/image:1', gpu: { id: 'NVIDIA GeForce RTX 4090' } }
const unprocessable = { title: 'Unprocessable Entity', status: 422 }

test('every reply has the number of its request in the log', async () => {
  const { get, emulator } = await startCloud()
  for (const path of ['/v2/pods', '/v2/pods/none', '/v2/pods/of/those/there', '/v2/clusters']) {
    const { headers } = await get(path)
    expect(headers['x-request-id']).toBe(String(emulator.requests.total))
  }
  expect((await get('/v1/pods')).headers['x-request-id']).toBeUndefined()
})

test('a request without a key is told so in the words of v2', async () => {
  const { get } = await startCloud({ limits: 'on' })
  const { status, headers, body } = await get('/v2/pods', { authorization: undefined })
  expect([status, body.detail]).toEqual([401, 'missing bearer token'])
  expect(headers.ratelimit).toBeUndefined()
})

test.each([
  ['cut off', '{"name": "mine", "ima', '$: the body is not JSON'],
  ['no JSON', 'name=mine', '$: the body is not JSON'],
  ['a list', '[]', '$: got array, want object'],
  ['null', 'null', '$: got null, want object'],
  [
    'deeply nested',
    `{"env":${'{"a":'.repeat(5_000)}1${'}'.repeat(5_001)}`,
    '$: values lie more than 1000 deep',
  ],
  ['nested in a list', `${'['.repeat(1_500)}${']'.repeat(1_500)}`, '$: values lie more than'],
  ['one with a name twice', '{"name":"a","image":"x","name":"b"}', "$: property 'name' is there"],
  [
    'one with a name twice inside',
    `{"name":"a","env":{"A":"{\\"","A":"2"}}`,
    "$.env: property 'A' is there twice",
  ],
  [
    'one with a name twice among texts with colons',
    '{"name":"a:b","image":"::","env":{"A":":::","A:":":","A":"b"}}',
    "$.env: property 'A' is there twice",
  ],
  [
    'one with an escaped name twice in a list',
    '{"cpu":[{},{"id":"x","\\u0069d":"y"}]}',
    "$.cpu[1]: property 'id' is there twice",
  ],
  [
    'one that names a prototype',
    '{"name":"a","image":"x","__proto__":{"locked":true}}',
    "$: property '__proto__' not allowed",
  ],
  [
    'one that names a prototype in its environment',
    '{"name":"a","image":"x","env":{"__proto__":"x"}}',
    "$.env: property '__proto__' not allowed",
  ],
])(
  'a body that is %s is refused by its fault, and nothing is stored',
  async (_what, text, fault) => {
    const { send, world, bugs } = await startCloud()
    const before = world().pods.size
    const reply = await send('POST', '/v2/pods', text)
    expect(reply).toMatchObject({ status: 422, body: unprocessable })
    expect(reply.body.errors[0]).toContain(fault)
    expect([world().pods.size, bugs]).toEqual([before, []])
  },
)

test('names of what every object has are fields like any other', async () => {
  const { post, get } = await startCloud()
  const env = { constructor: 'a', toString: 'b', prototype: 'c' }
  const { status, body } = await post('/v2/pods', { ...pod, env })
  expect(status).toBe(201)
  expect((await get(`/v2/pods/${body.id}`)).body.env).toEqual(env)
  const reply = await post('/v2/pods', { ...pod, constructor: 'x', hasOwnProperty: 1 })
  expect(reply.body.errors).toEqual([
    "$: additional properties 'constructor' not allowed",
    "$: additional properties 'hasOwnProperty' not allowed",
  ])
})

test('a body that lies deep is refused at every address, and the line stays up', async () => {
  const { send } = await startCloud()
  const input = `{"input":${'['.repeat(20_000)}${']'.repeat(20_000)}}`
  expect((await send('POST', '/v2/demo/run', input)).status).toBe(400)
})

test('what a wrong value is and should be is said as v2 says it', async () => {
  const { post } = await startCloud()
  const { body } = await post('/v2/pods', { ...pod, gpu: 'x', disk: 1.5, env: { A: 1 }, ports: {} })
  expect(body.errors).toEqual([
    '$.disk: got number, want integer',
    '$.ports: got object, want array',
    '$.env.A: got number, want string',
    '$.gpu: got string, want object',
  ])
})

test('rights are looked at before the body, and the body before what it is about', async () => {
  const { patch } = await startCloud()
  expect((await patch('/v2/pods/none', 'no JSON', { authorization: undefined })).status).toBe(401)
  expect((await patch('/v2/pods/none', 'no JSON')).status).toBe(422)
  expect((await patch('/v2/pods/none', { name: 'x' })).status).toBe(404)
})

test('an address leads where it led before, however many were called between', async () => {
  const { get, post, patch, delete: remove } = await startCloud()
  const { body } = await post('/v2/pods', pod)
  const path = `/v2/pods/${body.id}`
  expect((await get(path)).body.id).toBe(body.id)
  for (let index = 0; index < 600; index++) {
    expect((await get(`/v2/pods/none${index}`)).status).toBe(404)
  }
  expect((await get(path)).body.id).toBe(body.id)
  expect((await patch(path, { name: 'other' })).body.name).toBe('other')
  expect((await remove(path)).status).toBe(204)
  expect((await get(path)).status).toBe(404)
})

describe('on the wire', () => {
  const bearer = { authorization: 'Bearer any-key', 'content-type': 'application/json' }

  test.each(['plain', 'é', 'née ÿ', '日本 🙂'])('a pod called %s is shown so', async (name) => {
    const emulator = await startEmulator({ clock: 'manual', port: 0 })
    try {
      const post = request(emulator.url).post('/v2/pods').set(bearer)
      const made = await post.send({ ...pod, name })
      expect([made.status, made.body.name]).toEqual([201, name])
      const shown = await request(emulator.url).get(`/v2/pods/${made.body.id}`).set(bearer)
      expect(shown.body.name).toBe(name)
      expect(shown.headers['content-length']).toBe(String(Buffer.byteLength(shown.text)))
    } finally {
      await emulator.close()
    }
  })

  test('a body that is not UTF-8 is refused after the key was looked at', async () => {
    const emulator = await startEmulator({ clock: 'manual', port: 0 })
    const send = (headers: object) => {
      const body = Buffer.concat([
        Buffer.from('{"name":"'),
        Buffer.from([0xc3, 0x28]),
        Buffer.from('"}'),
      ])
      const post = request(emulator.url)
        .post('/v2/pods')
        .set({ ...bearer, ...headers })
      post.write(body.toString('latin1'), 'latin1')
      return post
    }
    try {
      const reply = await send({})
      expect(reply.body).toMatchObject({ ...unprocessable, errors: ['$: the body is not UTF-8'] })
      expect(reply.headers['x-request-id']).toBeDefined()
      expect((await send({ authorization: '' })).status).toBe(401)
    } finally {
      await emulator.close()
    }
  })
})

describe('calls of an account', () => {
  const state = (headers: Readonly<Record<string, string>>) => headers.ratelimit

  test('are counted in three windows, which every reply tells', async () => {
    const { get, post, advance } = await startCloud({ limits: 'on' })
    const first = await get('/v2/pods')
    expect(first.headers).toMatchObject({
      ratelimit: '"minute";r=59;t=60, "hour";r=2999;t=3600, "day";r=49999;t=86400',
      'ratelimit-policy': '"minute";q=60;w=60, "hour";q=3000;w=3600, "day";q=50000;w=86400',
    })
    await advance('12.5s')
    const refused = await post('/v2/pods', {})
    expect([refused.status, state(refused.headers)]).toEqual([
      422,
      '"minute";r=58;t=48, "hour";r=2998;t=3588, "day";r=49998;t=86388',
    ])
    expect(state((await get('/v2/demo/health')).headers)).toBeUndefined()
  })

  test('that are too many are refused until the window is over, and counted in none', async () => {
    const { get, post, advance, world } = await startCloud({ limits: 'on' })
    for (let call = 0; call < 60; call++) expect((await get('/v2/pods')).status).toBe(200)
    await advance('50s')
    const pods = world().pods.size
    const refused = await post('/v2/pods', pod)
    expect(refused).toMatchObject({
      status: 429,
      headers: {
        'content-type': 'application/problem+json',
        'retry-after': '10',
        ratelimit: '"minute";r=0;t=10, "hour";r=2940;t=3550, "day";r=49940;t=86350',
      },
      body: {
        title: 'Too Many Requests',
        status: 429,
        detail: 'rate limit exceeded for the minute window',
      },
    })
    expect(world().pods.size).toBe(pods)
    await advance('10s')
    expect(state((await get('/v2/pods')).headers)).toContain('"minute";r=59;t=60')
  })

  test('an hour that is used up is waited for, whatever the minute says', async () => {
    const { get, advance } = await startCloud({ limits: 'on' })
    for (let call = 0; call < 3_000; call++) {
      if (call % 60 === 0 && call > 0) await advance('1m')
      expect((await get('/v2/pods?limit=1')).status).toBe(200)
    }
    const refused = await get('/v2/pods')
    expect(refused.headers['retry-after']).toBe(String(3_600 - 49 * 60))
    expect(refused.body.detail).toBe('rate limit exceeded for the hour window')
  })

  test('are not counted where limits are off', async () => {
    const { get, world } = await startCloud()
    expect(state((await get('/v2/pods')).headers)).toBeUndefined()
    expect(world().rates.size).toBe(0)
  })
})
