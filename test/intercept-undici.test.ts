/** npm undici while the cloud is intercepted: requests, forms, WebSockets, and both forms of handlers. */
import { FormData, request, WebSocket } from 'undici'
import { createHostGuard } from '../src/adapters/http/host-guard.ts'
import { createMemoryDispatcher } from '../src/adapters/intercept/dispatcher.ts'
import { serveInMemory } from '../src/adapters/memory/memory-server.ts'
import { createEmulator, type EmbeddedEmulator, type EmbedOptions } from '../src/index.ts'
import { balancerFixtures } from './support/balancer.ts'

const headers = { authorization: 'Bearer test-key', 'content-type': 'application/json' }
const url = 'https://api.runpod.ai/v2/demo/runsync'
const body = JSON.stringify({ input: { prompt: 'hello' } })

let cloud: EmbeddedEmulator
const start = async (options: EmbedOptions = {}) => {
  cloud = await createEmulator({ clock: 'auto', ...options })
  cloud.intercept()
}
afterEach(() => cloud.close())

test('a request is answered, with its headers and its body', async () => {
  await start()
  const answer = await request(url, { method: 'POST', headers, body })
  expect([answer.statusCode, answer.headers['content-type']]).toEqual([200, 'application/json'])
  expect(await answer.body.json()).toMatchObject({ status: 'COMPLETED' })
})

test('headers come as a list, and the query apart from the path', async () => {
  await start()
  const list = Object.entries(headers).flat()
  const address = 'https://api.runpod.io/v2/pods'
  const answer = await request(address, { headers: list, query: { limit: 1 } })
  expect(await answer.body.json()).toMatchObject({ pods: [{ id: 'demopod' }] })
  const wrong = await request(address, { headers: list, query: { limit: 'many' } })
  expect(wrong.statusCode).toBe(422)
  await wrong.body.dump()
})

test('a reader that is slow gets all of it', async () => {
  await start()
  const prompt = 'x'.repeat(2_000_000)
  const big = JSON.stringify({ input: { prompt } })
  const answer = await request(url, { method: 'POST', headers, body: big })
  const parts: Buffer[] = []
  for await (const part of answer.body) {
    parts.push(part)
    await new Promise((resolve) => setImmediate(resolve))
  }
  expect(JSON.parse(Buffer.concat(parts).toString()).output).toEqual({ prompt })
})

test('a form arrives as a form', async () => {
  await start({ ...balancerFixtures({ handler: { routes: [{ path: '/form', echo: true }] } }) })
  const form = new FormData()
  form.set('name', 'value')
  const { authorization } = headers
  const address = 'https://e.api.runpod.ai/form'
  const answer = await request(address, { method: 'POST', headers: { authorization }, body: form })
  expect(answer.statusCode).toBe(200)
  expect(await answer.body.text()).toMatch(/name="name"\s+value/)
})

test('a WebSocket opens, and says what it is told', async () => {
  const routes = [{ path: '/socket', webSocket: 'echo' }]
  await start({ ...balancerFixtures({ handler: { routes } }) })
  const { authorization } = headers
  const socket = new WebSocket('wss://e.api.runpod.ai/socket', { headers: { authorization } })
  await new Promise((resolve) => socket.addEventListener('open', resolve))
  socket.send('hello')
  const said = await new Promise((resolve) => {
    socket.addEventListener('message', ({ data }) => resolve(data))
  })
  expect(said).toBe('hello')
  socket.close()
})

test('a handler of the later form is told the same things in its own words', async () => {
  await start()
  const guard = createHostGuard([])
  const server = serveInMemory(cloud.emulator, { guard, web: () => undefined })
  const told: unknown[] = []
  await new Promise<void>((resolve, reject) => {
    createMemoryDispatcher(server.connect).dispatch(
      { origin: 'https://api.runpod.ai', path: '/v2/demo/runsync', method: 'POST', headers, body },
      {
        onRequestStart: (controller: object) => told.push(['start', 'pause' in controller]),
        onResponseStart: (_: object, status: number, replied: Record<string, string>) =>
          told.push(['answer', status, replied['content-type']]),
        onResponseData: (_: object, part: Buffer) => told.push(JSON.parse(String(part)).status),
        onResponseEnd: () => resolve(),
        onResponseError: (_: object, error: Error) => reject(error),
      },
    )
  })
  server.close()
  expect(told).toEqual([['start', true], ['answer', 200, 'application/json'], 'COMPLETED'])
})
