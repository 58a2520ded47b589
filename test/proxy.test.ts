/** Clients with hard-coded hosts: the emulator as their proxy, and as the cloud's TLS server. */
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { request as callSecurely } from 'node:https'
import { join } from 'node:path'
import type { Duplex } from 'node:stream'
import { WebSocket } from 'ws'
import { prepareAuthority } from '../src/adapters/tls/authority.ts'
import { type RunningEmulator, type StartOptions, startEmulator } from '../src/index.ts'
import { balancerFixtures } from './support/balancer.ts'
import { temporaryFolder } from './support/folder.ts'
import { absolutely, encrypt, openLine, openTunnel, send, through } from './support/proxied.ts'

const caDirectory = temporaryFolder('ca')
const ca = readFileSync(prepareAuthority(caDirectory, false).certificate)

let emulator: RunningEmulator
const start = async (options: StartOptions = {}) => {
  emulator = await startEmulator({ clock: 'auto', caDirectory, ...options })
}
afterEach(() => emulator.close())

const tunnel = async (authority: string) => (await openTunnel(emulator.port, authority)) as Duplex
/** However the other side ends it. */
const gone = (line: Duplex) =>
  new Promise<void>((resolve) => {
    line.on('error', () => {})
    line.once('close', resolve).resume()
  })
const ask = (address: string, options = {}) => through(emulator.port, ca, address, options)

describe('through a tunnel', () => {
  beforeEach(() => start())

  test('each of the cloud’s surfaces answers by its own name', async () => {
    const query = JSON.stringify({ query: '{ myself { pods { id } } }' })
    const post = { method: 'POST', body: query }
    const graphql = await ask('https://api.runpod.io/graphql?api_key=test-key', post)
    expect(JSON.parse(graphql.text)).toEqual({ data: { myself: { pods: [{ id: 'demopod' }] } } })
    expect((await ask('https://rest.runpod.io/v1/pods/demopod')).text).toContain('"demopod"')
    expect((await ask('https://api.runpod.io/v2/pods/demopod')).text).toContain('"demopod"')
    expect((await ask('https://demolb.api.runpod.ai/ping')).status).toBe(200)
  })

  test('a job is run and waited for', async () => {
    const body = JSON.stringify({ input: { prompt: 'hello' } })
    const job = await ask('https://api.runpod.ai/v2/demo/runsync', { method: 'POST', body })
    expect(JSON.parse(job.text)).toMatchObject({ status: 'COMPLETED', output: { prompt: 'hello' } })
  })

  test('whoever says another name inside is refused: the cloud’s, the machine’s, or a stranger’s', async () => {
    for (const host of ['rest.runpod.io', 'localhost', 'evil.example', '127.0.0.1:4300']) {
      const answer = await ask('https://api.runpod.io/v2/pods', { host })
      expect([host, answer.status]).toEqual([host, 403])
      expect(answer.text).toContain('opened for api.runpod.io')
    }
  })

  test('a page of another site is refused, and one of the cloud’s is not', async () => {
    const from = (origin: string) =>
      absolutely(emulator.port, 'http://api.runpod.io/v2/pods', { origin })
    expect((await from('https://evil.example')).status).toBe(403)
    expect((await from('https://runpod.io.evil.example')).status).toBe(403)
    expect((await from('https://demopod-3000.proxy.runpod.net')).status).toBe(200)
  })

  test('TLS for another name than the tunnel’s does not come about', async () => {
    const line = encrypt(await tunnel('api.runpod.io:443'), { ca, servername: 'rest.runpod.io' })
    await expect(line).rejects.toThrow()
  })

  test('what the emulator has besides the cloud is not there', async () => {
    expect((await ask('https://api.runpod.io/_emulator/state')).status).toBe(404)
    expect((await ask('https://api.runpod.io/console')).status).toBe(404)
    expect((await ask('https://hapi.runpod.net/v1/pod/demopod/logs')).status).toBe(200)
    const pod = await ask('https://demopod-8888.proxy.runpod.net/_emulator/state')
    expect([404, 502]).toContain(pod.status)
    expect(pod.text).toMatch(/^pod demopod is /)
    expect((await ask('https://demopod.proxy.runpod.net/')).status).toBe(404)
  })

  test('plain HTTP goes the same ways', async () => {
    const line = await tunnel('api.runpod.io:80')
    line.write(
      'GET /v2/pods/demopod HTTP/1.1\r\nHost: api.runpod.io\r\nAuthorization: Bearer k\r\n\r\n',
    )
    const [head] = await once(line, 'data')
    expect(String(head)).toMatch(/^HTTP\/1.1 200 /)
    line.destroy()
  })

  test('closing the emulator cuts tunnels, begun or not', async () => {
    const bare = await tunnel('api.runpod.io:443')
    const encrypted = await encrypt(await tunnel('api.runpod.io:443'), {
      ca,
      servername: 'api.runpod.io',
    })
    const closed = [bare, encrypted].map(gone)
    await emulator.close()
    await Promise.all(closed)
    await start()
  })
})

