/** How an engine is found, what it may take its time for, and what is said where it is not well. */
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer, type RequestListener, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startContainer } from '../src/adapters/docker/container.ts'
import { connectEngine } from '../src/adapters/docker/engine.ts'
import type { Exit } from '../src/adapters/programs/program.ts'

const { DOCKER_HOST } = process.env
const folder = mkdtempSync(join(tmpdir(), 'docker-engine-'))
const servers: Server[] = []
afterEach(() => {
  if (DOCKER_HOST === undefined) delete process.env.DOCKER_HOST
  else process.env.DOCKER_HOST = DOCKER_HOST
  for (const server of servers.splice(0)) server.close().closeAllConnections()
})
afterAll(() => rmSync(folder, { recursive: true }))

/** Answers at a socket of its own, or at a port for 0; resolves to where. */
async function listen(place: string | number, answer: RequestListener): Promise<string> {
  const server = createServer(answer)
  servers.push(server)
  const at = typeof place === 'string' ? { path: place } : { port: place, host: '127.0.0.1' }
  await new Promise<void>((resolve) => server.listen(at, resolve))
  return typeof place === 'string' ? place : String((server.address() as AddressInfo).port)
}
const socketOf = (name: string) => join(folder, `${name}.sock`)

function connectTo(address: string) {
  process.env.DOCKER_HOST = address
  return connectEngine()
}

const wellBehaved: RequestListener = ({ url }, response) => {
  if (url === '/_ping') return response.end('OK')
  if (url === '/version') return response.end('{"Version": "28.0.0"}')
  response.writeHead(404).end(`{"message": "there is no ${url}"}`)
}

test.each(['tcp', 'http'])('an engine is found at %s://', async (scheme) => {
  const port = await listen(0, wellBehaved)
  const engine = await connectTo(`${scheme}://127.0.0.1:${port}`)
  expect(await engine.version()).toMatchObject({ Version: '28.0.0' })
})

test('an engine is found at unix://, and what it refuses is said in its own words', async () => {
  const engine = await connectTo(`unix://${await listen(socketOf('well'), wellBehaved)}`)
  const refused = { status: 404, message: 'there is no /images/a%2Fb%3A1/json' }
  await expect(engine.getImage(encodeURIComponent('a/b:1')).inspect()).rejects.toMatchObject(
    refused,
  )
})

test.each([
  ['unix:///not/there.sock', /^no Docker engine answers at unix:\/\/\/not\/there.sock \(.*ENOENT/],
  ['npipe:////./not/there', /^no Docker engine answers at npipe:\/\/\/\/.\/not\/there \(/],
  ['tcp://localhost:1', /^no Docker engine answers at tcp:\/\/localhost:1 \(.*set DOCKER_HOST$/],
  // The port that engines have when nobody says.
  ['tcp://127.0.0.1', /^no Docker engine answers at .*127\.0\.0\.1:2375/],
  [
    'ssh://somewhere',
    /^DOCKER_HOST 'ssh:\/\/somewhere' is not an address of unix:\/\/ or tcp:\/\//,
  ],
  ['unix://', /^DOCKER_HOST 'unix:\/\/' is not an address/],
])('with DOCKER_HOST %s it is clear what is wrong', async (address, words) => {
  await expect(connectTo(address)).rejects.toMatchObject({ status: 0, message: words })
})

test('an engine that accepts and never answers, or never to the end, is not waited for', async () => {
  const silent = await listen(socketOf('silent'), () => {})
  const slow = await listen(socketOf('slow'), (_, response) => void response.write('O'))
  const outcomes = await Promise.allSettled(
    [silent, slow].map((socket) => connectTo(`unix://${socket}`)),
  )
  for (const outcome of outcomes) {
    const reason = { status: 0, message: expect.stringContaining('(no answer in time)') }
    expect(outcome).toMatchObject({ status: 'rejected', reason })
  }
})

test('a container whose engine goes away has ended, after the lines that were heard of it', async () => {
  const answers: Readonly<Record<string, string>> = {
    '/_ping': 'OK',
    '/containers/create': '{"Id": "c"}',
    '/volumes': '{"Volumes": []}',
  }
  const socket = await listen(socketOf('leaving'), ({ url = '' }, response) => {
    const [path = ''] = url.split('?')
    if (path.endsWith('/start')) return response.writeHead(204).end()
    if (!path.endsWith('/logs')) return response.end(answers[path] ?? '[]')
    response.write('\x01\0\0\0\0\0\0\x06hello\n')
  })
  process.env.DOCKER_HOST = `unix://${socket}`
  const lines: string[] = []
  const exit = await new Promise<Exit>((resolve) => {
    const onLines = (added: readonly string[]) => {
      lines.push(...added)
      servers.at(-1)?.close().closeAllConnections()
    }
    const bare = {
      entrypoint: [],
      command: [],
      environment: {},
      publish: [],
      mounts: [],
      volumes: [],
    }
    const own = { ownerId: 'w', image: 'i', network: 'host', machineName: 'm', memoryGb: null }
    startContainer({ ...bare, ...own, onLines, onExit: resolve })
  })
  expect(lines).toEqual(['hello'])
  expect(exit).toEqual({
    code: null,
    signal: null,
    failure: expect.stringMatching(/^lost sight of/),
  })
})
