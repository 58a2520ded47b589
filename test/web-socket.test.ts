/** WebSockets to load-balancing endpoints, over real sockets. */
import { once } from 'node:events'
import { request } from 'node:http'
import { connect } from 'node:net'
import { WebSocket } from 'ws'
import { type RunningEmulator, type StartOptions, startEmulator } from '../src/index.ts'
import { balancerFixtures } from './support/balancer.ts'

const headers = { authorization: 'Bearer test-key' }
const balancer = balancerFixtures({
  handler: { routes: [{ path: '/socket', webSocket: 'echo' }, { path: '/plain' }] },
  endpoint: { workersMax: 1, idleTimeoutMs: 5_000 },
})

let emulator: RunningEmulator

async function start(options: StartOptions = {}): Promise<void> {
  emulator = await startEmulator({ ...balancer, clock: 'manual', ...options })
}

afterEach(() => emulator.close())

const world = () => emulator.emulator.main.world
const socketTo = (path: string, own: object = {}) =>
  new WebSocket(`ws://127.0.0.1:${emulator.port}${path}`, { headers: { ...headers, ...own } })

/** Lets the sockets have their turn until it is so. */
async function until(isSo: () => boolean): Promise<void> {
  while (!isSo()) await new Promise((resolve) => setImmediate(resolve))
}

/** Opens a line, with whatever cold start is before it. */
async function open(path = '/v2/e/socket', own: object = {}): Promise<WebSocket> {
  const socket = socketTo(path, own)
  const opened = once(socket, 'open')
  const connected = world().requests.size
  await until(() => world().requests.size > connected)
  await emulator.clock.advance('2s')
  await opened
  return socket
}

/** The status of an upgrade that is answered instead. */
async function refusalOf(socket: WebSocket): Promise<number | undefined> {
  socket.on('error', () => {})
  const [, response] = await once(socket, 'unexpected-response')
  response.resume()
  return response.statusCode
}

test('an upgrade is held through the cold start, and says which worker it got', async () => {
  await start()
  const socket = socketTo('/v2/e/socket')
  const upgraded = once(socket, 'upgrade')
  const opened = once(socket, 'open')
  await until(() => world().requests.size === 1)
  expect(world().requests.all()).toMatchObject([{ status: 'WAITING', upgrade: true }])
  expect(socket.readyState).toBe(WebSocket.CONNECTING)
  await emulator.clock.advance('2s')
  const [response] = await upgraded
  await opened
  const [worker] = world().queues.workersOf('e')
  expect(response.headers['x-runpod-worker-id']).toBe(worker?.id)
  expect(world().requests.all()).toMatchObject([{ status: 'CONNECTED' }])
})

test('messages come back as they were sent, texts and bytes', async () => {
  await start()
  const socket = await open()
  socket.send('grüße')
  const [text, textIsBinary] = await once(socket, 'message')
  expect([text.toString(), textIsBinary]).toEqual(['grüße', false])
  const bytes = Buffer.from([0, 255, 128, 10])
  socket.send(bytes)
  const [data, isBinary] = await once(socket, 'message')
  expect([data.equals(bytes), isBinary]).toEqual([true, true])
})

test('the endpoint’s own host name leads to the same worker', async () => {
  await start()
  const socket = await open('/socket', { host: 'e.localhost' })
  socket.send('hello')
  const [text] = await once(socket, 'message')
  expect(text.toString()).toBe('hello')
})

test('a line on which nobody speaks does not keep its worker, which takes it along', async () => {
  await start()
  const socket = await open()
  const closed = once(socket, 'close')
  await emulator.clock.advance('6s')
  const [code] = await closed
  expect(code).toBe(1001)
  expect(world().queues.workersOf('e')).toEqual([])
  expect(world().requests.size).toBe(0)
})

test('a line on which somebody speaks keeps its worker', async () => {
  await start()
  const socket = await open()
  for (let said = 0; said < 4; said += 1) {
    await emulator.clock.advance('3s')
    socket.send('still here')
    await once(socket, 'message')
  }
  expect(world().queues.workersOf('e')).toMatchObject([{ status: 'IDLE' }])
  expect(socket.readyState).toBe(WebSocket.OPEN)
})

