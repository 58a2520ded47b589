/** Unmodified clients that have the cloud's host names compiled in, through the proxy. */
import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { run, type Started, start } from '../support/command.ts'
import { temporaryFolder } from '../support/folder.ts'

const { gpuhunt }: Record<string, string> = JSON.parse(process.env.TEST_CLIENTS_FIXED ?? '{}')
const suite = gpuhunt === undefined ? describe.skip : describe

suite('PyPI gpuhunt, with which dstack looks for GPUs', () => {
  const directory = temporaryFolder('ca')
  let emulator: Started
  let environment: Record<string, string>

  beforeAll(async () => {
    await run(['ca', '--ca-dir', directory])
    emulator = await start(['--ca-dir', directory, '--clock', 'manual', '--log-level', 'silent'])
    const { stdout } = await run([
      ...['env', 'proxy', '--json', '--ca-dir', directory],
      ...['--url', emulator.url],
    ])
    environment = JSON.parse(stdout)
  })
  afterAll(() => emulator.stop())

  const python = async (...lines: readonly string[]) => {
    const { PATH = '' } = process.env
    const options = { env: { PATH, ...environment }, maxBuffer: 64 * 1_048_576 }
    const { stdout } = await promisify(execFile)(gpuhunt ?? '', ['-c', lines.join('\n')], options)
    return JSON.parse(stdout)
  }

  test('finds what the catalog has, at its prices', async () => {
    const offers = await python(
      'import json',
      'from gpuhunt.providers.runpod import RunpodProvider',
      'offers = RunpodProvider().get()',
      'print(json.dumps([[o.gpu_name, o.gpu_count, o.location, o.price, o.spot] for o in offers]))',
    )
    expect(offers.length).toBeGreaterThan(1_000)
    const cards = new Set(offers.map(([name]: [string]) => name))
    expect([...cards]).toEqual(expect.arrayContaining(['H100', 'L4', 'RTX4090']))
    expect(offers.every(([, , , price]: [string, number, string, number]) => price > 0)).toBe(true)
  })

  test('gets no further than the emulator', async () => {
    const refusal = await python(
      'import json, requests',
      'try:',
      "    requests.get('https://example.com/')",
      'except requests.exceptions.ProxyError as error:',
      '    print(json.dumps(str(error)))',
    )
    expect(refusal).toContain('403 Forbidden')
  })
})
