/** Emulators in the background: started, found again, listened to, ended. */
import { closeSync, mkdirSync, openSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { toArguments } from '../src/cli/background/detach.ts'
import { cut } from '../src/cli/background/log-file.ts'
import { type Options, readValues } from '../src/cli/options.ts'
import { startOptions } from '../src/cli/start/start-options.ts'
import { run } from './support/command.ts'
import { temporaryFolder } from './support/folder.ts'

let home: string
const env = () => ({ XDG_STATE_HOME: home })
const files = () => readdirSync(join(home, 'compute-emulator')).sort()
const speak = (...args: string[]) => run(args, env())
const say = async (...args: string[]) => JSON.parse((await speak(...args, '--json')).stdout)

beforeEach(() => {
  home = temporaryFolder('background')
})
afterEach(() => speak('stop', '--all'))

const detach = (...args: string[]) => say('start', '--detach', '--port', '0', ...args)

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return !/\) Z /.test(readFileSync(`/proc/${pid}/stat`, 'utf8'))
  } catch {
    return false
  }
}

test('an emulator goes on after the command that started it, as it was asked to be', async () => {
  const told = await run(['start', '--detach', '--port', '0', '--seed', '7', '--json'], {
    ...env(),
    COMPUTE_EMULATOR_PROFILE: 'instant',
  })
  const { url, port, pid, log } = JSON.parse(told.stdout)
  expect(told).toMatchObject({ code: 0, stderr: '' })
  expect(await (await fetch(`${url}/_emulator/health`)).json()).toMatchObject({ pid })
  expect(await (await fetch(`${url}/_emulator/state`)).json()).toMatchObject({
    seed: '7',
    profile: 'instant',
  })
  expect(log).toBe(join(home, 'compute-emulator', `${port}.log`))
  expect(files()).toEqual([`${port}.json`, `${port}.log`])
})

test('of two, one has to be named; each ends alone, and leaves nothing behind', async () => {
  const [one, two] = [await detach(), await detach()]
  const several = await speak('stop')
  expect(several).toMatchObject({ code: 1, stdout: '' })
  expect(several.stderr).toContain('several emulators go on in the background; say --port')
  expect(await say('stop', '--port', String(one.port))).toEqual({
    stopped: [{ port: one.port, pid: one.pid, end: 'stopped' }],
  })
  expect([isAlive(one.pid), isAlive(two.pid)]).toEqual([false, true])
  const { stdout } = await speak('stop')
  expect(stdout).toBe(`The emulator on port ${two.port}, process ${two.pid}, has ended.\n`)
  expect(isAlive(two.pid)).toBe(false)
  expect(files()).toEqual([])
  expect(await speak('stop')).toMatchObject({
    code: 1,
    stderr:
      'no emulator goes on in the background; start one with: compute-emulator start --detach\n',
  })
})

test('a start that fails says why as it does in the foreground, and leaves nothing behind', async () => {
  const { port } = await detach()
  const taken = await speak('start', '--detach', '--port', String(port))
  expect(taken).toEqual({
    code: 1,
    stdout: '',
    stderr: `port ${port} is taken; start with --port 0 for a free one, or another --port\n`,
  })
  const wrong = await speak('start', '--detach', '--world', 'x')
  expect(wrong).toMatchObject({ code: 2, stdout: '' })
  expect(wrong.stderr).toContain("there is no world 'x'")
  expect(files()).toEqual([`${port}.json`, `${port}.log`])
})

