/** Who is let in: this machine under its own names, and nobody that a page of the web can pretend to be. */

import { connect } from 'node:net'
import { networkInterfaces } from 'node:os'
import { WebSocket } from 'ws'
import { OptionError, type RunningEmulator, startEmulator } from '../../src/index.ts'
import { ask } from '../support/wire.ts'

let emulator: RunningEmulator
beforeAll(async () => {
  emulator = await startEmulator({ clock: 'manual', seed: '1' })
})
afterAll(() => emulator.close())

const bearer = { authorization: 'Bearer any-key' }
/** One of each: REST v1 and v2, a job, GraphQL, the control API, an upload, a page, nothing. */
const addresses = [
  'GET /v2/pods',
  'POST /v1/pods',
  'POST /v2/demo/run',
  'GET /v2/demo/health',
  'POST /graphql',
  'POST /_emulator/reset',
  'GET /_emulator/state',
  'PUT /uploads/u1',
  'GET /console',
  'GET /',
  'OPTIONS /v2/pods',
  'GET /nowhere',
]

async function statusesFor(headers: Readonly<Record<string, string>>) {
  const { port } = emulator
  const answers = addresses.map(async (address) => {
    const body = /^(POST|PUT)/.test(address) ? '{}' : ''
    const all = { 'content-type': 'application/json', ...bearer, ...headers }
    return [address, (await ask(port, `${address} HTTP/1.1`, all, body))?.status]
  })
  return Promise.all(answers)
}

const everywhere = (status: number) => addresses.map((address) => [address, status])

// prettier-ignore
test.each([
  // DNS rebinding: the page's own name now leads to this machine.
  ['a foreign name', { host: 'evil.example' }],
  ['a foreign name with our port', { host: 'evil.example:4300' }],
  ['a name that begins like ours', { host: 'localhost.evil.example' }],
  ['an address that begins like ours', { host: '127.0.0.1.evil.example' }],
  ['a name that ends like ours', { host: 'evillocalhost' }],
  ['a name two labels below ours', { host: 'a.b.localhost' }],
  ['an address that is not ours', { host: '127.0.0.2' }],
  ['our address, written otherwise', { host: '2130706433' }],
  ['no name at all', { host: '' }],
  ['a page of another site', { origin: 'https://evil.example' }],
  ['a page that looks like ours', { origin: 'http://localhost.evil.example' }],
  ['a page below our name', { origin: 'http://evil.localhost' }],
  ['a page that hides where it is from', { origin: 'null' }],
  ['a page of two origins', { origin: 'http://localhost, http://evil.example' }],
  [
    "a picture in another site's page",
    { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'no-cors', 'sec-fetch-dest': 'image' },
  ],
  [
    "a frame in another site's page",
    { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'navigate', 'sec-fetch-dest': 'iframe' },
  ],
])('%s is let in nowhere, and changes nothing', async (_who, headers) => {
  const before = emulator.emulator.main.world.timeline.entryCount
  expect(await statusesFor(headers)).toEqual(everywhere(403))
  expect(emulator.emulator.main.world.timeline.entryCount).toBe(before)
})

test('who was not let in opens no world', async () => {
  const isolated = await startEmulator({ clock: 'manual', isolate: true })
  const headers = { host: 'evil.example', ...bearer }
  for (const path of ['/v1/pods', '/v2/pods', '/v2/demo/health', '/graphql']) {
    expect((await ask(isolated.port, `GET ${path} HTTP/1.1`, headers))?.status).toBe(403)
  }
  expect(isolated.emulator.accounts.opened).toHaveLength(1)
  await isolated.close()
})

test.each([
  ['the name', () => `localhost:${emulator.port}`],
  ['the address', () => '127.0.0.1'],
  ['the address of the other family', () => `[::1]:${emulator.port}`],
  ['the name in capitals', () => 'LOCALHOST'],
])('%s of this machine is let in', async (_what, host) => {
  const reply = await ask(emulator.port, 'GET /v2/pods HTTP/1.1', { ...bearer, host: host() })
  expect(reply?.status).not.toBe(403)
})

test('an endpoint is called by its own name, by its own pages too', async () => {
  const running = await startEmulator({ clock: 'auto' })
  const host = `demolb.localhost:${running.port}`
  for (const headers of [{ host }, { host, origin: `http://${host}` }]) {
    const reply = await ask(running.port, 'GET /ping HTTP/1.1', { ...bearer, ...headers })
    expect(reply?.status).toBe(200)
  }
  await running.close()
})

test('a link that somebody follows leads here', async () => {
  const followed = {
    'sec-fetch-site': 'cross-site',
    'sec-fetch-mode': 'navigate',
    'sec-fetch-dest': 'document',
  }
  expect((await ask(emulator.port, 'GET /console HTTP/1.1', followed))?.status).toBe(200)
})

