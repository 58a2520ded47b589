/** The library over real sockets, and the JavaScript SDK as its users have it against that. */
import { get } from 'node:http'
import { createServer } from 'node:net'
import runpodSdk from 'runpod-sdk'
import { OptionError, type RunningEmulator, startEmulator } from '../src/index.ts'

const headers = { authorization: 'Bearer test-key', 'content-type': 'application/json' }

describe('an emulator whose clock stands still', () => {
  let emulator: RunningEmulator
  beforeAll(async () => {
    emulator = await startEmulator({ clock: 'manual' })
  })
  afterAll(() => emulator.close())

  test('is ready when it is started, on a port that was free', async () => {
    const answer = await fetch(`${emulator.url}/_emulator/ready`)
    expect(await answer.json()).toEqual({ status: 'ready', version: '0.1.0', pid: process.pid })
    expect(emulator.url).toBe(`http://127.0.0.1:${emulator.port}`)
    expect(emulator.port).toBeGreaterThan(0)
  })

  test.each([['127.0.0.1'], ['[::1]'], ['localhost']])('answers at %s', async (host) => {
    const answer = await fetch(`http://${host}:${emulator.port}/_emulator/ready`)
    expect(answer.status).toBe(200)
  })

  test('refuses a Host that it was not told of', async () => {
    expect(await statusFor(emulator.port, 'attacker.test')).toBe(403)
    expect(await statusFor(emulator.port, 'localhost')).toBe(200)
  })

  test('takes a pod through its start as the clock is advanced', async () => {
    emulator.reset()
    const status = async () => {
      const answer = await fetch(`${emulator.url}/v2/pods/demopod`, { headers })
      return ((await answer.json()) as { status: string }).status
    }
    expect(await status()).toBe('PROVISIONING')
    expect(await emulator.clock.advance('150ms')).toBeGreaterThan(0)
    expect(await status()).toBe('STARTING')
    await emulator.clock.set('2026-01-01T00:00:00.500Z')
    expect(await status()).toBe('RUNNING')
    expect(emulator.clock.now()).toBe(Date.UTC(2026, 0, 1) + 500)
  })

  test('says how its clock stands, and pauses and resumes', () => {
    emulator.clock.pause()
    expect(emulator.clock.status()).toMatchObject({ mode: 'manual', paused: true })
    emulator.clock.resume()
    expect(emulator.clock.status()).toMatchObject({ paused: false })
  })

  test.each([['soon'], [Number.NaN]])('refuses the span %s', async (span) => {
    await expect(emulator.clock.advance(span)).rejects.toThrow(OptionError)
  })

  test('does not start where a port is taken, and leaves nothing behind', async () => {
    const { port } = emulator
    await expect(startEmulator({ port })).rejects.toMatchObject({ code: 'EADDRINUSE' })
  })
})

test('close answers whoever waits, within 200 ms, and gives the port back', async () => {
  const emulator = await startEmulator({ clock: 'manual' })
  const body = JSON.stringify({ input: { prompt: 'hello' } })
  const url = `${emulator.url}/v2/demo/runsync`
  const waiting = fetch(url, { method: 'POST', headers, body })
  while (emulator.clock.status().waitingCallers === 0)
    await fetch(`${emulator.url}/_emulator/ready`)
  const startedMs = performance.now()
  await emulator.close()
  expect(performance.now() - startedMs).toBeLessThan(200)
  expect(await (await waiting).json()).toMatchObject({ status: 'IN_QUEUE' })
  expect(await isFree(emulator.port)).toBe(true)
})

test('every interface can be bound, and the address that it names can be called', async () => {
  const emulator = await startEmulator({ host: '0.0.0.0', allowHosts: ['emulator.test'] })
  expect(emulator.url).toBe(`http://127.0.0.1:${emulator.port}`)
  expect(await statusFor(emulator.port, 'emulator.test')).toBe(200)
  expect(await statusFor(emulator.port, 'attacker.test')).toBe(403)
  await emulator.close()
})

describe('npm runpod-sdk, unmodified', () => {
  let emulator: RunningEmulator
  const endpoint = (id: string) => {
    const found = runpodSdk('test-key', { baseUrl: `${emulator.url}/v2` }).endpoint(id)
    if (found === null) throw new Error('the SDK takes any id')
    return found
  }
  beforeAll(async () => {
    emulator = await startEmulator({ profile: 'instant' })
  })
  beforeEach(() => emulator.reset())
  afterAll(() => emulator.close())

  test('runs a job and waits for its output', async () => {
    const done = await endpoint('demo').runSync({ input: { prompt: 'hello' } })
    expect(done).toMatchObject({
      status: 'COMPLETED',
      output: { prompt: 'hello' },
      started: true,
      completed: true,
      succeeded: true,
    })
  })

  test('runs a job and asks for its status', async () => {
    const { id, status } = await endpoint('demo').run({ input: { prompt: 'hello' } })
    expect(status).toBe('IN_QUEUE')
    const ended = await endpoint('demo').statusSync(id)
    expect(ended).toMatchObject({ id, status: 'COMPLETED', completed: true, succeeded: true })
    expect(await endpoint('demo').status(id)).toMatchObject({ id, output: { prompt: 'hello' } })
  })

  test('reads a stream to its end', async () => {
    const { id } = await endpoint('demostream').run({ input: { prompt: 'hello' } })
    const outputs: string[] = []
    for await (const { output } of endpoint('demostream').stream(id)) outputs.push(output)
    expect(outputs.join('')).toBe('The quick brown fox jumps over the lazy dog.')
  })

  test('cancels a job that waits', async () => {
    emulator.clock.pause()
    const { id } = await endpoint('demo').run({ input: { prompt: 'hello' } })
    expect(await endpoint('demo').cancel(id)).toMatchObject({ id, status: 'CANCELLED' })
    emulator.clock.resume()
    expect(await endpoint('demo').status(id)).toMatchObject({ status: 'CANCELLED' })
  })

  test('purges a queue', async () => {
    emulator.clock.pause()
    await endpoint('demo').run({ input: { prompt: 'one' } })
    await endpoint('demo').run({ input: { prompt: 'two' } })
    expect(await endpoint('demo').purgeQueue()).toEqual({ removed: 2, status: 'completed' })
    emulator.clock.resume()
  })

  test('reads the health of an endpoint', async () => {
    await endpoint('demo').runSync({ input: { prompt: 'hello' } })
    const { jobs, workers } = await endpoint('demo').health()
    expect(jobs).toMatchObject({ completed: 1, failed: 0, inProgress: 0, inQueue: 0 })
    expect(workers).toMatchObject({ running: 0, throttled: 0 })
  })
})

/** `fetch` does not let anyone choose the Host header. */
function statusFor(port: number, host: string): Promise<number | undefined> {
  return new Promise((resolve, reject) => {
    const request = { host: '127.0.0.1', port, path: '/_emulator/ready', headers: { host } }
    get(request, (response) => {
      response.resume()
      resolve(response.statusCode)
    }).on('error', reject)
  })
}

function isFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer()
    server.once('error', () => resolve(false))
    server.listen(port, '127.0.0.1', () => server.close(() => resolve(true)))
  })
}
