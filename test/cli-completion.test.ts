/** What a shell completes: from the tables of commands, and from the emulator that answers. */
import { spawnSync } from 'node:child_process'
import { chmodSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { candidates } from '../src/cli/completion/complete.ts'
import { run, type Started, start } from './support/command.ts'
import { temporaryFolder } from './support/folder.ts'

let emulator: Started
beforeAll(async () => {
  emulator = await start(['--clock', 'manual', '--log-level', 'silent'])
})
afterAll(() => emulator.stop())

const words = async (...typed: string[]) => (await candidates(typed)).map(({ word }) => word)

// prettier-ignore
test.each([
  ['commands', ['sta'], ['start', 'status']],
  ['members of a group', ['clock', 're'], ['resume']],
  ['options, those of a group as well', ['clock', '--j'], ['--json']],
  ['options that are not there yet', ['start', '--clock', 'auto', '--clo'], []],
  ['options that may come again', ['start', '--handler', 'demo=slow', '--han'], ['--handler']],
  ['values that an option may have', ['start', '--clock', 'm'], ['manual']],
  ['what stands by its place', ['env', 'runpod'], ['runpod-python', 'runpodctl']],
  ['what stands by its place, after options', ['env', '--endpoint', 'demo', 'js'], ['js-sdk']],
  ['the second of two', ['explain', 'j'], ['job']],
  ['nothing where anything may come', ['start', '--seed', ''], []],
  ['nothing for a command that is none', ['nope', ''], []],
])('%s', async (_what, typed, expected) => {
  expect(await words(...typed)).toEqual(expected)
})

test('names come from the emulator that is meant', async () => {
  const { url } = emulator
  expect(await words('worker-env', '--url', url, 'demol')).toEqual(['demolb', 'demollm'])
  expect(await words('env', '--url', url, '--endpoint', 'demos')).toEqual(['demostream'])
  await run(['snapshot', 'save', 'before', '--url', url])
  expect(await words('snapshot', 'load', '--url', url, '')).toEqual(['before'])
  const fault = ['faults', 'add', 'refuse', 'code=no_capacity', '--id', 'sold-out', '--url', url]
  await run(fault)
  expect(await words('faults', 'remove', '--url', url, '')).toEqual(['sold-out'])
})

test('where no emulator answers there are no names, and no failure', async () => {
  expect(await words('worker-env', '--url', 'http://127.0.0.1:9', '')).toEqual([])
  const { code, stdout, stderr } = await run(['__complete', 'fork', ''])
  expect({ code, stdout, stderr }).toEqual({ code: 0, stdout: '', stderr: '' })
})

test('bash completes with the script that is printed for it', async () => {
  const { stdout: script } = await run(['completion', 'bash'])
  const directory = temporaryFolder('completion')
  const program = resolve('bin/compute-emulator.js')
  const shim = join(directory, 'compute-emulator')
  writeFileSync(shim, `#!/bin/sh\nexec '${process.execPath}' '${program}' "$@"\n`)
  chmodSync(shim, 0o755)
  const ask = [
    script,
    'COMP_WORDS=(compute-emulator start --clock "")',
    'COMP_CWORD=3',
    '_compute_emulator',
    'printf "%s," "$' + '{COMPREPLY[@]}"',
  ].join('\n')
  const env = { PATH: `${directory}:${process.env.PATH}` }
  const { stdout } = spawnSync('bash', ['--norc', '-c', ask], { encoding: 'utf8', env })
  expect(stdout).toBe('real,manual,auto,')
})

test.each(['bash', 'zsh', 'fish'])('a script for %s asks the command itself', async (shell) => {
  const { code, stdout } = await run(['completion', shell])
  expect(code).toBe(0)
  expect(stdout).toContain('compute-emulator __complete')
})
