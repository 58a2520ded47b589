/** Faults of the connection, over sockets: reset, ended too early, stalled. */
import { once } from 'node:events'
import { connect } from 'node:net'
import { WebSocket } from 'ws'
import { type RunningEmulator, startEmulator } from '../src/emulator/start.ts'

let cloud: RunningEmulator

beforeEach(async () => {
  cloud = await startEmulator({ clock: 'auto' })
})
afterEach(() => cloud.close())

const headers = { authorization: 'Bearer key', 'content-type': 'application/json' }

async function fault(rule: object): Promise<void> {
  const request = { method: 'POST', headers, body: JSON.stringify(rule) }
  const { status } = await fetch(`${cloud.url}/_emulator/faults`, request)
  expect(status).toBe(201)
}

/** Everything that comes back on a line of its own, and how the line ended. */
async function rawGet(path: string): Promise<{ text: string; ended: 'end' | 'reset' }> {
  const socket = connect(cloud.port, '127.0.0.1')
  socket.write(`GET ${path} HTTP/1.1\r\nhost: localhost\r\nauthorization: Bearer key\r\n\r\n`)
  let text = ''
  socket.setEncoding('utf8').on('data', (part: string) => {
    text += part
  })
  const ended = await new Promise<'end' | 'reset'>((resolve) => {
    socket.once('end', () => resolve('end')).once('error', () => resolve('reset'))
  })
  socket.destroy()
  return { text, ended }
}

test('a connection is reset before any of the answer, and the pod is made when it is told so', async () => {
  await fault({ operation: 'v2.listPods', effect: { kind: 'reset' } })
  await fault({ operation: 'v2.createPod', effect: { kind: 'reset', happens: true } })
  expect(await rawGet('/v2/pods')).toEqual({ text: '', ended: 'reset' })
  const body = JSON.stringify({ name: 'p', image: 'x', gpu: { id: 'NVIDIA GeForce RTX 4090' } })
  await expect(fetch(`${cloud.url}/v2/pods`, { method: 'POST', headers, body })).rejects.toThrow()
  expect(cloud.emulator.main.world.pods.all().map(({ spec }) => spec.name)).toContain('p')
})

test('an answer ends within its body, and its reader can tell', async () => {
  await fault({ operation: 'v2.listPods', effect: { kind: 'truncate', bytes: 10 } })
  const { text, ended } = await rawGet('/v2/pods')
  const [head = '', body] = text.split('\r\n\r\n')
  expect(ended).toBe('end')
  expect(body).toBe('{"pods":[{')
  expect(Number(/content-length: (\d+)/i.exec(head)?.[1])).toBeGreaterThan(10)
  const response = await fetch(`${cloud.url}/v2/pods`, { headers })
  expect(response.status).toBe(200)
  await expect(response.text()).rejects.toThrow()
})

test('a stream of events ends within its body', async () => {
  await fault({ operation: 'v2.getPodLogs', effect: { kind: 'truncate', bytes: 5 } })
  const response = await fetch(`${cloud.url}/v2/pods/demopod/logs`, { headers })
  await expect(response.text()).rejects.toThrow()
})

test('an answer stalls within its body until its reader gives up', async () => {
  await fault({ operation: 'v2.listPods', effect: { kind: 'stall', bytes: 10 } })
  const stop = new AbortController()
  const response = await fetch(`${cloud.url}/v2/pods`, { headers, signal: stop.signal })
  const reader = (response.body as ReadableStream<Uint8Array>).getReader()
  const { value } = await reader.read()
  expect(Buffer.from(value as Uint8Array).toString()).toBe('{"pods":[{')
  const more = reader.read()
  const other = await fetch(`${cloud.url}/v2/demo/health`, { headers })
  expect(await Promise.race([more, other.text()])).toContain('jobs')
  stop.abort()
  await expect(more).rejects.toThrow()
})

test('a line for a WebSocket breaks instead of opening', async () => {
  await fault({ operation: 'jobs.proxyGET', effect: { kind: 'truncate', bytes: 0 } })
  const address = `${cloud.url.replace('http', 'ws')}/v2/demolb/socket`
  const socket = new WebSocket(address, { headers })
  const [error] = await once(socket, 'error')
  expect(error).toBeInstanceOf(Error)
  expect(cloud.emulator.main.world.requests.all()).toEqual([])
})
