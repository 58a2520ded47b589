/** Files of tests that worker authors have, as handlers. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { startCloud } from '../support/cloud.ts'
import { temporaryFolder } from '../support/folder.ts'

/** A cloud whose endpoint `demo` answers as such a file says. */
function startWith(content: unknown, name = 'tests.json') {
  const file = join(temporaryFolder('tests'), name)
  writeFileSync(file, typeof content === 'string' ? content : JSON.stringify(content, null, 2))
  return startCloud({ clock: 'auto', handlers: { demo: file } })
}

async function answers(content: unknown, inputs: readonly unknown[]): Promise<unknown[]> {
  const { post } = await startWith(content)
  const outputs: unknown[] = []
  for (const input of inputs) {
    const { body } = await post('/v2/demo/runsync', { input })
    outputs.push(body.output)
  }
  return outputs
}

const hardwareConfig = { endpointConfig: { name: '16GB GPU', gpuIds: 'AMPERE_16' } }

test('tests of the runner answer with what they expect, and other inputs come back', async () => {
  const tests = [
    { hardwareConfig, input: { audio: 'a.wav' }, expected_output: { text: 'hello' } },
    {
      id: 'second',
      hardwareConfig,
      input: { audio: 'b.wav', model: 'base' },
      expected_output: null,
    },
    { hardwareConfig, input: { mock_return: 'as told' } },
  ]
  const inputs = [
    { audio: 'a.wav', beam: 5 },
    { audio: 'b.wav', model: 'base' },
    { audio: 'c.wav' },
  ]
  expect(await answers(tests, [...inputs, { mock_return: 'as told' }])).toEqual([
    { text: 'hello' },
    null,
    { audio: 'c.wav' },
    'as told',
  ])
})

test('tests of the hub expect no output: inputs come back', async () => {
  const tests = [{ name: 'one', input: { prompt: 'a' }, timeout: 30_000 }]
  const config = { gpuTypeId: 'NVIDIA L4', gpuCount: 1, env: [{ key: 'A', value: 'b' }] }
  expect(await answers({ tests, config }, [{ prompt: 'a' }])).toEqual([{ prompt: 'a' }])
})

test('the input of the worker SDK is answered with its output', async () => {
  const content = { input: { name: 'World' }, test_output: 'Hello, World!' }
  expect(await answers(content, [{ name: 'World' }])).toEqual(['Hello, World!'])
})

test('an endpoint can have any handler fixture', async () => {
  const { post } = await startCloud({ clock: 'auto', handlers: { demo: 'fail' } })
  expect((await post('/v2/demo/runsync', { input: 1 })).body).toMatchObject({
    status: 'FAILED',
    error: 'the handler always fails',
  })
})

// prettier-ignore
test.each([
  ['no input', [{ hardwareConfig }], /tests\.json:\d+:\d+ \[0\]\.input: is missing/],
  ['no tests', { tests: [] }, /tests\.json:2:\d+ tests: must NOT have fewer than 1 items/],
  ['no JSON', '{"tests": [', /tests\.json:1:\d+/],
  ['something else', { prompt: 'x' }, /input: is missing/],
])('a file with %s is refused, with its place', async (_what, content, message) => {
  await expect(startWith(content)).rejects.toThrow(message)
})
