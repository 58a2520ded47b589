/** What callers may take at most: each bound is set low, and one caller goes beyond it. */
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { WebSocket } from 'ws'
import { type RunningEmulator, type StartOptions, startEmulator } from '../../src/index.ts'
import { balancerFixtures } from '../support/balancer.ts'
import { ask, readAll, readHead } from '../support/wire.ts'

let emulator: RunningEmulator
const start = async (bounds: StartOptions['bounds'], options: StartOptions = {}) => {
  emulator = await startEmulator({ clock: 'manual', ...options, bounds: bounds ?? {} })
}
afterEach(() => emulator.close())

const bearer = { authorization: 'Bearer any-key' }
const json = { ...bearer, 'content-type': 'application/json' }
const status = async (line: string, headers: object = bearer, body = '') =>
  (await ask(emulator.port, `${line} HTTP/1.1`, { ...headers }, body))?.status
const open = async (): Promise<Socket> => {
  const socket = connect(emulator.port, '127.0.0.1')
  await once(socket, 'connect')
  return socket
}
/** Sends a part of a request, and resolves to the status that it is answered with after all. */
const statusOfPart = async (part: string) => {
  const socket = await open()
  socket.write(part)
  return readHead(await readAll(socket))?.status
}
/** However the line is closed. */
const closed = (socket: Socket) =>
  new Promise<void>((resolve) => socket.on('error', () => {}).once('close', () => resolve()))
/** Lets the sockets have their turn until it is so. */
async function until(isSo: () => boolean): Promise<void> {
  while (!isSo()) await new Promise((resolve) => setImmediate(resolve))
}

test('an address that is too long is answered 414, on pages as elsewhere', async () => {
  await start({ urlBytes: 200 })
  expect(await status(`GET /v2/pods?x=${'x'.repeat(150)}`)).toBe(200)
  expect(await status(`GET /v2/pods?x=${'x'.repeat(200)}`)).toBe(414)
  expect(await status(`GET /console?x=${'x'.repeat(200)}`)).toBe(414)
})

test('headers that are too long are answered 431', async () => {
  await start({ headerBytes: 2_000 })
  expect(await status('GET /v2/pods', { ...bearer, 'x-long': 'x'.repeat(1_500) })).toBe(200)
  expect(await status('GET /v2/pods', { ...bearer, 'x-long': 'x'.repeat(2_500) })).toBe(431)
})

test('a body that is too large is answered 413, whatever its surface would take', async () => {
  await start({ bodyBytes: 1_000 })
  const body = (length: number) => JSON.stringify({ input: 'x'.repeat(length) })
  expect(await status('POST /v2/demo/run', json, body(900))).toBe(200)
  // Observed: the request address has its own words for it.
  expect(await status('POST /v2/demo/run', json, body(1_000))).toBe(400)
  expect(world().jobs.size).toBe(1)
  expect(await status('POST /graphql', json, body(1_000))).toBe(413)
  expect(await status('POST /_emulator/snapshots', json, body(1_000))).toBe(413)
})

test('values that lie too deep in a body are refused, in GraphQL too', async () => {
  await start({ jsonDepth: 20 })
  const nested = (depth: number) => `${'['.repeat(depth)}${']'.repeat(depth)}`
  expect(await status('POST /v2/demo/run', json, `{"input":${nested(19)}}`)).toBe(200)
  expect(await status('POST /v2/demo/run', json, `{"input":${nested(40)}}`)).toBe(400)
  const query = `{"query":"{ myself { id } }","variables":{"a":${nested(40)}}}`
  expect(await status('POST /graphql', json, query)).toBe(400)
})

test('a connection too many is hung up on, and there is room again when one ends', async () => {
  await start({ connections: 2 })
  const [first, second] = [await open(), await open()]
  expect(await readAll(await open())).toBe('')
  first.destroy()
  second.destroy()
  await until(() => first.closed && second.closed)
  await new Promise((resolve) => setImmediate(resolve))
  expect(await status('GET /v2/pods')).toBe(200)
})

test('a sender who does not come to the end of its headers is cut off', async () => {
  await start({ headerMs: 100 })
  expect(await statusOfPart('GET /v2/pods HTTP/1.1\r\nhost: localhost\r\n')).toBe(408)
  expect(await statusOfPart('')).toBe(408)
})