test('its log has what it says, and can be followed until it ends', async () => {
  const { url, port } = await detach('--log-level', 'info')
  const call = (path: string) => fetch(url + path, { headers: { authorization: 'Bearer k' } })
  await call('/v2/pods')
  const following = speak('logs', '--follow', '--lines', '1000')
  const said = async (part: string) => {
    for (;;) {
      const { lines } = await say('logs')
      if (lines.join('\n').includes(part)) return
    }
  }
  await said('/v2/pods')
  await call('/v2/templates')
  await said('/v2/templates')
  await speak('stop', '--port', String(port))
  const { code, stdout } = await following
  expect(code).toBe(0)
  expect(stdout.match(/"url":/g)).toHaveLength(1)
  expect(stdout.match(/\/v2\/pods"/g)).toHaveLength(1)
  expect(stdout.match(/\/v2\/templates"/g)).toHaveLength(1)
})

/** As one leaves it that was killed, or whose machine went down. */
function leave(pid: number, url: string): void {
  const directory = join(home, 'compute-emulator')
  mkdirSync(directory, { recursive: true })
  const log = join(directory, '4999.log')
  const left = { port: 4999, pid, url, log, startedAt: '2026-01-01T00:00:00Z' }
  writeFileSync(join(directory, '4999.json'), JSON.stringify(left))
  writeFileSync(log, 'a line\n')
}

test('what an emulator left that is gone is told by doctor, and cleared away by stop', async () => {
  const { pid, url } = await detach()
  await speak('stop')
  leave(pid, url)
  const { healthy, findings } = await say('doctor', '--port', '0')
  expect(healthy).toBe(false)
  expect(findings).toContainEqual({
    about: 'background',
    state: 'wrong',
    says: `process ${pid} of ${url} is gone; clear it away with: compute-emulator stop --port 4999`,
  })
  expect((await speak('stop')).stdout).toContain('was gone; its files are cleared away')
  expect(files()).toEqual([])
})

test('a process that has its number now is not ended', async () => {
  leave(process.pid, 'http://127.0.0.1:9')
  const { code, stderr } = await speak('stop')
  expect(code).toBe(1)
  expect(stderr).toContain(`process ${process.pid} does not answer as the emulator`)
  expect(files()).toEqual(['4999.json', '4999.log'])
  leave(2 ** 22 + 1, 'http://127.0.0.1:9')
})

test('files that are not ours are left alone', async () => {
  leave(1, 'http://127.0.0.1:9')
  const directory = join(home, 'compute-emulator')
  writeFileSync(join(directory, '4999.json'), '{"half')
  writeFileSync(join(directory, 'notes.json'), '{}')
  expect((await speak('stop')).stderr).toContain('no emulator goes on in the background')
  expect(files()).toEqual(['4999.json', '4999.log', 'notes.json'])
})

test('every option of start reaches the process in the background as it was given', () => {
  const given = {
    port: '0',
    'allow-host': ['a.test', '*'],
    'worker-checks': true,
    worker: ["demo=python -u 'a b.py' --x=1"],
    handler: ['demo=slow'],
    clock: 'manual',
    speed: '2.5',
    bound: ['connections=5'],
    detach: true,
    json: true,
  }
  const values = readValues(startOptions, given, {})
  const table: Options = startOptions
  const options = Object.entries(table).map(([name, { type }]) => {
    const kind = type === 'boolean' ? ('boolean' as const) : ('string' as const)
    return [name, { type: kind, multiple: kind === 'string' }] as const
  })
  const parsed = parseArgs({ args: toArguments(values), options: Object.fromEntries(options) })
  expect(readValues(startOptions, parsed.values, {})).toEqual({ ...values, detach: false })
})

test('a log that is too long keeps its last lines, whole', () => {
  const path = join(home, 'a.log')
  const file = openSync(path, 'a+')
  writeFileSync(path, Array.from({ length: 1_000 }, (_, n) => `line ${n}\n`).join(''))
  cut(file, 20_000, 100)
  expect(readFileSync(path, 'utf8')).toHaveLength(8_890)
  cut(file, 5_000, 100)
  const kept = readFileSync(path, 'utf8')
  expect(kept).toMatch(/^(line 9\d\d\n)+$/)
  expect(kept.endsWith('line 999\n')).toBe(true)
  closeSync(file)
})