test('a page of this machine may call, and no page is told that it may read', async () => {
  for (const origin of [emulator.url, 'http://localhost:3000', 'https://127.0.0.1']) {
    const reply = await ask(emulator.port, 'GET /v2/pods HTTP/1.1', { ...bearer, origin })
    expect([origin, reply?.status]).toEqual([origin, 200])
    expect(Object.keys(reply?.headers ?? {})).not.toContain('access-control-allow-origin')
  }
  const asked = { origin: emulator.url, 'access-control-request-method': 'GET' }
  const preflight = await ask(emulator.port, 'OPTIONS /v2/pods HTTP/1.1', asked)
  expect(preflight?.status).toBe(405)
})

test('a WebSocket from a foreign page is not opened', async () => {
  const upgrade = (headers: object) =>
    new Promise<unknown>((resolve) => {
      const url = `ws://127.0.0.1:${emulator.port}/v2/demolb/socket`
      const socket = new WebSocket(url, { headers: { ...bearer, ...headers } })
      socket.on('error', () => {})
      socket.once('unexpected-response', (_request, { statusCode }) => resolve(statusCode))
    })
  expect(await upgrade({ origin: 'https://evil.example' })).toBe(403)
  expect(await upgrade({ host: 'evil.example' })).toBe(403)
  expect(emulator.emulator.main.world.requests.size).toBe(0)
})

test('both loopback families answer, and no other address of the machine does', async () => {
  const others = Object.values(networkInterfaces())
    .flatMap((all) => all ?? [])
    .filter(({ internal }) => !internal)
  const isOpen = (host: string) =>
    new Promise<boolean>((resolve) => {
      const socket = connect({ host, port: emulator.port })
      socket.once('connect', () => resolve(true)).once('error', () => resolve(false))
      socket.once('connect', () => socket.destroy())
    })
  const families = Object.values(networkInterfaces()).flatMap((all) => all ?? [])
  const hasSixth = families.some(({ address }) => address === '::1')
  expect(await isOpen('127.0.0.1')).toBe(true)
  expect(await isOpen('::1')).toBe(hasSixth)
  const plain = others.filter(({ address }) => !address.startsWith('fe80'))
  const open = await Promise.all(plain.map(({ address }) => isOpen(address)))
  expect(open).not.toContain(true)
})

describe('an origin that was listed', () => {
  const app = 'https://app.example:8443'
  let open: RunningEmulator
  beforeAll(async () => {
    open = await startEmulator({ clock: 'manual', allowOrigins: [app] })
  })
  afterAll(() => open.close())

  test('may call from its pages, and read', async () => {
    const headers = { ...bearer, origin: app, 'sec-fetch-site': 'cross-site' }
    const reply = await ask(open.port, 'GET /v2/pods HTTP/1.1', headers)
    expect(reply).toMatchObject({
      status: 200,
      headers: { 'access-control-allow-origin': app, vary: 'origin' },
    })
  })

  test('is told beforehand what its pages may send', async () => {
    const headers = {
      origin: app,
      'access-control-request-method': 'PATCH',
      'access-control-request-headers': 'authorization,content-type',
    }
    const reply = await ask(open.port, 'OPTIONS /v2/pods/demopod HTTP/1.1', headers)
    expect(reply).toMatchObject({
      status: 204,
      headers: {
        'access-control-allow-origin': app,
        'access-control-allow-methods': 'PATCH',
        'access-control-allow-headers': 'authorization,content-type',
      },
    })
  })

  test.each(['https://app.example', 'http://app.example:8443', 'https://app.example:84433'])(
    '%s is another one',
    async (origin) => {
      const reply = await ask(open.port, 'GET /v2/pods HTTP/1.1', { ...bearer, origin })
      expect(reply?.status).toBe(403)
      expect(reply?.headers).not.toHaveProperty('access-control-allow-origin')
    },
  )
})

test('an emulator that was opened to every name lets everybody in, and no page read', async () => {
  const open = await startEmulator({ clock: 'manual', allowHosts: ['*'] })
  const headers = { ...bearer, host: 'emulator.internal', origin: 'http://app.internal' }
  const reply = await ask(open.port, 'GET /v2/pods HTTP/1.1', headers)
  expect(reply?.status).toBe(200)
  expect(reply?.headers).not.toHaveProperty('access-control-allow-origin')
  await open.close()
})

test('an origin that is none is no start', async () => {
  const options = { allowOrigins: ['app.example'] }
  await expect(startEmulator(options)).rejects.toThrow(OptionError)
})
