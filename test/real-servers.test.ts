/** Web servers of the user's own as the workers of a load balancer: processes, or there already. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { request } from 'node:http'
import { fileURLToPath } from 'node:url'
import { WebSocket } from 'ws'
import { type RunningEmulator, type StartOptions, startEmulator } from '../src/index.ts'
import { run } from './support/command.ts'

const program = fileURLToPath(new URL('./support/workers/server.mjs', import.meta.url))
const command = `exec '${process.execPath}' ${program}`
const headers = { authorization: 'Bearer test-key' }

const running: RunningEmulator[] = []
afterEach(async () => {
  await Promise.all(running.splice(0).map((emulator) => emulator.close()))
})

async function begin(line = command, options: StartOptions = {}): Promise<RunningEmulator> {
  const emulator = await startEmulator({ workers: { 'web:lb': line }, ...options })
  running.push(emulator)
  return emulator
}

const world = ({ emulator }: RunningEmulator) => emulator.main.world
const workersOf = (emulator: RunningEmulator) => world(emulator).queues.workersOf('web')
const whys = (emulator: RunningEmulator) =>
  world(emulator)
    .timeline.past.filter(({ kind }) => kind === 'worker.crashed' || kind === 'worker.removed')
    .map(({ detail }) => detail?.why)
const call = ({ url }: RunningEmulator, path: string, init: RequestInit = {}) =>
  fetch(`${url}/v2/web${path}`, { ...init, headers: { ...headers, ...init.headers } })
// biome-ignore lint/suspicious/noExplicitAny: tests read bodies of every shape.
const askMe = async (emulator: RunningEmulator): Promise<any> =>
  (await call(emulator, '/me')).json()

async function until(holds: () => Promise<boolean> | boolean): Promise<void> {
  const limitAt = performance.now() + 20_000
  while (!(await holds())) {
    if (performance.now() > limitAt) throw new Error('it did not come to pass in time')
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
}

describe('a request to a load balancer whose workers are processes', () => {
  test('starts one, waits until it is healthy, and is answered by it', async () => {
    const emulator = await begin(`STARTING_MS=300 ${command.replace('exec ', '')}`)
    const answer = await call(emulator, '/me?x=1&y=%20', { method: 'PUT', body: 'abc' })
    const body = (await answer.json()) as { worker: string; headers: Record<string, string> }
    const [worker] = workersOf(emulator)
    expect(body).toMatchObject({ worker: worker?.id, method: 'PUT', url: '/me?x=1&y=%20' })
    expect(answer.headers.get('x-runpod-worker-id')).toBe(worker?.id)
    expect(answer.headers.getSetCookie()).toEqual(['a=1', 'b=2'])
    expect(body.headers).toMatchObject({ 'content-length': '3' })
    expect(body.headers).not.toHaveProperty('authorization')
    expect(world(emulator).requests.size).toBe(0)
    const again = await askMe(emulator)
    expect(again.worker).toBe(body.worker)
  }, 30_000)

  test('is not touched on its way: a status, a path nobody knows, bytes', async () => {
    const emulator = await begin()
    const bytes = Buffer.from(Array.from({ length: 100_000 }, (_, index) => (index * 7) % 256))
    const type = { 'content-type': 'image/png' }
    const echo = await call(emulator, '/echo', { method: 'POST', body: bytes, headers: type })
    expect([echo.status, echo.headers.get('content-type')]).toEqual([201, 'image/png'])
    expect(Buffer.from(await echo.arrayBuffer()).equals(bytes)).toBe(true)
    const unknown = await call(emulator, '/nowhere')
    expect([unknown.status, await unknown.text()]).toEqual([404, 'no such path here'])
    const events = await call(emulator, '/events')
    expect(await events.text()).toBe('data: 1\n\ndata: 2\n\ndata: 3\n\n')
    expect((await call(emulator, '/me', { method: 'HEAD' })).status).toBe(200)
    expect(world(emulator).requests.size).toBe(0)
    expect(workersOf(emulator)).toMatchObject([{ status: 'IDLE', requestsInFlight: 0 }])
  }, 30_000)

  test('is answered before its own end, by the endpoint’s own host name as well', async () => {
    const emulator = await begin()
    await askMe(emulator)
    const sent = request({
      host: '127.0.0.1',
      port: emulator.port,
      path: '/echo',
      method: 'POST',
      headers: { ...headers, host: 'web.localhost', 'transfer-encoding': 'chunked' },
    })
    sent.write('one')
    const [response] = await once(sent, 'response')
    expect((await once(response, 'data')).toString()).toBe('one')
    const ended = once(response, 'end')
    sent.end('two')
    expect((await once(response, 'data')).toString()).toBe('two')
    await ended
  }, 30_000)

  test('fails with 502 when its worker dies, which is then started again', async () => {
    const emulator = await begin()
    const first = await askMe(emulator)
    const answer = await call(emulator, '/die')
    expect([answer.status, await answer.json()]).toEqual([502, { error: 'worker gone' }])
    await until(() => whys(emulator).length > 0)
    expect(whys(emulator)).toEqual(['exit code 9'])
    const second = await askMe(emulator)
    expect(second.worker).toBe(first.worker)
    expect(second.pid).not.toBe(first.pid)
    expect(world(emulator).requests.size).toBe(0)
  }, 30_000)

  test('is cut where its worker dies in the middle of the answer', async () => {
    const emulator = await begin()
    const answer = await call(emulator, '/begin-and-die')
    expect(answer.status).toBe(200)
    await expect(answer.text()).rejects.toThrow()
    expect(world(emulator).requests.size).toBe(0)
  }, 30_000)

  test('that nobody waits for any more leaves its worker free', async () => {
    const emulator = await begin()
    await askMe(emulator)
    const abort = new AbortController()
    const answer = call(emulator, '/never', { signal: abort.signal })
    await until(() => workersOf(emulator)[0]?.status === 'RUNNING')
    abort.abort()
    await expect(answer).rejects.toThrow()
    await until(() => workersOf(emulator)[0]?.status === 'IDLE')
  }, 30_000)

  test('has five and a half minutes on the cloud’s clock', async () => {
    const emulator = await begin(command, { clock: 'manual' })
    const answer = call(emulator, '/never')
    await until(async () => {
      if (workersOf(emulator)[0]?.status !== 'RUNNING') await emulator.clock.advance('1s')
      return workersOf(emulator)[0]?.status === 'RUNNING'
    })
    await emulator.clock.advance('329s')
    await emulator.clock.advance('1s')
    expect((await answer).status).toBe(524)
  }, 30_000)

  test('gets no more than 30 MB back where limits hold', async () => {
    const emulator = await begin(command, { limits: 'on' })
    const answer = await call(emulator, '/large')
    expect([answer.status, await answer.json()]).toEqual([502, { error: 'response too large' }])
  }, 30_000)
})

test('a worker whose health path fails gets no requests, and those that wait are refused in time', async () => {
  const emulator = await begin(command, { speed: 100 })
  await call(emulator, '/sick')
  await until(() => workersOf(emulator)[0]?.status === 'UNHEALTHY')
  const answer = await call(emulator, '/me', {
    headers: { 'x-runpod-worker-id': `strict ${workersOf(emulator)[0]?.id}` },
  })
  expect(answer.status).toBe(400)
}, 30_000)

test('one that never answers on its port is never ready, and goes after eight minutes', async () => {
  const emulator = await begin(`OWN_PORT=1 ${command.replace('exec ', '')}; sleep 60`, {
    clock: 'manual',
  })
  const answer = call(emulator, '/me')
  await until(() => world(emulator).requests.size === 1)
  await emulator.clock.advance('1s')
  expect(workersOf(emulator)).toMatchObject([{ status: 'INITIALIZING' }])
  expect(emulator.clock.status().waitingFor.join()).toContain('to start')
  await emulator.clock.advance('2m')
  expect((await answer).status).toBe(400)
  await emulator.clock.advance('6m')
  expect(whys(emulator)).toEqual(['not healthy for eight minutes'])
}, 30_000)

test('with the clock auto a real answer holds time still', async () => {
  const emulator = await begin(command, { clock: 'auto' })
  await askMe(emulator)
  const before = emulator.clock.now()
  const answer = call(emulator, '/events')
  const seen = new Set<string>()
  await until(() => {
    for (const name of emulator.clock.status().waitingFor) seen.add(name)
    return [...seen].some((name) => name.includes('to answer request'))
  })
  expect((await answer).status).toBe(200)
  await (await answer).text()
  expect(emulator.clock.now()).toBe(before)
}, 30_000)

describe('a line that stays open', () => {
  const open = (emulator: RunningEmulator, path = '/socket') =>
    new WebSocket(`ws://127.0.0.1:${emulator.port}/v2/web${path}`, ['first', 'second'], { headers })

  test('is the worker’s own: its protocol, its words, its end', async () => {
    const emulator = await begin()
    const socket = open(emulator)
    const upgraded = once(socket, 'upgrade')
    await once(socket, 'open')
    const [response] = await upgraded
    expect(response.headers['x-runpod-worker-id']).toBe(workersOf(emulator)[0]?.id)
    expect(socket.protocol).toBe('second')
    socket.send('grüße')
    expect((await once(socket, 'message'))[0].toString()).toBe('grüße')
    expect(world(emulator).requests.all()).toMatchObject([{ status: 'CONNECTED' }])
    socket.close()
    await once(socket, 'close')
    await until(() => world(emulator).requests.size === 0)
  }, 30_000)

  test('breaks with its worker', async () => {
    const emulator = await begin()
    const socket = open(emulator)
    socket.on('error', () => {})
    await once(socket, 'open')
    socket.send('die')
    await once(socket, 'close')
    await until(() => world(emulator).requests.size === 0)
  }, 30_000)

  test('that the worker refuses gets the worker’s answer', async () => {
    const emulator = await begin()
    const socket = open(emulator, '/other')
    socket.on('error', () => {})
    const [, response] = await once(socket, 'unexpected-response')
    response.resume()
    expect(response.statusCode).toBe(418)
    await until(() => world(emulator).requests.size === 0)
  }, 30_000)
})

describe('a server that is there already', () => {
  test('answers for its endpoint, whose worker is as well as it is', async () => {
    const child = spawn(process.execPath, [program], {
      env: { PORT: '0', PORT_HEALTH: '0', RUNPOD_POD_ID: 'nobody' },
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    try {
      const [line] = await once(child.stdout, 'data')
      const emulator = await begin(`http://127.0.0.1:${Number(String(line))}`)
      const answer = await call(emulator, '/me')
      expect(await answer.json()).toMatchObject({ worker: 'nobody', pid: child.pid })
      expect(answer.headers.get('x-runpod-worker-id')).toBe(workersOf(emulator)[0]?.id)
      await call(emulator, '/die').catch(() => {})
      await until(() => workersOf(emulator)[0]?.status === 'UNHEALTHY')
    } finally {
      child.kill('SIGKILL')
    }
  }, 30_000)
})

test('what cannot be a worker is refused before anything starts', async () => {
  const failure = async (worker: string) => {
    const { code, stderr } = await run(['start', '--port', '0', '--worker', worker])
    expect(code).toBe(2)
    return stderr
  }
  expect(await failure('demo=http://127.0.0.1:1')).toContain("endpoint 'demo': a web server")
  expect(await failure('demolb=attached')).toContain("endpoint 'demolb': nothing joins")
  expect(await failure('demo:lb=true')).toContain("endpoint 'demo' is a queue")
  expect(await failure('web=https://a.test/')).toContain('is no address of a worker')
}, 30_000)