test('a caller that closes its line is forgotten', async () => {
  await start()
  const socket = await open()
  socket.close()
  await once(socket, 'close')
  await until(() => world().requests.size === 0)
  expect(world().timeline.past.at(-1)).toMatchObject({ kind: 'request.abandoned' })
})

test('a caller that goes during the cold start is forgotten', async () => {
  await start()
  const socket = socketTo('/v2/e/socket')
  socket.on('error', () => {})
  await until(() => world().requests.size === 1)
  socket.terminate()
  await until(() => world().requests.size === 0)
  expect(emulator.clock.status().waitingCallers).toBe(0)
})

test('a path that takes no WebSockets gives its plain answer', async () => {
  await start()
  const plain = refusalOf(socketTo('/v2/e/plain'))
  const unknown = refusalOf(socketTo('/v2/e/nothing'))
  await until(() => world().requests.size === 2)
  await emulator.clock.advance('2s')
  expect([await plain, await unknown]).toEqual([200, 404])
})

test('a path that takes WebSockets tells a plain caller so', async () => {
  await start()
  const answer = fetch(`${emulator.url}/v2/e/socket`, { headers })
  await until(() => world().requests.size === 1)
  await emulator.clock.advance('2s')
  expect((await answer).status).toBe(426)
})

test('an upgrade that finds no worker in two minutes is refused', async () => {
  await start(balancerFixtures({ endpoint: { workersMax: 0 } }))
  const refusal = refusalOf(socketTo('/v2/e/socket'))
  await until(() => world().requests.size === 1)
  await emulator.clock.advance('2m')
  expect(await refusal).toBe(400)
})

test.each([
  ['an unknown Host', { host: 'attacker.test' }, 403],
  ['a page from elsewhere', { origin: 'https://attacker.test' }, 403],
  ['no key', { authorization: '' }, 401],
])('%s gets no line', async (_what, own, status) => {
  await start()
  expect(await refusalOf(socketTo('/v2/e/socket', own))).toBe(status)
  expect(world().requests.size).toBe(0)
})

test('an address that is nobody’s worker answers an upgrade as it does any request', async () => {
  await start()
  expect(await refusalOf(socketTo('/v2/pods'))).toBe(200)
  expect(await refusalOf(socketTo('/no/such/path'))).toBe(404)
})

test('a handshake that is none ends the line, and the worker’s side of it', async () => {
  await start()
  const socket = connect(emulator.port, '127.0.0.1')
  const lines = ['GET /v2/e/socket HTTP/1.1', 'Host: localhost', 'Authorization: Bearer k']
  socket.write([...lines, 'Connection: Upgrade', 'Upgrade: websocket', '', ''].join('\r\n'))
  await until(() => world().requests.size === 1)
  await emulator.clock.advance('2s')
  const [head] = await once(socket, 'data')
  expect(head.toString()).toMatch(/^HTTP\/1.1 400 /)
  await until(() => world().requests.size === 0)
})

test('a client that offers HTTP/2 with its request is answered as if it had not', async () => {
  await start()
  const offer = { connection: 'Upgrade, HTTP2-Settings', upgrade: 'h2c', 'http2-settings': 'AAMA' }
  const body = JSON.stringify({ input: 1 })
  const sent = request(`${emulator.url}/v2/other/run`, {
    method: 'POST',
    headers: { ...headers, ...offer, 'content-length': String(body.length) },
  })
  sent.end(body)
  const [response] = await once(sent, 'response')
  let text = ''
  for await (const part of response) text += part
  expect(JSON.parse(text)).toEqual({ error: 'not allowed for QB API' })
})

test('closing ends every line, open or held, in time', async () => {
  await start()
  const talking = await open()
  const held = socketTo('/v2/other/socket')
  const errors: unknown[] = []
  held.on('error', (error) => errors.push(error))
  await until(() => world().requests.size === 2)
  const closed = once(talking, 'close')
  const startedMs = performance.now()
  await emulator.close()
  expect(performance.now() - startedMs).toBeLessThan(200)
  await closed
  await until(() => held.readyState === WebSocket.CLOSED)
  expect(errors).toHaveLength(1)
})

test('a reset ends the lines of the world that was', async () => {
  await start()
  const socket = await open()
  const closed = once(socket, 'close')
  emulator.reset()
  const [code] = await closed
  expect(code).toBe(1001)
})
