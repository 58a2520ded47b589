/** What `doctor` finds on a machine. */
import { writeFileSync } from 'node:fs'
import { createServer as createHttpServer } from 'node:http'
import { type AddressInfo, createServer } from 'node:net'
import { join } from 'node:path'
import { labelsFor, processLabel } from '../src/adapters/docker/instance.ts'
import { run, start } from './support/command.ts'
import { temporaryFolder } from './support/folder.ts'

interface Finding {
  readonly about: string
  readonly state: string
  readonly says: string
}

let home: string
beforeEach(() => {
  home = temporaryFolder('doctor')
})

/** No tools, no engine and no proxy, but for what is said. */
async function examine(args: readonly string[] = [], env: NodeJS.ProcessEnv = {}) {
  const bare = {
    XDG_STATE_HOME: home,
    XDG_DATA_HOME: home,
    PATH: home,
    DOCKER_HOST: `unix://${home}/none.sock`,
  }
  const { code, stdout } = await run(['doctor', '--json', ...args], { ...bare, ...env })
  const { findings, healthy } = JSON.parse(stdout) as { findings: Finding[]; healthy: boolean }
  const of = (about: string) => findings.find((finding) => finding.about === about)
  return { code, healthy, findings, of }
}

test('a machine on which nothing is wrong is said to be one; what is not there is a note', async () => {
  const { code, healthy, findings, of } = await examine(['--port', '0'])
  expect({ code, healthy }).toEqual({ code: 0, healthy: true })
  expect(findings.map(({ about }) => about)).toEqual([
    'node',
    'loopback',
    'names',
    'port',
    'background',
    'proxies',
    'authority',
    'python',
    'containers',
  ])
  expect(of('python')).toMatchObject({ state: 'note', says: expect.stringContaining('no python3') })
  expect(of('containers')).toMatchObject({ state: 'note' })
  expect(of('background')).toMatchObject({ state: 'ok' })
})

test('a port that another program has is wrong; one where an emulator answers is not', async () => {
  const other = createServer((socket) => socket.end())
  await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve))
  const { port } = other.address() as AddressInfo
  const taken = await examine(['--port', String(port)])
  other.close()
  expect(taken).toMatchObject({ code: 1, healthy: false })
  expect(taken.of('port')).toMatchObject({
    state: 'wrong',
    says: `${port} is not to be had (EADDRINUSE); start with --port 0`,
  })
  const emulator = await start(['--log-level', 'silent'])
  const used = await examine(['--port', String(emulator.first.port)])
  await emulator.stop()
  expect(used.of('port')?.says).toMatch(/^compute-emulator \d\S* answers on \d+$/)
})

test('a proxy that would be asked for this machine is a note', async () => {
  const proxy = { HTTP_PROXY: 'http://proxy.example:3128' }
  expect((await examine([], proxy)).of('proxies')).toMatchObject({
    state: 'note',
    says: 'HTTP_PROXY is set; clients need NO_PROXY=127.0.0.1,localhost',
  })
  const excepted = { ...proxy, NO_PROXY: 'localhost,127.0.0.1' }
  expect((await examine([], excepted)).of('proxies')).toMatchObject({ state: 'ok' })
})

test('a local authority is found, and a file that is none is wrong', async () => {
  expect((await examine()).of('authority')).toMatchObject({ state: 'note' })
  await run(['ca'], { XDG_DATA_HOME: home })
  expect((await examine()).of('authority')).toMatchObject({
    state: 'ok',
    says: expect.stringContaining('valid until'),
  })
  writeFileSync(join(home, 'compute-emulator', 'ca', 'ca.pem'), 'nothing')
  expect((await examine()).of('authority')).toMatchObject({ state: 'wrong' })
})

test('an engine is found where DOCKER_HOST says', async () => {
  const socket = join(home, 'engine.sock')
  const engine = createHttpServer((_request, response) => response.end('{"Version": "26.1.5"}'))
  await new Promise<void>((resolve) => engine.listen(socket, resolve))
  const { of } = await examine([], { DOCKER_HOST: `unix://${socket}` })
  engine.close()
  expect(of('containers')).toEqual({
    about: 'containers',
    state: 'ok',
    says: `engine 26.1.5 answers at unix://${socket}`,
  })
})

test('what emulators that are gone left in an engine is wrong, with commands that remove it', async () => {
  const Labels = { ...labelsFor('w'), [processLabel]: '999999999 1' }
  const answers: Readonly<Record<string, object>> = {
    '/version': { Version: '26.1.5' },
    '/containers/json': [
      { Id: '1', Names: ['/left'], Image: 'i', State: 'running', Labels },
      { Id: '2', Names: ['/in-use'], Image: 'i', State: 'running', Labels: labelsFor('w') },
    ],
    '/volumes': { Volumes: [{ Name: 'disk', Labels }] },
  }
  const socket = join(home, 'engine.sock')
  const engine = createHttpServer(({ url = '' }, response) => {
    response.end(JSON.stringify(answers[url.split('?')[0] ?? ''] ?? 'OK'))
  })
  await new Promise<void>((resolve) => engine.listen(socket, resolve))
  const { code, of } = await examine([], { DOCKER_HOST: `unix://${socket}` })
  engine.close()
  expect(code).toBe(1)
  expect(of('containers')).toEqual({
    about: 'containers',
    state: 'wrong',
    says: 'emulators that are gone left something; remove with: docker rm --force left; docker volume rm disk',
  })
})

test('for people there is a line for each, and a last one when something is wrong', async () => {
  const { stdout } = await run(['doctor', '--port', '0'], { XDG_STATE_HOME: home, PATH: home })
  expect(stdout).toMatch(/^ok {5}node {8}\d+\.\d+\.\d+\n/)
  expect(stdout).toMatch(/\nnote {3}python /)
})
