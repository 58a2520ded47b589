/** The helper for test suites, in the suites of `examples/tests`, run by their own runners. */
import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { type Hooks, useEmulator } from '../src/testing.ts'

const root = fileURLToPath(new URL('..', import.meta.url))

function run(args: readonly string[]) {
  const { status, stdout, stderr } = spawnSync(process.execPath, args, {
    cwd: root,
    encoding: 'utf8',
    env: { PATH: process.env.PATH },
  })
  return { status, said: stdout + stderr }
}

test('a suite of node:test', () => {
  const { status, said } = run(['--test', 'examples/tests/node-test/render.test.mjs'])
  expect([status, /^# pass (\d+)$/m.exec(said)?.[1] ?? said]).toEqual([0, '4'])
})

test('a suite of jest', () => {
  const jest = ['--experimental-vm-modules', 'node_modules/jest/bin/jest.js']
  const { status, said } = run([...jest, '--config', 'examples/tests/jest/jest.config.mjs'])
  expect([status, /^Tests: +(\d+) passed/m.exec(said)?.[1] ?? said]).toEqual([0, '4'])
})

test('hooks of a runner that has others are passed', async () => {
  const registered: Record<string, () => Promise<void>> = {}
  const hook = (name: string) => (run: () => Promise<void>) => {
    registered[name] = run
  }
  const names = ['before', 'beforeEach', 'afterEach', 'after']
  const hooks: Hooks = Object.fromEntries(names.map((name) => [name, hook(name)]))
  const prepared: string[] = []
  const prepare = () => void prepared.push('once')
  const cloud = useEmulator({ prepare }, hooks)
  expect(() => cloud.clock).toThrow('while a test runs')
  for (const name of names.slice(0, 2)) await registered[name]?.()
  expect((await fetch('https://api.runpod.ai/v2/demo/health')).status).toBe(401)
  for (const name of names.slice(2)) await registered[name]?.()
  expect(prepared).toHaveLength(1)
})

test('a runner without hooks is told what to do', () => {
  expect(() => useEmulator({}, {})).toThrow('pass your runner')
})
