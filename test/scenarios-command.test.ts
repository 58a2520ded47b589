/** `scenario`, `fixtures`, `schema` and `start --scenario`, as they are shipped. */
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { readYaml } from '../src/adapters/fixtures/read-yaml.ts'
import { allScenarios } from '../src/scenarios/find.ts'
import { run, start } from './support/command.ts'
import { temporaryFolder } from './support/folder.ts'
import { queueStart, writeScenario } from './support/scenario.ts'

/** Commands are processes of their own, and other tests run beside this one. */
const patienceMs = 60_000

const kinds = ['catalog', 'fault', 'handlers', 'profiles', 'scenarios', 'worlds']

const folder = () => temporaryFolder('scenario')
const failing = {
  start: queueStart,
  timeline: [{ request: { path: '/v2/e/health' }, expect: { status: 418 } }],
}
/** With some seeds its one job takes longer than it may. */
const chancy = {
  start: queueStart,
  settings: { waits: { jobExecutionMs: { uniform: [0, 10_000] } } },
  timeline: [{ request: { path: '/v2/e/run', body: { input: 1 } } }, { advance: '1m' }],
  expect: { executionMs: { max: { atMost: 8_000 } } },
}

test(
  'scenario run plays a scenario that is named, and says what it came to',
  async () => {
    const { code, stdout } = await run(['scenario', 'run', 'happy-queue'])
    expect(code).toBe(0)
    expect(stdout).toMatch(
      /^ok +happy-queue +21 s in \d+ ms, 2 jobs, \d+ entries, 0.0008 USD, seed 1/,
    )
    expect(stdout).toMatch(/1 scenario passed/)
  },
  patienceMs,
)

test(
  'a scenario that fails ends the command with 1, and JUnit has the reason',
  async () => {
    const junit = join(folder(), 'junit.xml')
    const files = [writeScenario(failing, 'teapot'), 'runsync-hand-off']
    const { code, stdout, stderr } = await run(['scenario', 'run', ...files, '--junit', junit])
    expect(code).toBe(1)
    expect(stdout).toMatch(/FAILED teapot/)
    expect(stdout).toMatch(/teapot.json:\d+ timeline\[0\]/)
    expect(stdout).toMatch(/expected {2}418/)
    expect(stderr).toContain('1 of 2 scenarios failed: teapot')
    const xml = readFileSync(junit, 'utf8')
    expect(xml).toContain('<testsuites tests="2" failures="1"')
    expect(xml).toMatch(
      /<testcase classname="scenarios" name="teapot".*>\n.*<failure message="failed at/,
    )
    expect(xml).toContain('&quot;')
  },
  patienceMs,
)

test(
  'a scenario that is not right ends the command with 2, before any other is played',
  async () => {
    const broken = writeScenario({ timeline: [{ request: { path: '/x', boddy: {} } }] }, 'broken')
    const { code, stdout, stderr } = await run(['scenario', 'run', 'happy-queue', broken])
    expect([code, stdout]).toEqual([2, ''])
    expect(stderr).toMatch(
      /broken.json:\d+:\d+ timeline\[0\].request.boddy: unknown field; did you mean 'body'\?/,
    )
    expect(stderr).toContain('Nothing was run.')
    expect((await run(['scenario', 'validate', broken])).code).toBe(2)
    expect((await run(['scenario', 'validate', 'happy-queue'])).stdout).toBe(
      '1 scenario is right.\n',
    )
  },
  patienceMs,
)

test(
  'a name that no scenario has is refused with the nearest',
  async () => {
    const { code, stderr } = await run(['scenario', 'run', 'happy-que'])
    expect(code).toBe(2)
    expect(stderr).toContain("did you mean 'happy-queue'?")
  },
  patienceMs,
)

test(
  'many seeds end with the smallest that fails',
  async () => {
    const file = writeScenario(chancy, 'chancy')
    const all = await run(['scenario', 'run', file, '--seeds', '50', '--json'])
    expect(all.code).toBe(1)
    const { seed } = JSON.parse(all.stdout)
    expect(Number(seed)).toBeGreaterThan(1)
    const again = (value: number) => run(['scenario', 'run', file, '--seed', String(value)])
    expect((await again(Number(seed))).code).toBe(1)
    expect((await again(Number(seed) - 1)).code).toBe(0)
  },
  patienceMs,
)

test(
  'a transcript that was kept is compared with, byte for byte',
  async () => {
    const golden = folder()
    const play = (...more: string[]) =>
      run(['scenario', 'run', 'ttl-expiry', '--golden', golden, ...more])
    expect((await play()).code).toBe(1)
    expect((await play('--update')).stderr).toContain('ttl-expiry.ndjson was written')
    expect((await play()).code).toBe(0)
    const file = join(golden, 'ttl-expiry.ndjson')
    writeFileSync(file, readFileSync(file, 'utf8').replace('worker.ready', 'worker.late'))
    const changed = await play()
    expect(changed.code).toBe(1)
    expect(changed.stdout).toMatch(/ttl-expiry.ndjson:\d+/)
    expect(changed.stdout).toContain('worker.late')
    expect((await run(['scenario', 'run', 'ttl-expiry', '--update'])).code).toBe(2)
  },
  patienceMs,
)

test(
  'scenario list has every built-in scenario, with where it comes from',
  async () => {
    const { stdout } = await run(['scenario', 'list', '--json'])
    const listed: { name: string; provenance: string[] }[] = JSON.parse(stdout)
    expect(listed).toHaveLength(allScenarios().length)
    expect(listed.every(({ provenance }) => provenance.length > 0)).toBe(true)
    expect((await run(['scenario'])).stdout).toMatch(/^cancel-matrix +What cancelling does/m)
  },
  patienceMs,
)