test('a sender who does not come to the end of its body is cut off', async () => {
  await start({ headerMs: 100, requestMs: 200 })
  const head = 'POST /v2/demo/run HTTP/1.1\r\nhost: localhost\r\nauthorization: Bearer x\r\n'
  expect(await statusOfPart(`${head}content-length: 100\r\n\r\n{"input":`)).toBe(408)
  expect(emulator.emulator.main.world.jobs.size).toBe(0)
})

test('a reader who takes nothing of its answer is cut off', async () => {
  await start({ replyMs: 200 })
  const input = JSON.stringify({ input: 'x'.repeat(8_000_000) })
  const run = await ask(emulator.port, 'POST /v2/demo/run HTTP/1.1', json, input)
  const { id } = JSON.parse(run?.body ?? '')
  await emulator.clock.advance('1m')
  const socket = await open()
  socket.pause()
  const lines = [`GET /v2/demo/status/${id} HTTP/1.1`, 'host: localhost', 'authorization: Bearer x']
  socket.write(`${lines.join('\r\n')}\r\n\r\n`)
  const gone = closed(socket)
  // Who does not read learns that the line is gone when it writes.
  const talk = setInterval(() => socket.write('\r\n'), 20)
  await gone
  clearInterval(talk)
  expect(socket.bytesRead).toBeLessThan(8_000_000)
})

test('a reader of a stream who lets too much lie is cut off', async () => {
  await start({ unreadBytes: 10_000 })
  const socket = await open()
  socket.pause()
  socket.write('GET /_emulator/timeline/follow?after=0 HTTP/1.1\r\nhost: localhost\r\n\r\n')
  await until(() => world().timeline.entryCount > 0)
  const gone = closed(socket)
  for (let turn = 0; turn < 200; turn++) {
    for (let n = 0; n < 50; n++) emulator.emulator.main.turn(() => fill())
    await new Promise((resolve) => setImmediate(resolve))
  }
  socket.resume()
  await gone
})

const world = () => emulator.emulator.main.world
const fill = () => void world().timeline.record('pod.updated', 'x'.repeat(10_000))

test('a stream too many is answered 503, and there is room again when one ends', async () => {
  await start({ streams: 1 })
  const follow = 'GET /_emulator/timeline/follow HTTP/1.1\r\nhost: localhost\r\n\r\n'
  const first = await open()
  first.write(follow)
  await once(first, 'data')
  expect(await status('GET /_emulator/timeline/follow')).toBe(503)
  expect(await status('GET /v2/pods')).toBe(200)
  first.destroy()
  await once(first, 'close')
  const second = await open()
  for (;;) {
    second.write(follow)
    const [part] = await once(second, 'data')
    if (String(part).startsWith('HTTP/1.1 200')) break
  }
  second.destroy()
})

describe('a WebSocket', () => {
  const balancer = balancerFixtures({
    handler: { routes: [{ path: '/socket', webSocket: 'echo' }] },
    endpoint: { workersMax: 1, idleTimeoutMs: 5_000 },
  })
  const socketTo = () =>
    new WebSocket(`ws://127.0.0.1:${emulator.port}/v2/e/socket`, { headers: bearer })

  async function openSocket(): Promise<WebSocket> {
    const socket = socketTo()
    const opened = once(socket, 'open')
    await until(() => world().requests.size > 0)
    await emulator.clock.advance('2s')
    await opened
    return socket
  }

  test('too many is answered 503', async () => {
    await start({ webSockets: 1 }, balancer)
    const first = await openSocket()
    const second = socketTo().on('error', () => {})
    const [, response] = await once(second, 'unexpected-response')
    expect(response.statusCode).toBe(503)
    first.terminate()
  })

  test('whose reader lets too much lie is cut off', async () => {
    await start({ unreadBytes: 10_000 }, balancer)
    const socket = await openSocket()
    const gone = new Promise<void>((resolve) => socket.once('close', () => resolve()))
    socket.on('error', () => {})
    socket.pause()
    const talk = setInterval(() => socket.send('x'.repeat(1_000_000)), 5)
    await until(() =>
      world()
        .requests.all()
        .every(({ status }) => status !== 'CONNECTED'),
    )
    clearInterval(talk)
    socket.resume()
    await gone
  })

  test('whose message is too large is closed with 1009, however it is cut into frames', async () => {
    await start({ messageBytes: 1_000 }, balancer)
    for (const parts of [[1_100], [600, 600]]) {
      const socket = await openSocket()
      const closed = once(socket, 'close')
      parts.forEach((size, index) => {
        socket.send('x'.repeat(size), { fin: index === parts.length - 1 })
      })
      expect((await closed)[0]).toBe(1009)
    }
  })
})
