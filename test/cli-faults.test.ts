/** The command's faults, spoken to a running emulator. */
import { run, type Started, start } from './support/command.ts'

/** In ms: a test runs several processes one after the other. */
const slow = 30_000

let cloud: Started

beforeAll(async () => {
  cloud = await start(['--clock', 'manual'])
})
afterAll(() => cloud.stop())

const faults = (...args: string[]) => run(['faults', ...args, '--url', cloud.url])
const health = () =>
  fetch(`${cloud.url}/v2/demo/health`, { headers: { authorization: 'Bearer key' } })

test(
  'a fault is added, strikes, is listed with its hits, and taken away',
  async () => {
    expect(await faults()).toMatchObject({ stderr: 'Nothing goes wrong on purpose.\n', stdout: '' })
    const added = await faults(
      ...['add', 'reply', 'status=418', 'body=tea pot', '--operation', 'jobs.health'],
      ...['--every', '2', '--times', '2', '--for', '10m', '--id', 'tea'],
    )
    expect(added).toMatchObject({ code: 0, stderr: '' })
    expect((await health()).status).toBe(200)
    const struck = await health()
    expect([struck.status, await struck.text()]).toEqual([418, 'tea pot'])
    const { stdout } = await faults('list')
    expect(stdout).toBe(
      [
        'ID   EFFECT  STRIKES      WHEN                                              MATCHES  HITS  STATUS',
        'tea  reply   jobs.health  every 2, 2 times, until 2026-01-01T00:10:00.000Z  2        1     ACTIVE',
        '',
      ].join('\n'),
    )
    expect(await faults('remove', 'tea')).toMatchObject({ stdout: "The fault 'tea' is gone.\n" })
    expect((await health()).status).toBe(200)
  },
  slow,
)

test(
  'spans and JSON are read, and faults cleared',
  async () => {
    const { stdout } = await faults('add', 'delay', 'ms=2s', '--after', '1h', '--json')
    const { rule, id } = JSON.parse(stdout)
    expect(rule).toEqual({ afterMs: 3_600_000, effect: { kind: 'delay', ms: 2_000 } })
    const drawn = await faults('add', 'delay', 'ms={"uniform":[1,2]}', '--json')
    expect(JSON.parse(drawn.stdout).rule.effect.ms).toEqual({ uniform: [1, 2] })
    expect((await faults('clear')).stdout).toBe('2 faults at work taken away.\n')
    expect(await faults('remove', id)).toMatchObject({ code: 1 })
  },
  slow,
)

// prettier-ignore
test.each([
  [
    'an effect there is not',
    ['add', 'rply', 'status=500'],
    "effect.kind: no effect 'rply'; did you mean 'reply'?\n",
  ],
  [
    'an operation there is not',
    ['add', 'reset', '--operation', 'jobs.rum'],
    "operation: no operation 'jobs.rum'; did you mean 'jobs.run'?\n",
  ],
  [
    'a field of the wrong kind',
    ['add', 'truncate', 'bytes=many'],
    'effect.bytes: value must be of type integer\n',
  ],
  [
    'a span that is none',
    ['add', 'reset', '--after', 'soon'],
    "--after takes a span of time such as 90s or 1h30m, not 'soon'\n",
  ],
  [
    'no effect at all',
    ['add'],
    'Not enough non-option arguments: got 0, need at least 1\nSee: compute-emulator faults add --help\n',
  ],
])(
  '%s is misuse, and nothing changes',
  async (_what, args, stderr) => {
    expect(await faults(...args)).toEqual({ code: 2, stdout: '', stderr })
    expect((await faults('list', '--json')).stdout).toBe('{"faults":[]}\n')
  },
  slow,
)

test('the help of faults add lists effects and examples', async () => {
  const { stdout } = await run(['faults', 'add', '--help'])
  expect(stdout).toContain('compute-emulator faults add <effect> [fields..] [options]')
  expect(stdout).toContain('duplicate-webhook (copies)')
  expect(stdout).toContain('compute-emulator faults add hang-job --nth 3')
})

test(
  'prices and CUDA versions are set and shown',
  async () => {
    const capacity = (...args: string[]) => run(['capacity', ...args, '--url', cloud.url])
    const there = ['--data-center', 'EU-RO-1', '--tier', 'secure']
    const { stdout } = await capacity('set-price', 'NVIDIA L4', '0.9', ...there)
    expect(stdout).toMatch(/^TYPE +DATA CENTER +SECURE +COMMUNITY +SERVERLESS\n/)
    expect(stdout).toMatch(/\nNVIDIA L4 +EU-RO-1 +0\.9 +- +-\n$/)
    expect((await capacity('prices', 'NVIDIA L4')).stdout).toBe(stdout)
    expect(await capacity('set-cuda', 'EU-RO-1', '12.8', '12.4')).toMatchObject({
      stdout: 'EU-RO-1 has CUDA 12.4, 12.8.\n',
    })
    expect(await capacity('set-price', 'NVIDIA X', '1')).toMatchObject({ code: 1 })
  },
  slow,
)
