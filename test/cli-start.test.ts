/** The command line with an emulator: one that `start` started, and commands that speak to it. */
import { get } from 'node:http'
import { type Finished, run, type Started, start } from './support/command.ts'

describe('commands that speak to an emulator whose clock stands still', () => {
  let emulator: Started
  const speak = (...args: string[]): Promise<Finished> => run([...args, '--url', emulator.url])

  beforeAll(async () => {
    emulator = await start(['--clock', 'manual', '--log-level', 'silent'])
  })
  afterAll(() => emulator.stop())

  test('start says in its first line where it is and how it was started', () => {
    const { port } = emulator.first
    expect(emulator.first).toMatchObject({
      url: `http://127.0.0.1:${port}`,
      profile: 'fast',
      world: 'default',
      seed: '0',
      clock: { mode: 'manual', now: '2026-01-01T00:00:00.000Z' },
    })
    expect(port).toBeGreaterThan(0)
  })

  test('wait and health end well', async () => {
    const stdout = `compute-emulator 0.1.0 at ${emulator.url} is ready.\n`
    expect(await speak('wait')).toEqual({ code: 0, stdout, stderr: '' })
    expect(await speak('health')).toEqual({ code: 0, stdout, stderr: '' })
  })

  test('clock advance and clock set move time and say where it is', async () => {
    await speak('reset')
    const advanced = await speak('clock', 'advance', '1h30m')
    expect(advanced.stdout).toMatch(
      /^It is now 2026-01-01T01:30:00\.000Z; \d+ events happened\.\n$/,
    )
    const set = await speak('clock', 'set', '2026-01-02T00:00:00Z')
    expect(set.stdout).toBe('It is now 2026-01-02T00:00:00.000Z; 0 events happened.\n')
    const { stdout } = await speak('clock')
    expect(stdout).toBe(
      // After three days without a request an endpoint is looked at.
      'It is 2026-01-02T00:00:00.000Z; the clock moves when told, and the next event is due at 2026-01-04T00:00:00.000Z.\n',
    )
  })

  test('time that would go back is refused, and a span that is none is misuse', async () => {
    await speak('reset')
    const back = await speak('clock', 'set', '2025-01-01T00:00:00Z')
    expect(back).toMatchObject({ code: 1, stdout: '' })
    expect(back.stderr).toContain('time does not go back; reset to begin again')
    const none = await speak('clock', 'advance', 'soon')
    expect(none).toMatchObject({ code: 2, stdout: '' })
    expect(none.stderr).toContain("'soon' is not a span of time")
  })

  test('clock speed, pause, resume and mode change how time moves', async () => {
    const json = async (...args: string[]) =>
      JSON.parse((await speak('clock', ...args, '--json')).stdout) as unknown
    expect(await json('speed', '60')).toMatchObject({ speed: 60 })
    expect(await json('pause')).toMatchObject({ paused: true })
    expect(await json('resume')).toMatchObject({ paused: false })
    expect(await json('mode', 'manual')).toMatchObject({ mode: 'manual' })
    await speak('clock', 'speed', '1')
  })

  test('status says what there is; with --json it is the answer of the control API', async () => {
    await speak('reset')
    const { stdout } = await speak('status')
    expect(stdout).toContain(`at ${emulator.url}, profile fast, seed 0.\nIt is 2026-01-01T00:00:00`)
    expect(stdout).toMatch(/\npods +1\n/)
    expect(stdout).toMatch(/\ndemolb +load balancer +1 initializing +-\n/)
    const told = await speak('status', '--json')
    const asked = await fetch(`${emulator.url}/_emulator/state`)
    expect(told.stdout).toBe(`${await asked.text()}\n`)
  })

  test('reset begins again with another seed', async () => {
    const { stdout } = await speak('reset', '--seed', '7')
    expect(stdout).toBe('The world is back at its start, with seed 7.\n')
    expect((await speak('status')).stdout).toContain('seed 7.')
    await speak('reset', '--seed', '0')
  })

  test('timeline prints one JSON object a line', async () => {
    await speak('reset')
    const { stdout } = await speak('timeline')
    const [first = ''] = stdout.split('\n')
    expect(JSON.parse(first)).toMatchObject({ seq: 1, kind: 'pod.created', id: 'demopod' })
  })

  test('requests lists the last ones', async () => {
    await fetch(`${emulator.url}/_emulator/health`)
    const { stdout } = await speak('requests', '--limit', '1')
    const [heading = '', row = ''] = stdout.split('\n')
    expect(heading).toMatch(/^AT +METHOD +PATH +OPERATION +STATUS +MS +FAULTS$/)
    expect(row).toMatch(/GET +\/_emulator\/health +control\.health +200/)
  })

  const call = (userAgent: string, path: string, body?: string) =>
    fetch(`${emulator.url}${path}`, {
      ...(body === undefined ? {} : { method: 'POST', body }),
      headers: {
        authorization: 'Bearer any',
        'content-type': 'application/json',
        'user-agent': userAgent,
      },
    })

  test('migration says that nothing deprecated was used', async () => {
    const stdout = 'Nothing deprecated was used: there was no call to REST v1 or GraphQL.\n'
    expect(await speak('migration')).toEqual({ code: 0, stdout, stderr: '' })
  })

  test('migration lists what was used, by whom, and what becomes of it', async () => {
    await call('any', '/_emulator/reset', '{}')
    for (const name of ['tool/1', 'tool/1', 'other']) await call(name, '/v1/pods/demopod')
    await call('old', '/graphql', '{"query": "{ myModels { id } }"}')
    const { stdout } = await speak('migration')
    const at = '2026-01-01T00:00:00.000Z'
    expect(stdout.split('\n')).toEqual([
      expect.stringMatching(/^OPERATION +USED +LAST USED AT +BY +BECOMES$/),
      expect.stringMatching(
        RegExp(`^v1.GetPod +2 +${at} +tool/1 +GET /v2/pods/\\{id\\} \\(getPod\\): status, not`),
      ),
      expect.stringMatching(RegExp(`^ +1 +${at} +other$`)),
      expect.stringMatching(RegExp(`^graphql.myModels +1 +${at} +old +nothing: v2 has no model`)),
      '',
    ])
    const { stdout: json } = await speak('migration', '--json')
    expect(JSON.parse(json).operations).toHaveLength(2)
  })

  test('requests names what GraphQL was asked for', async () => {
    await call('old', '/graphql', '{"query": "{ myModels { id } }"}')
    const { stdout } = await speak('requests', '--limit', '1')
    expect(stdout).toMatch(/POST +\/graphql +graphql: myModels +200/)
  })
})