describe('everywhere else', () => {
  beforeEach(() => start())

  test.each([
    'example.com:443',
    'console.runpod.io:443',
    'api.runpod.io:22',
    'localhost:4300',
    'api.runpod.io.evil.example:443',
    '[::1]:443',
  ])('no tunnel leads to %s', async (authority) => {
    const answer = await openTunnel(emulator.port, authority)
    expect(answer).toEqual({ status: 403, text: expect.stringContaining('*.api.runpod.ai') })
    const refusal = { method: 'CONNECT', path: authority, operation: 'proxy.tunnel', status: 403 }
    expect(emulator.emulator.requests.last(1)).toMatchObject([refusal])
  })

  test.each([
    'http://example.com/',
    'http://console.runpod.io/',
    'http://localhost:1/',
    'http://api.runpod.io.evil.example/v2/pods',
    'http://api.runpod.io:8080/v2/pods',
  ])('a request for %s is refused', async (address) => {
    const answer = await absolutely(emulator.port, address)
    expect(answer).toEqual({ status: 403, text: expect.stringContaining('NO_PROXY') })
  })

  test('a request that is sent with its whole address is answered, by http and by https', async () => {
    for (const scheme of ['http', 'https']) {
      const answer = await absolutely(emulator.port, `${scheme}://api.runpod.io/v2/pods/demopod`)
      expect([answer.status, JSON.parse(answer.text).id]).toEqual([200, 'demopod'])
    }
    const own = await absolutely(emulator.port, `${emulator.url}/_emulator/ready`)
    expect(own.status).toBe(200)
  })

  test('one of the cloud’s names in a Host header opens nothing by itself', async () => {
    const answer = await absolutely(emulator.port, '/v2/pods', { host: 'api.runpod.io' })
    expect(answer.status).toBe(403)
  })
})

test('without an authority the proxy says how to make one', async () => {
  await start({ caDirectory: join(caDirectory, 'nowhere') })
  const answer = await openTunnel(emulator.port, 'api.runpod.io:443')
  expect(answer).toEqual({ status: 503, text: expect.stringContaining('compute-emulator ca') })
})

test('a WebSocket to a load balancer goes through a tunnel', async () => {
  const routes = [{ path: '/socket', webSocket: 'echo' }]
  await start({ ...balancerFixtures({ handler: { routes } }), caDirectory })
  const name = 'e.api.runpod.ai'
  const line = await encrypt(await tunnel(`${name}:443`), { ca, servername: name })
  const socket = new WebSocket(`wss://${name}/socket`, {
    headers: { authorization: 'Bearer k' },
    createConnection: () => line,
  })
  await once(socket, 'open')
  socket.send('hello')
  const [said] = await once(socket, 'message')
  expect(String(said)).toBe('hello')
  socket.terminate()
})

describe('with TLS on its port', () => {
  beforeEach(() => start({ tls: true }))

  /** As a client whose system finds the cloud's names at this machine. */
  const call = (name: string, host = name, path = '/v2/pods/demopod') => {
    const headers = { authorization: 'Bearer k', host }
    const options = { host: '127.0.0.1', port: emulator.port, path, ca, servername: name, headers }
    return send(callSecurely(options))
  }

  test('it answers for the cloud’s names and for its own, and HTTP as before', async () => {
    expect((await call('api.runpod.io')).status).toBe(200)
    expect((await call('localhost')).status).toBe(200)
    expect((await fetch(`${emulator.url}/_emulator/ready`)).status).toBe(200)
    const body = JSON.stringify({ input: { prompt: 'x'.repeat(100_000) } })
    const headers = { authorization: 'Bearer k', 'content-type': 'application/json' }
    const job = await fetch(`${emulator.url}/v2/demo/runsync`, { method: 'POST', headers, body })
    expect(await job.json()).toMatchObject({ status: 'COMPLETED' })
  })

  test('a foreign name gets no handshake, and another Host no answer', async () => {
    await expect(call('evil.example')).rejects.toThrow()
    expect((await call('api.runpod.io', 'rest.runpod.io')).status).toBe(403)
    expect((await call('api.runpod.io', 'localhost')).status).toBe(403)
    expect((await call('localhost', 'api.runpod.io')).status).toBe(403)
    expect((await call('localhost', 'evil.example')).status).toBe(403)
  })

  test('addresses in replies are https', async () => {
    const host = `localhost:${emulator.port}`
    const { text } = await call('localhost', host, '/v2/serverless/demo')
    expect(JSON.parse(text).requestUrls.run).toBe(`https://${host}/v2/demo/run`)
  })

  test('a line on which nobody says anything is cut when the emulator closes', async () => {
    const line = openLine(emulator.port)
    await once(line, 'connect')
    const closed = gone(line)
    await emulator.close()
    await closed
    await start()
  })
})

test('TLS without an authority is refused at the start', async () => {
  await start()
  const nowhere = join(caDirectory, 'nowhere')
  await expect(startEmulator({ tls: true, caDirectory: nowhere })).rejects.toThrow(
    'compute-emulator ca',
  )
})
