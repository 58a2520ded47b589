/** Load-balancing endpoints over real sockets: their host names, bytes, and streams both ways. */
import { once } from 'node:events'
import { Agent, type ClientRequest, type IncomingMessage, request } from 'node:http'
import { type RunningEmulator, startEmulator } from '../src/index.ts'
import { balancerFixtures } from './support/balancer.ts'

const headers = { authorization: 'Bearer test-key' }
const limit = 30 * 1_048_576
const story = { path: '/story', stream: ['one', 'two', 'three'], delayMs: 4_000 }
const events = { path: '/events', headers: { 'content-type': 'text/event-stream' }, stream: ['a'] }

let emulator: RunningEmulator
let agent: Agent
beforeAll(async () => {
  agent = new Agent({ keepAlive: true })
  const fixtures = balancerFixtures({
    handler: {
      routes: [{ path: '/echo', echo: true }, story, events, { path: '/*', body: 'own' }],
    },
    endpoint: { workersMin: 1 },
  })
  emulator = await startEmulator({ ...fixtures, clock: 'manual' })
})
afterAll(async () => {
  agent.destroy()
  await emulator.close()
})
beforeEach(async () => {
  emulator.reset()
  await emulator.clock.advance('5s')
})

const world = () => emulator.emulator.main.world

async function until(isSo: () => boolean): Promise<void> {
  while (!isSo()) await new Promise((resolve) => setImmediate(resolve))
}

/** A request under way, to an address of the endpoint's own unless it names another host. */
function send(path: string, own: object = {}, method = 'GET', by: Agent = agent): ClientRequest {
  const options = { host: '127.0.0.1', port: emulator.port, path, method, agent: by }
  return request({ ...options, headers: { ...headers, host: 'e.localhost', ...own } })
}

/** What a request that was sent in full is answered, after the worker's time. */
async function answerTo(sent: ClientRequest, body?: Uint8Array) {
  const received = world().timeline.entryCount
  let responded = false
  const response = once(sent, 'response').then(([message]) => {
    responded = true
    return message as IncomingMessage
  })
  sent.end(body)
  await until(() => responded || world().timeline.entryCount > received)
  await emulator.clock.advance('10s')
  const message = await response
  const parts: Buffer[] = []
  for await (const part of message) parts.push(part)
  return { status: message.statusCode, body: Buffer.concat(parts), headers: message.headers }
}

/** The beginning of an answer that takes longer. */
async function beginningOf(sent: ClientRequest): Promise<IncomingMessage> {
  sent.on('error', () => {})
  const responded = once(sent, 'response')
  await until(() => world().requests.size === 1)
  await emulator.clock.advance('1s')
  const [response] = (await responded) as [IncomingMessage]
  return response
}

describe('an endpoint’s own host name', () => {
  test.each([
    ['/generate'],
    ['/'],
    ['/console'],
    ['/v2/pods'],
    ['/_emulator/state'],
    ['/run'],
    ['/status/x'],
    ['/health'],
    ['/openai/v1/models'],
  ])('leads %s to the worker, whatever the platform has there', async (path) => {
    const answer = await answerTo(send(path))
    expect([answer.status, answer.body.toString()]).toEqual([200, 'own'])
    expect(answer.headers['x-runpod-worker-id']).toBe(world().queues.workersOf('e')[0]?.id)
  })

  test('answers the same under any name that is let in, with a port or without', async () => {
    for (const host of [`e.127.0.0.1:${emulator.port}`, 'E.LOCALHOST', 'e.localhost:1']) {
      expect((await answerTo(send('/x', { host }))).status).toBe(200)
    }
    expect((await answerTo(send('/x', { host: 'e.attacker.test' }))).status).toBe(403)
  })

  test('of no endpoint is the platform’s', async () => {
    expect((await answerTo(send('/v2/pods', { host: 'nobody.localhost' }))).status).toBe(200)
  })

  test('wants a key like any other', async () => {
    const answer = await answerTo(send('/x', { authorization: '' }))
    expect(answer.status).toBe(401)
    expect(JSON.parse(answer.body.toString())).toMatchObject({ detail: 'no token provided' })
  })
})