test('the request log has one line for each request and never a key', async () => {
  const emulator = await start(['--clock', 'manual'])
  await fetch(`${emulator.url}/v2/rpa_SECRET/health`, {
    headers: { authorization: 'Bearer rpa_SECRET' },
  })
  const line = await emulator.nextLine()
  expect(line).not.toContain('SECRET')
  expect(JSON.parse(line)).toMatchObject({
    seq: 1,
    method: 'GET',
    path: '/v2/rpa_***/health',
    operation: 'jobs.health',
    offsetMs: 0,
  })
  await emulator.stop()
})

test('the log level error leaves out what did not fail here', async () => {
  const emulator = await start(['--log-level', 'error'])
  await fetch(`${emulator.url}/nowhere`)
  await emulator.stop()
  expect(await emulator.nextLine()).toBeUndefined()
})

test('variables stand in for options, and options win over them', async () => {
  const env = { COMPUTE_EMULATOR_SEED: '7', COMPUTE_EMULATOR_PROFILE: 'realistic' }
  const emulator = await start(['--profile', 'instant'], env)
  expect(emulator.first).toMatchObject({ seed: '7', profile: 'instant' })
  await emulator.stop()
})

test.each(['SIGTERM', 'SIGINT'] as const)(
  '%s ends it with 0 within 200 ms, and whoever waits is answered',
  async (signal) => {
    const emulator = await start(['--clock', 'manual'])
    const waiting = askAndWait(`${emulator.url}/v2/demo/runsync`)
    await untilSomebodyWaits(emulator.url)
    const { code, tookMs } = await emulator.stop(signal)
    expect(code).toBe(0)
    expect(tookMs).toBeLessThan(200)
    expect(await waiting).toBe(200)
  },
)

async function untilSomebodyWaits(url: string): Promise<void> {
  for (;;) {
    const clock = await fetch(`${url}/_emulator/clock`)
    const { waitingCallers } = (await clock.json()) as { waitingCallers: number }
    if (waitingCallers > 0) return
  }
}

/** Resolves to the status of an answer that takes its time. */
async function askAndWait(url: string): Promise<number> {
  const headers = { authorization: 'Bearer test-key', 'content-type': 'application/json' }
  const body = JSON.stringify({ input: { prompt: 'hello' } })
  return (await fetch(url, { method: 'POST', headers, body })).status
}

test('a host that was not allowed is refused until --allow-host names it', async () => {
  const closed = await start()
  expect(await statusFor(closed.url, 'emulator.test')).toBe(403)
  await closed.stop()
  const open = await start(['--allow-host', 'emulator.test'])
  expect(await statusFor(open.url, 'emulator.test')).toBe(200)
  await open.stop()
})

test('what callers may take, who may read and where webhooks go is said by options', async () => {
  const app = 'http://localhost:3000'
  const emulator = await start([
    ...['--bound', 'urlBytes=128', '--bound', 'jsonDepth=8'],
    ...['--allow-origin', app, '--webhook-target', 'hooks.example.com'],
    ...['--clock', 'manual'],
  ])
  const headers = { authorization: 'Bearer k', 'content-type': 'application/json', origin: app }
  const call = (path: string, body?: unknown) =>
    fetch(emulator.url + path, {
      headers,
      ...(body === undefined ? {} : { method: 'POST', body: JSON.stringify(body) }),
    })
  expect((await call(`/v2/pods?x=${'x'.repeat(128)}`)).status).toBe(414)
  expect((await call('/v2/demo/run', { input: [[[[[[[[[1]]]]]]]]] })).status).toBe(400)
  expect((await call('/v2/pods')).headers.get('access-control-allow-origin')).toBe(app)
  await call('/v2/demo/run', { input: 1, webhook: 'http://127.0.0.1:9/' })
  await call('/_emulator/clock/advance', { by: '1m' })
  const { webhooks } = (await (await call('/_emulator/webhooks')).json()) as { webhooks: object[] }
  expect(webhooks).toMatchObject([{ status: 'WITHHELD' }])
  await emulator.stop()
})

/** `fetch` does not let anyone choose the Host header. */
function statusFor(url: string, host: string): Promise<number | undefined> {
  return new Promise((resolve, reject) => {
    get(`${url}/_emulator/health`, { headers: { host } }, (response) => {
      response.resume()
      resolve(response.statusCode)
    }).on('error', reject)
  })
}