test(
  'the schema that is printed is the one that scenarios are held against',
  async () => {
    const { stdout } = await run(['schema', 'scenarios'])
    const validate = new Ajv2020({ strict: false }).compile(JSON.parse(stdout))
    for (const path of allScenarios()) {
      validate(readYaml(path).value)
      // Defaults are filled in only by the reader.
      const wrong = validate.errors?.filter(({ keyword }) => keyword !== 'required') ?? []
      expect([path, wrong]).toEqual([path, []])
    }
    const all = JSON.parse((await run(['schema'])).stdout)
    expect(Object.keys(all)).toEqual(kinds)
  },
  patienceMs,
)

test(
  'fixtures init writes a folder that works, and never over another',
  async () => {
    const target = join(folder(), 'mine')
    const { code, stdout } = await run(['fixtures', 'init', target])
    expect(code).toBe(0)
    expect(stdout).toContain(join(target, 'scenarios/first.yaml'))
    const played = await run(['scenario', 'run', 'first', '--fixtures', target])
    expect(played).toMatchObject({ code: 0, stdout: expect.stringMatching(/^ok +first/) })
    expect((await run(['fixtures', 'init', target])).code).toBe(1)
  },
  patienceMs,
)

test(
  'start --scenario plays it on the clock of those who meet it',
  async () => {
    const { url, first, stop } = await start([
      '--scenario',
      'throttled-then-recovers',
      '--clock',
      'manual',
    ])
    expect(first).toMatchObject({ seed: '1', endpoints: [{ id: 'narrow', type: 'QUEUE' }] })
    const health = async () => {
      const reply = await fetch(`${url}/v2/narrow/health`, {
        headers: { authorization: 'Bearer k' },
      })
      return ((await reply.json()) as { jobs: object }).jobs
    }
    const advance = (by: string) =>
      fetch(`${url}/_emulator/clock/advance`, {
        method: 'POST',
        body: JSON.stringify({ by }),
        headers: { 'content-type': 'application/json' },
      })
    await advance('1m')
    expect(await health()).toMatchObject({ inQueue: 2, completed: 0 })
    await advance('30m')
    // The scenario goes on when the clock has passed its next step, and sees to the machines then.
    await advance('30m')
    expect(await health()).toMatchObject({ inQueue: 0, completed: 2 })
    await stop()
  },
  patienceMs,
)

const as = (key: string) => ({
  headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
})

/** What comes back from a path, with a body posted there. */
// biome-ignore lint/suspicious/noExplicitAny: tests read bodies of every shape.
async function ask(url: string, path: string, key: string, body?: object): Promise<any> {
  const options = body === undefined ? {} : { method: 'POST', body: JSON.stringify(body) }
  return (await fetch(`${url}${path}`, { ...as(key), ...options })).json()
}

test(
  'what is said at the start wins over what the scenario says',
  async () => {
    // The file lets in nobody but the keys that it lists.
    const { url, stop } = await start([
      ...['--scenario', 'key-scopes', '--clock', 'manual', '--auth', 'any', '--isolate'],
      ...['--keep-requests', '2', '--rest-v1', 'retired', '--start-at', '2026-03-01T00:00:00Z'],
    ])
    const podsOf = (key: string) => ask(url, '/v2/pods', key)
    expect(await podsOf('nobody-knows-it')).toMatchObject({ pods: [{ id: 'trainer' }] })
    await fetch(`${url}/v2/pods/trainer`, { ...as('nobody-knows-it'), method: 'DELETE' })
    expect(await podsOf('nobody-knows-it')).toMatchObject({ pods: [] })
    expect(await podsOf('full')).toMatchObject({ pods: [{ id: 'trainer' }] })
    expect((await fetch(`${url}/v1/pods`, as('full'))).status).toBe(410)
    const { requests } = await ask(url, '/_emulator/requests', '')
    expect(requests).toHaveLength(2)
    const { now } = await ask(url, '/_emulator/clock', '')
    expect(now).toMatch(/^2026-03-01/)
    await stop()
  },
  patienceMs,
)

test(
  'a fidelity switch that is said wins, and the others stay as the scenario has them',
  async () => {
    const file = writeScenario({
      settings: { fidelity: { executionTimeoutStatus: 'TIMED_OUT', emptyInput: 'accept' } },
      start: queueStart,
      timeline: [{ advance: '1s' }],
    })
    const { url, stop } = await start([
      ...['--scenario', file, '--clock', 'manual'],
      ...['--fidelity', 'executionTimeoutStatus=FAILED'],
    ])
    const send = (path: string, body?: object) => ask(url, path, 'k', body)
    const long = { input: { mock_delay: 60 }, policy: { executionTimeout: 5_000 } }
    const jobs = [await send('/v2/e/run', long), await send('/v2/e/run', { input: {} })]
    await send('/_emulator/clock/advance', { by: '1m' })
    const ends = jobs.map(async ({ id }) => (await send(`/v2/e/status/${id}`)).status)
    expect(await Promise.all(ends)).toEqual(['FAILED', 'COMPLETED'])
    await stop()
  },
  patienceMs,
)

test.each([
  ['--worker', "demo='true'"],
  ['--handler', 'demo=slow'],
  ['--pods', 'docker'],
  ['--docker-network', 'bridge'],
  ['--worker-checks'],
  ['--limits', 'on'],
  ['--data', '/nowhere'],
])(
  '%s is refused beside a scenario, which brings its own world',
  async (...option) => {
    const { code, stderr } = await run(['start', '--scenario', 'happy-queue', ...option])
    expect([code, stderr]).toEqual([
      2,
      expect.stringContaining(`leave out ${option[0]}, or --scenario`),
    ])
  },
  patienceMs,
)