test('HEAD is answered without a body', async () => {
  const answer = await answerTo(send('/x', {}, 'HEAD'))
  expect([answer.status, answer.body.length]).toEqual([200, 0])
})

test('bytes that are no text come back as they were sent', async () => {
  const bytes = Buffer.from(Array.from({ length: 100_000 }, (_, index) => (index * 7) % 256))
  const answer = await answerTo(send('/echo', { 'content-type': 'image/png' }, 'PUT'), bytes)
  expect(answer.body.equals(bytes)).toBe(true)
  expect(answer.headers['content-type']).toBe('image/png')
})

test('a body may have 30 MB and not one byte more', async () => {
  const most = await answerTo(send('/echo', {}, 'POST'), Buffer.alloc(limit))
  expect([most.status, most.body.length]).toEqual([200, limit])
  const more = await answerTo(send('/x', {}, 'POST'), Buffer.alloc(limit + 1))
  expect(more.status).toBe(400)
  const chunked = { 'transfer-encoding': 'chunked' }
  const unannounced = await answerTo(send('/x', chunked, 'POST'), Buffer.alloc(limit + 1))
  expect(unannounced.status).toBe(400)
  expect(world().requests.size).toBe(0)
})

test('a body that grows too large after its answer began breaks that answer off', async () => {
  const sent = send('/echo', { 'transfer-encoding': 'chunked' }, 'POST')
  sent.write('one')
  const response = await beginningOf(sent)
  const failed = once(response.resume(), 'error')
  sent.write(Buffer.alloc(limit))
  await failed
  expect(response.complete).toBe(false)
})

test('a body that the worker has no use for does not hold up what comes after it', async () => {
  const one = new Agent({ keepAlive: true, maxSockets: 1 })
  const body = Buffer.alloc(1_000_000)
  for (const path of ['/story', '/x', '/story']) {
    expect((await answerTo(send(path, {}, 'POST', one), body)).status).toBe(200)
  }
  one.destroy()
})

test('the answer to a body begins before the body ends', async () => {
  const sent = send('/echo', { 'transfer-encoding': 'chunked' }, 'POST')
  sent.write('one')
  const response = await beginningOf(sent)
  expect((await once(response, 'data')).toString()).toBe('one')
  sent.write('two')
  expect((await once(response, 'data')).toString()).toBe('two')
  sent.end()
  await once(response, 'end')
})

test('parts of an answer come when the worker has them', async () => {
  const response = await beginningOf(send('/story').end())
  expect((await once(response, 'data')).toString()).toBe('one')
  const second = once(response, 'data')
  await emulator.clock.advance('1s')
  expect((await second).toString()).toBe('two')
  const ended = once(response.resume(), 'end')
  await emulator.clock.advance('2s')
  await ended
  expect(response.complete).toBe(true)
})

test('an answer whose worker goes is cut, so that nobody takes it for the whole', async () => {
  const response = await beginningOf(send('/story').end())
  const failed = once(response.resume(), 'error')
  const removal = { host: `localhost:${emulator.port}` }
  await answerTo(send('/v2/serverless/e', removal, 'DELETE'))
  await failed
  expect(response.complete).toBe(false)
})

test('a reader that goes leaves its worker free', async () => {
  const sent = send('/story').end()
  const response = await beginningOf(sent)
  response.on('error', () => {})
  sent.destroy()
  await until(() => world().requests.size === 0)
  expect(world().queues.workersOf('e')).toMatchObject([{ status: 'IDLE', requestsInFlight: 0 }])
})

test('nothing is added to a worker’s own events', async () => {
  const answer = await answerTo(send('/events'))
  expect(answer.headers['content-type']).toBe('text/event-stream')
  expect(answer.body.toString()).toBe('a')
})

test('a clock that jumps brings a cold worker up for a caller, and its answer', async () => {
  const fixtures = balancerFixtures({ handler: { routes: [{ path: '/*', body: 'own' }] } })
  const jumping = await startEmulator({ ...fixtures, clock: 'auto', profile: 'realistic' })
  const answer = await fetch(`${jumping.url}/v2/e/anything`, { headers })
  expect([answer.status, await answer.text()]).toEqual([200, 'own'])
  await jumping.close()
})
