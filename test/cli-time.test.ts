/** Commands that keep worlds, go back to them, and hold a run against what was expected of it. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Finished, run, type Started, start } from './support/command.ts'
import { temporaryFolder } from './support/folder.ts'

const directory = temporaryFolder('cli-time')
const file = (name: string) => join(directory, name)

let emulator: Started
const speak = (...args: string[]): Promise<Finished> => run([...args, '--url', emulator.url])
const submit = async (input: object): Promise<string> => {
  const answer = await fetch(`${emulator.url}/v2/demo/run`, {
    method: 'POST',
    headers: { authorization: 'Bearer k', 'content-type': 'application/json' },
    body: JSON.stringify({ input }),
  })
  return ((await answer.json()) as { id: string }).id
}

beforeAll(async () => {
  emulator = await start(['--clock', 'manual', '--log-level', 'silent'])
})
beforeEach(() => speak('reset'))
afterAll(() => emulator.stop())

test('clock run-until stops when it is so, and exits with 1 when the limit came first', async () => {
  const id = await submit({ mock_delay: 5 })
  const done = await speak('clock', 'run-until', `jobs.${id}.status == COMPLETED`)
  expect(done).toMatchObject({
    code: 0,
    stdout: expect.stringMatching(/^It is now 2026-01-01T00:00:05/),
  })
  const never = await speak('clock', 'run-until', 'counts.pods == 7', '--limit', '1m')
  expect(never).toMatchObject({
    code: 1,
    stderr: 'after 1m it still is not so that counts.pods == 7\n',
  })
  expect(await speak('clock', 'run-until', 'nonsense')).toMatchObject({ code: 2 })
})

test('a snapshot is kept, listed, written to a file, loaded and deleted', async () => {
  expect((await speak('snapshot')).stderr).toContain('There are no snapshots')
  const id = await submit({ mock_delay: 5 })
  const saved = await speak('snapshot', 'save', 'before', '--file', file('before.json'))
  expect(saved.stdout).toMatch(
    /^Kept 'before' in memory and in .*: 1 pods, \d+ endpoints, \d+ workers, 1 jobs, at 2026/,
  )
  expect((await speak('snapshot', 'list')).stdout).toMatch(/^NAME +TIME +HAS\nbefore +2026/)
  expect((await speak('snapshot', 'delete', 'before')).stdout).toBe("Forgot 'before'.\n")
  await speak('clock', 'advance', '2h')
  expect((await speak('snapshot', 'load', 'before')).code).toBe(1)
  const loaded = await speak('snapshot', 'load', 'before', '--file', file('before.json'))
  expect(loaded.stdout).toMatch(
    /^The world is as 'before' kept it\. It is 2026-01-01T00:00:00\.000Z/,
  )
  expect((await speak('explain', 'job', id)).stdout).toContain('IN_QUEUE')
  await speak('snapshot', 'delete', 'before')
})

test('a file that is no snapshot is refused in words', async () => {
  writeFileSync(file('wrong.json'), 'not json')
  expect(await speak('snapshot', 'load', 'x', '--file', file('wrong.json'))).toMatchObject({
    code: 2,
    stderr: `${file('wrong.json')} is not a snapshot: it is not JSON\n`,
  })
  expect((await speak('snapshot', 'load', 'x', '--file', file('none.json'))).stderr).toContain(
    'cannot be read',
  )
  writeFileSync(file('empty.json'), '{}')
  expect(await speak('snapshot', 'load', 'x', '--file', file('empty.json'))).toMatchObject({
    code: 2,
  })
})

test('verify exits with 0 when requests came as expected, and else with 1 and the nearest', async () => {
  await submit({})
  await submit({})
  const met = await speak('verify', '--operation', 'jobs.run', '--at-least', '2')
  expect(met).toMatchObject({ code: 0, stdout: expect.stringContaining('As expected: ') })
  const missed = await speak('verify', '--operation', 'v2.createPod', '--path', '/v2/demo/run')
  const stderr = expect.stringContaining(
    'not as expected: 0 of such requests came; expected at least 1',
  )
  expect(missed).toMatchObject({ code: 1, stderr })
  expect(missed.stdout).toMatch(/POST +\/v2\/demo\/run +jobs\.run/)
})

test('two timelines of the same seed are the same, and diff shows where others part', async () => {
  const story = async (name: string, seconds: number) => {
    await speak('reset')
    await submit({ mock_delay: seconds })
    await speak('clock', 'advance', '1m')
    writeFileSync(file(name), (await speak('timeline')).stdout)
  }
  await story('first', 5)
  await story('second', 5)
  await story('third', 9)
  const same = await run(['timeline', 'diff', file('first'), file('second')])
  expect(same).toMatchObject({
    code: 0,
    stdout: expect.stringMatching(/^The same, all \d+ entries\.\n$/),
  })
  const other = await run(['timeline', 'diff', file('first'), file('third')])
  expect(other).toMatchObject({
    code: 1,
    stderr: expect.stringMatching(/^the timelines part at entry \d+/),
  })
  expect(other.stdout).toMatch(/\n- \{.*\n\+ \{/)
  const json = await run(['timeline', 'diff', file('first'), file('third'), '--json'])
  expect(JSON.parse(json.stdout)).toMatchObject({ same: false, first: expect.any(String) })
})

test('requests and the timeline come in forms that other tools read', async () => {
  await submit({})
  const har = JSON.parse((await speak('requests', '--format', 'har')).stdout)
  expect(har.log.entries.length).toBeGreaterThan(0)
  const trace = JSON.parse((await speak('timeline', '--format', 'perfetto')).stdout)
  expect(trace.traceEvents.length).toBeGreaterThan(0)
})

test('a fork gives a key a world of its own, and accounts shows it masked', async () => {
  const forked = await speak('fork', 'key-of-test-7')
  expect(forked.stdout).toMatch(/^The key key-…st-7 opens a world of its own, at 2026/)
  expect((await speak('accounts')).stdout).toMatch(/\n\(any other key\) .*\nkey-…st-7 /)
})

test('what data centers have can be seen and changed', async () => {
  const set = await speak('capacity', 'set', 'EU-RO-1', 'NVIDIA GeForce RTX 4090', '0')
  expect(set.stdout).toMatch(
    /^DATA CENTER +TYPE +CLOUD +FREE\nEU-RO-1 +NVIDIA GeForce RTX 4090 +SECURE +0\n/,
  )
  const get = await speak('capacity', '--data-center', 'EU-RO-1')
  expect(get.stdout).toMatch(/NVIDIA GeForce RTX 4090 +SECURE +0\n/)
  expect(await speak('capacity', 'set', 'XX-1', 'NVIDIA L4', '0')).toMatchObject({ code: 1 })
  expect(await speak('capacity', 'set', 'EU-RO-1', 'NVIDIA L4', 'many')).toMatchObject({ code: 2 })
})

test('webhooks says when there are none', async () => {
  expect((await speak('webhooks')).stderr).toBe('No job has asked for a webhook yet.\n')
})
