/** Logs of pods and workers as events: what is sent at once, what follows, and when it ends. */
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { jest } from '@jest/globals'
import { createWrite } from '../../src/adapters/http/write-reply.ts'
import { defaultBounds } from '../../src/model/bounds.ts'
import { type Cloud, startCloud, testKey } from '../support/cloud.ts'

interface Event {
  readonly id: string
  readonly source: string
  readonly line: string
  readonly ts: string
}

function eventsOf(text: string): Event[] {
  return [...text.matchAll(/^id: (.*)\ndata: (.*)\n\n/gm)].map(([, id = '', data = '']) => ({
    id,
    ...JSON.parse(data),
  }))
}

const linesOf = (text: string) => eventsOf(text).map(({ line }) => line)

/** A reader who stays: what it has got so far, and whether it was told that this was all. */
async function follow({ emulator }: Cloud, path: string, search = '') {
  const wire = {
    method: 'GET',
    path,
    search,
    headers: testKey,
    origin: '',
    text: undefined,
    onHangUp: () => {},
  }
  const reply = await emulator.handle(emulator.route('GET', path), wire)
  const parts: string[] = []
  const reader = { lines: () => linesOf(parts.join('')), ended: false, hangUp: () => {} }
  const stop = reply.stream?.({
    write: (part) => void parts.push(String(part)),
    end: () => {
      reader.ended = true
    },
  })
  return Object.assign(reader, { hangUp: stop ?? reader.hangUp })
}

const log = '/v2/pods/demopod/logs'
const act = (cloud: Cloud, action: string) => cloud.post('/v2/pods/demopod/action', { action })

test('a stream of events is sent as one that no proxy may hold back', async () => {
  const { get } = await startCloud()
  const { status, headers } = await get(log)
  expect(status).toBe(200)
  expect(headers).toMatchObject({
    'content-type': 'text/event-stream',
    'cache-control': 'no-cache',
    connection: 'keep-alive',
    'x-accel-buffering': 'no',
  })
})

test('an event has its instant and number as its id, and the line as JSON', async () => {
  const cloud = await startCloud()
  await cloud.advance('5s')
  const events = eventsOf((await cloud.get(log)).text)
  expect(events.map(({ source }) => source)).toEqual(['system', 'system', 'container'])
  for (const [index, { id, ts }] of events.entries()) {
    expect(id).toBe(`${ts}/${String(index + 1).padStart(12, '0')}`)
    expect(new Date(ts).toISOString()).toBe(ts)
  }
})

test('a reader gets each new line, also across a stop, until the pod is gone', async () => {
  const cloud = await startCloud()
  await cloud.advance('5s')
  const reader = await follow(cloud, log, 'tail=0')
  expect(reader.lines()).toEqual([])
  await act(cloud, 'stop')
  expect([reader.lines(), reader.ended]).toEqual([['stop container demopod'], false])
  await act(cloud, 'start')
  await cloud.advance('5s')
  expect(reader.lines().slice(1)).toEqual([
    'start container for example/workspace:1.0: begin',
    'demo pod is ready',
  ])
  expect(reader.ended).toBe(false)
  await act(cloud, 'terminate')
  expect(reader.ended).toBe(true)
  expect((await cloud.get(log)).status).toBe(404)
})

test('a reader of one source gets no line of the other, then or later', async () => {
  const cloud = await startCloud()
  const container = await follow(cloud, log, 'source=container')
  const system = await follow(cloud, log, 'source=system')
  const both = await follow(cloud, log)
  await cloud.advance('5s')
  expect(container.lines()).toEqual(['demo pod is ready'])
  expect(system.lines()).toHaveLength(2)
  expect(both.lines()).toHaveLength(3)
})

test('a reader who hung up is not written to', async () => {
  const cloud = await startCloud()
  const reader = await follow(cloud, log, 'tail=0')
  reader.hangUp()
  await cloud.advance('5s')
  expect(reader.lines()).toEqual([])
})

test('a log is taken up where it was left: by event id before instant, by instant before count', async () => {
  const cloud = await startCloud()
  await cloud.advance('5s')
  const [first, second, third] = eventsOf((await cloud.get(log)).text)
  const lines = async (search: string, id?: string) =>
    linesOf((await cloud.get(`${log}?${search}`, { 'last-event-id': id })).text)
  const [one, two, three] = [first?.line, second?.line, third?.line]
  expect(await lines('tail=2')).toEqual([two, three])
  expect(await lines(`since=${second?.ts}&tail=1`)).toEqual([two, three])
  expect(await lines(`since=${first?.ts}&tail=0`, second?.id)).toEqual([three])
  expect(await lines('', first?.ts)).toEqual([two, three])
  const plus = encodeURIComponent('2020-01-01T00:00:00+02:00')
  expect(await lines(`since=${plus}&source=system`)).toEqual([one, two])
})

test.each([
  ['tail=-1'],
  ['tail=5001'],
  ['tail=some'],
  ['source=kernel'],
  ['since=yesterday'],
  ['since=2026-01-01'],
])('a log asked for with %s is refused', async (search) => {
  const { get } = await startCloud()
  expect(await get(`${log}?${search}`)).toMatchObject({
    status: 422,
    headers: { 'content-type': 'application/problem+json' },
    body: { errors: [expect.stringContaining(`$.${search.split('=')[0]}`)] },
  })
})

test.each(['yesterday', '2026-01-01T00:00:00Z/abc', '/1'])(
  'an event id that is %s is refused',
  async (id) => {
    const { get } = await startCloud()
    expect((await get(log, { 'last-event-id': id })).status).toBe(422)
  },
)

test("a worker's log is open until the worker goes, and known to its own endpoint only", async () => {
  const cloud = await startCloud()
  const job = { input: { mock_logs: [{ level: 'info', message: 'hello' }] } }
  await cloud.post('/v2/demo/run', job)
  await cloud.advance('1s')
  const [worker] = (await cloud.get('/v2/serverless/demo/workers')).body.workers
  const path = `workers/${worker.id}/logs`
  const reader = await follow(cloud, `/v2/serverless/demo/${path}`, 'source=container')
  expect(reader.lines().join()).toContain('info | hello')
  expect((await cloud.get(`/v2/serverless/demostream/${path}`)).status).toBe(404)
  await cloud.advance('1m')
  expect(reader.ended).toBe(true)
  expect((await cloud.get(`/v2/serverless/demo/${path}`)).status).toBe(404)
})

test('on the wire, a silent log says every 15 seconds that the line is still up', async () => {
  jest.useFakeTimers({
    doNotFake: [
      'Date',
      'hrtime',
      'nextTick',
      'performance',
      'queueMicrotask',
      'setImmediate',
      'clearImmediate',
      'setTimeout',
      'clearTimeout',
    ],
  })
  const headers = { 'content-type': 'text/event-stream' }
  const stream = () => () => {}
  const server = createServer((_request, response) => {
    createWrite(defaultBounds)(response, { status: 200, headers, stream })
    jest.advanceTimersByTime(30_000)
  })
  await new Promise<void>((resolve) => server.listen(0, resolve))
  try {
    const { port } = server.address() as AddressInfo
    const { body } = await fetch(`http://127.0.0.1:${port}`)
    const reader = body?.getReader()
    let text = ''
    while (text.length < 28) text += Buffer.from((await reader?.read())?.value ?? []).toString()
    expect(text).toBe(': keep-alive\n\n: keep-alive\n\n')
    await reader?.cancel()
  } finally {
    jest.useRealTimers()
    server.closeAllConnections()
    server.close()
  }
})
