/** Programs of the user's own as workers: processes that start, work, crash, and are all ended. */
import { execFileSync, spawn } from 'node:child_process'
import { copyFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { StartOptions } from '../src/emulator/serve.ts'
import { type RunningEmulator, startEmulator } from '../src/emulator/start.ts'
import { run, type Started, start } from './support/command.ts'
import { temporaryFolder } from './support/folder.ts'

const source = fileURLToPath(new URL('./support/workers/worker.mjs', import.meta.url))

interface Bench {
  /** A directory of this test alone; its name tells its processes from all others. */
  readonly directory: string
  readonly program: string
  readonly command: string
}

function createBench(): Bench {
  const directory = temporaryFolder('program')
  const program = join(directory, 'worker.mjs')
  copyFileSync(source, program)
  return { directory, program, command: `'${process.execPath}' ${program}` }
}

const processesOf = ({ program }: Bench): string[] =>
  execFileSync('ps', ['-A', '-o', 'stat=,args='], { encoding: 'utf8' })
    .split('\n')
    .filter((line) => line.includes(program) && !line.startsWith('Z') && !line.includes('--worker'))

// biome-ignore lint/suspicious/noExplicitAny: tests read bodies of every shape.
async function ask(url: string, path: string, body?: object): Promise<any> {
  const headers = { authorization: 'Bearer test-key', 'content-type': 'application/json' }
  const init = body === undefined ? {} : { method: 'POST', body: JSON.stringify(body) }
  return (await fetch(url + path, { ...init, headers })).json()
}

async function until(holds: () => Promise<boolean> | boolean): Promise<void> {
  const limitAt = performance.now() + 20_000
  while (!(await holds())) {
    if (performance.now() > limitAt) throw new Error('it did not come to pass in time')
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
}

describe('in an emulator of this process', () => {
  const running: RunningEmulator[] = []
  const begin = async (bench: Bench, options: StartOptions = {}) => {
    const emulator = await startEmulator({ workers: { e: bench.command }, ...options })
    running.push(emulator)
    return emulator
  }
  afterEach(async () => {
    await Promise.all(running.splice(0).map((emulator) => emulator.close()))
  })
  const logOf = ({ emulator }: RunningEmulator, workerId: string) =>
    emulator.main.world.logs.of(workerId).map(({ text }) => text)
  const kinds = ({ emulator }: RunningEmulator) =>
    emulator.main.world.timeline.past.map(({ kind }) => kind)

  test('a job starts a process, which does it, and its lines are the log of the worker', async () => {
    const bench = createBench()
    const { url, ...rest } = await begin(bench)
    const job = await ask(url, '/v2/e/runsync', { input: { name: 'RUNPOD_POD_ID' } })
    expect(job).toMatchObject({ status: 'COMPLETED', output: { env: job.workerId } })
    expect(logOf({ url, ...rest }, job.workerId)).toEqual(
      expect.arrayContaining(['started', 'worker is ready']),
    )
    expect(processesOf(bench)).not.toEqual([])
  }, 30_000)

  test('its environment is the platform’s, with what the emulator itself was told left out', async () => {
    process.env.RUNPOD_API_KEY = 'of the person who started it'
    const { url, emulator } = await begin(createBench())
    const env = async (name: string) =>
      (await ask(url, '/v2/e/runsync', { input: { name } })).output.env
    expect(await env('RUNPOD_ENDPOINT_ID')).toBe('e')
    expect(await env('RUNPOD_API_KEY')).toBeNull()
    expect(await env('RUNPOD_SKIP_AUTO_SYSTEM_CHECKS')).toBe('true')
    expect(await env('RUNPOD_AI_API_KEY')).toBe(emulator.main.world.endpoints.require('e').aiKey)
    expect(await env('RUNPOD_GPU_TYPE_ID')).toBe('NVIDIA GeForce RTX 4090')
    delete process.env.RUNPOD_API_KEY
  }, 30_000)

  test('one that exits as it starts is unhealthy, with its exit code, and tried again ever later', async () => {
    const bench = createBench()
    const emulator = await begin({ ...bench, command: `EXIT=7 exec ${bench.command}` })
    const { id } = await ask(emulator.url, '/v2/e/run', { input: { x: 1 } })
    await until(() => kinds(emulator).filter((kind) => kind === 'worker.crashed').length >= 2)
    const crash = emulator.emulator.main.world.timeline.past.find(
      ({ kind }) => kind === 'worker.crashed',
    )
    expect(crash?.detail).toMatchObject({ why: 'exit code 7' })
    expect((await ask(emulator.url, `/v2/e/status/${id}`)).status).toBe('IN_QUEUE')
  }, 30_000)

  test('a directory that is not there is said so, and nothing hangs', async () => {
    const directory = temporaryFolder('fixtures')
    const backend = { type: 'process', command: 'true', directory: '/not/there' }
    const gpuTypeIds = ['NVIDIA GeForce RTX 4090']
    const container = { image: 'local/e:1' }
    const endpoint = { id: 'e', name: 'e', container, gpuTypeIds, backend, workersMin: 1 }
    const account = { id: 'u', email: 'u@example.com', balanceUsd: 1 }
    mkdirSync(join(directory, 'worlds'))
    const world = JSON.stringify({ account, endpoints: [endpoint] })
    writeFileSync(join(directory, 'worlds', 'one.json'), world)
    const emulator = await begin(createBench(), {
      fixtures: [directory],
      world: 'one',
      workers: {},
    })
    await until(() => kinds(emulator).includes('worker.crashed'))
    const [worker] = emulator.emulator.main.world.workers.all()
    expect(logOf(emulator, worker?.id ?? '').join()).toContain("there is no directory '/not/there'")
  }, 30_000)

  test('without a Docker engine a worker in a container says so, and what to do', async () => {
    const { DOCKER_HOST } = process.env
    process.env.DOCKER_HOST = 'unix:///not/there.sock'
    const emulator = await begin(createBench(), { workers: { e: 'docker:local/e:1' } })
    const { id } = await ask(emulator.url, '/v2/e/run', { input: { x: 1 } })
    await until(() => kinds(emulator).includes('worker.crashed'))
    const [worker] = emulator.emulator.main.world.queues.workersOf('e')
    const words =
      /container exited: no Docker engine answers at unix:\/\/\/not\/there.sock .*set DOCKER_HOST/
    expect(logOf(emulator, worker?.id ?? '').join('\n')).toMatch(words)
    expect((await ask(emulator.url, `/v2/e/status/${id}`)).status).toBe('IN_QUEUE')
    if (DOCKER_HOST === undefined) delete process.env.DOCKER_HOST
    else process.env.DOCKER_HOST = DOCKER_HOST
  }, 30_000)

  test('one that is scaled down is asked to end, and what it started ends with it', async () => {
    const bench = createBench()
    const command = `CHILD=4242 exec ${bench.command}`
    const { url, emulator } = await begin({ ...bench, command })
    const job = await ask(url, '/v2/e/runsync', { input: { x: 1 } })
    const written: string[] = []
    emulator.main.follow(job.workerId, (line) => written.push(line?.text ?? 'the end'))
    await until(() => processesOf(bench).length === 0)
    expect(written).toContain('the end')
    const sleepers = execFileSync('ps', ['-A', '-o', 'args='], { encoding: 'utf8' })
    expect(sleepers).not.toMatch(/^sleep 4242$/m)
  }, 30_000)

  test('a world that begins again ends the processes of the old one', async () => {
    const bench = createBench()
    const { url, reset } = await begin(bench)
    await ask(url, '/v2/e/runsync', { input: { x: 1 } })
    reset()
    await until(() => processesOf(bench).length === 0)
    expect((await ask(url, '/v2/e/runsync', { input: { x: 1 } })).status).toBe('COMPLETED')
  }, 30_000)

  test.each([
    ['crash-job', 'killed by SIGKILL', /Z|^$/],
    ['hang-job', 'execution timeout', /T/],
  ])(
    '%s strikes the process itself',
    async (kind, why, state) => {
      const bench = createBench()
      const { url, clock, emulator } = await begin(bench, { clock: 'manual' })
      await ask(url, '/_emulator/faults', { effect: { kind }, resource: 'e', times: 1 })
      const policy = { executionTimeout: 5_000 }
      const { id } = await ask(url, '/v2/e/run', { input: { x: 1 }, policy })
      await clock.advance('1s')
      const { world } = emulator.main
      await until(() => world.timeline.past.some(({ kind: past }) => past === 'fault.hit'))
      const stateOf = () =>
        execFileSync('ps', ['-A', '-o', 'stat=,args='], { encoding: 'utf8' })
          .split('\n')
          .filter((line) => line.includes(bench.program))
          .map((line) => line.slice(0, 1))
          .join('')
      await until(() => state.test(stateOf()))
      await clock.advance('5s')
      expect(world.timeline.past.map(({ detail }) => detail?.why)).toContain(why)
      expect((await ask(url, `/v2/e/status/${id}`)).status).not.toBe('COMPLETED')
    },
    30_000,
  )

  test('with the clock auto a job that hangs comes to its time limit', async () => {
    const { url } = await begin(createBench(), { clock: 'auto' })
    await ask(url, '/_emulator/faults', { effect: { kind: 'hang-job' }, resource: 'e', times: 1 })
    const policy = { executionTimeout: 60_000 }
    const job = await ask(url, '/v2/e/runsync', { input: { x: 1 }, policy })
    expect(job).toMatchObject({ status: 'FAILED', executionTime: 60_000 })
  }, 30_000)

  test('with the clock auto time stands still for a worker, and the clock says so', async () => {
    const { url, clock } = await begin(createBench(), { clock: 'auto' })
    const answered = ask(url, '/v2/e/runsync', { input: { ms: 400 } })
    const seen = new Set<string>()
    let inProgressAt: number | undefined
    await until(async () => {
      const { waitingFor } = clock.status()
      for (const name of waitingFor)
        seen.add(name.replace(/worker \w+/, 'worker W').replace(/job .*/, 'job J'))
      if (waitingFor.some((name) => name.includes('to finish job'))) inProgressAt ??= clock.now()
      return clock.status().waitingFor.length === 0 && inProgressAt !== undefined
    })
    expect([...seen]).toEqual(['worker W of e to start', 'worker W of e to finish job J'])
    const job = await answered
    expect(job).toMatchObject({ status: 'COMPLETED', executionTime: 0 })
    expect(clock.now()).toBe(inProgressAt)
  }, 30_000)

  test('a worker that waits for jobs does not make the clock auto move', async () => {
    const { url, clock } = await begin(createBench(), { clock: 'auto' })
    await ask(url, '/v2/e/runsync', { input: { x: 1 } })
    const before = clock.now()
    await ask(url, '/v2/e/runsync', { input: { x: 1 } })
    expect(clock.now()).toBe(before)
    expect(clock.status().waitingCallers).toBe(0)
  }, 30_000)
})

describe('as a command', () => {
  const env = { PATH: process.env.PATH ?? '' }
  const begin = (bench: Bench, ...args: string[]): Promise<Started> =>
    start(['--worker', `e=${bench.command}`, '--log-level', 'silent', ...args], env)

  test.each([
    ['ends', 'SIGTERM'],
    ['is killed outright', 'SIGKILL'],
  ] as const)(
    'an emulator that %s leaves no process behind',
    async (_words, signal) => {
      const bench = createBench()
      const emulator = await begin({ ...bench, command: `CHILD=4343 exec ${bench.command}` })
      await ask(emulator.url, '/v2/e/runsync', { input: { x: 1 } })
      await ask(emulator.url, '/v2/e/run', { input: { ms: 60_000 } })
      expect(processesOf(bench)).not.toEqual([])
      const { tookMs } = await emulator.stop(signal)
      expect(tookMs).toBeLessThan(3_500)
      await until(() => processesOf(bench).length === 0)
    },
    30_000,
  )

  test('worker-env tells a program how to join, and it leaves when it is gone', async () => {
    const bench = createBench()
    const emulator = await start(['--worker', 'e=attached', '--log-level', 'silent'], env)
    const { stdout } = await run(['worker-env', 'e', '--json', '--url', emulator.url])
    const { workerId, variables } = JSON.parse(stdout)
    const shell = (await run(['worker-env', 'e', '--url', emulator.url])).stdout
    expect(shell).toContain(`export RUNPOD_POD_ID='${workerId}'`)
    expect(shell).toContain('/job-done/attached-1/$ID?gpu=')
    const worker = spawn(process.execPath, [bench.program], { env: { ...env, ...variables } })
    const job = await ask(emulator.url, '/v2/e/runsync', { input: { name: 'RUNPOD_POD_ID' } })
    expect(job).toMatchObject({ status: 'COMPLETED', workerId })
    worker.kill('SIGKILL')
    await until(async () => (await ask(emulator.url, '/v2/e/health')).workers.idle === 0)
    await emulator.stop()
  }, 60_000)

  test('a worker for an endpoint that cannot be is refused', async () => {
    const failure = async (worker: string) => {
      const { code, stderr } = await run(['start', '--port', '0', '--worker', worker], env)
      expect(code).toBe(2)
      return stderr
    }
    expect(await failure('demo')).toContain('--worker takes an endpoint and a command')
    expect(await failure('pods=true')).toContain("'pods' cannot be the id of an endpoint")
  }, 30_000)

  test('dev runs a handler, shows what it writes, and replaces its workers when a file changes', async () => {
    const bench = createBench()
    const emulator = await start([bench.program, '--command', bench.command], env, 'dev')
    const call = async () =>
      (await ask(emulator.url, '/v2/dev/runsync', { input: { x: 1 } })).output
    expect(await call()).toMatchObject({ input: { x: 1 }, version: null })
    const changed = readFileSync(bench.program, 'utf8').replace(
      'version: process.env.VERSION ?? null',
      "version: 'second'",
    )
    writeFileSync(bench.program, changed)
    await until(async () => (await call()).version === 'second')
    const releases = await ask(emulator.url, '/v2/serverless/dev/releases')
    expect(releases.endpointVersion).toBe(2)
    await emulator.stop()
    expect(processesOf(bench)).toEqual([])
  }, 60_000)
})
