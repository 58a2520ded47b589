/** Unmodified worker programs on the SDK from PyPI, behind the emulated queue and autoscaler. */
import { existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { notesOf, pythons, type Rig, startRig, until } from './rig.ts'

const names = [
  'plain',
  'asynchronous',
  'generator',
  'aggregating',
  'several',
  'progress',
  'raising',
  'refreshing',
  'crashing',
  'slow',
]

const known = Object.entries(pythons)
const suite = known.length === 0 ? describe.skip : describe

suite.each(known.length === 0 ? [['no', 'python']] : known)('%s SDK', (version, python) => {
  let rig: Rig

  beforeAll(async () => {
    rig = await startRig(python, Object.fromEntries(names.map((name) => [name, {}])))
  })
  afterAll(async () => {
    await rig.stop()
    expect(rig.processes()).toEqual([])
  })

  test('a handler gets the input and its value is the output', async () => {
    const body = { input: { text: 'grün', list: [1, { two: 2 }] } }
    const job = await rig.post('/v2/plain/runsync', body)
    expect(job).toMatchObject({
      status: 'COMPLETED',
      output: { input: body.input, worker: job.workerId },
    })
    const { workers } = await rig.get('/v2/serverless/plain/workers')
    expect(workers).toMatchObject([{ id: job.workerId, status: 'IDLE' }])
    const again = await rig.post('/v2/plain/runsync', body)
    expect(again.output.process).toBe(job.output.process)
  })

  test('an asynchronous handler', async () => {
    const id = await rig.run('asynchronous', { seconds: 0.2 })
    const job = await rig.ended('asynchronous', id)
    expect(job).toMatchObject({ status: 'COMPLETED', output: 'slept' })
    expect(job.executionTime).toBeGreaterThanOrEqual(200)
  })

  test.each(['generator', 'aggregating'])('a handler that streams: %s', async (name) => {
    const words = ['one', 'two', 'three']
    const id = await rig.run(name, { words })
    const read = await readStream(rig, name, id)
    const job = await rig.ended(name, id)
    expect(job.status).toBe('COMPLETED')
    if (name === 'aggregating') {
      expect(read).toEqual(words)
      expect(job.output).toEqual(words)
    } else {
      expect(read).toEqual(words.map((word) => ({ word })))
      expect(job).not.toHaveProperty('output')
    }
  })

  test('a handler that takes three jobs at a time has three at a time', async () => {
    const ids = await Promise.all([1, 2, 3].map(() => rig.run('several', { together: 3 })))
    const jobs = await Promise.all(ids.map((id) => rig.ended('several', id)))
    expect(jobs.map(({ status, output }) => [status, output])).toEqual(
      ids.map(() => ['COMPLETED', 3]),
    )
    expect(new Set(jobs.map(({ workerId }) => workerId)).size).toBe(1)
  })

  test('progress shows while the job runs', async () => {
    const mark = join(rig.directory, 'go-on')
    const id = await rig.run('progress', { until: mark })
    const status = () => rig.get(`/v2/progress/status/${id}`)
    await until(async () => (await status()).output === 'half way')
    expect(await status()).toMatchObject({ status: 'IN_PROGRESS' })
    writeFileSync(mark, '')
    expect(await rig.ended('progress', id)).toMatchObject({
      status: 'COMPLETED',
      output: 'all the way',
    })
  })

  test('a handler that raises fails its job, with what it raised in the error', async () => {
    const job = await rig.ended('raising', await rig.run('raising', { raise: true }))
    expect(job.status).toBe('FAILED')
    expect(JSON.parse(job.error)).toMatchObject({
      error_type: "<class 'ValueError'>",
      error_message: 'boom ü',
      worker_id: job.workerId,
    })
  })

  test('a handler that returns an error fails its job, and keeps the rest as output', async () => {
    const job = await rig.ended('raising', await rig.run('raising', { raise: false }))
    expect(job).toMatchObject({ status: 'FAILED', error: 'soft', output: { detail: 1 } })
  })

  test('a worker that wants to be refreshed is another process for its next job', async () => {
    const first = await rig.ended('refreshing', await rig.run('refreshing', { number: 1 }))
    const second = await rig.ended('refreshing', await rig.run('refreshing', { number: 2 }))
    expect([first.status, second.status]).toEqual(['COMPLETED', 'COMPLETED'])
    expect(second.output).not.toBe(first.output)
    expect(second.workerId).not.toBe(first.workerId)
  })

  test('a worker that dies with its job is started again, and the job is run once more', async () => {
    const id = await rig.run('crashing', { mark: join(rig.directory, 'died') })
    const job = await rig.ended('crashing', id)
    expect(job).toMatchObject({ status: 'COMPLETED', output: 'the second time', retries: 1 })
    const crash = (await rig.timeline()).find(({ kind }) => kind === 'worker.crashed')
    expect(crash?.detail).toMatchObject({ endpointId: 'crashing', why: 'exit code 3' })
    expect(await rig.get('/v2/crashing/health')).toMatchObject({
      jobs: { completed: 1, retried: 1, failed: 0 },
      workers: { unhealthy: 0 },
    })
    const abort = new AbortController()
    const logs = await fetch(`${rig.url}/v2/serverless/crashing/workers/${job.workerId}/logs`, {
      headers: { authorization: 'Bearer test-key' },
      signal: abort.signal,
    })
    const reader = (logs.body as ReadableStream<Uint8Array>).getReader()
    let text = ''
    while (!text.includes('exit code 3'))
      text += Buffer.from((await reader.read()).value ?? []).toString()
    abort.abort()
    expect(text).toContain('about to die')
  })

  test('a job that takes too long fails, and the process that will not hear is ended', async () => {
    await rig.post('/v2/slow/runsync', { input: { seconds: 0 } })
    const before = rig.processes().filter((line) => line.includes('slow.py')).length
    expect(before).toBeGreaterThan(0)
    const policy = { executionTimeout: 5_000 }
    const id = await rig.run('slow', { seconds: 600 }, { policy })
    const job = await rig.ended('slow', id)
    expect(job).toMatchObject({ status: 'FAILED', error: 'executionTimeout exceeded' })
    await until(() => !rig.processes().some((line) => line.includes('slow.py')))
    expect(await rig.post('/v2/slow/runsync', { input: { seconds: 0 } })).toMatchObject({
      status: 'COMPLETED',
      output: 'awake',
    })
  })

  // From 1.10 on the SDK asks which jobs are to be stopped.
  const hears = version === 'newest'
  const course = hears ? 'is stopped in its handler' : 'goes on in its handler, for nothing'
  test(`a job that is cancelled ${course}, and the worker goes on`, async () => {
    const id = await rig.run('asynchronous', { seconds: hears ? 600 : 2 })
    await until(() => notesOf(rig).includes(`started ${id}`))
    await rig.post(`/v2/asynchronous/cancel/${id}`)
    await until(() => notesOf(rig).includes(`${hears ? 'cancelled' : 'ended'} ${id}`))
    const next = await rig.post('/v2/asynchronous/runsync', { input: { seconds: 0 } })
    expect(next).toMatchObject({ status: 'COMPLETED', output: 'slept' })
    const job = await rig.get(`/v2/asynchronous/status/${id}`)
    expect(job.status).toBe('CANCELLED')
    expect(job).not.toHaveProperty('output')
  })

  test('an empty input is dropped by the platform, and the job fails after one retry', async () => {
    const job = await rig.ended('plain', await rig.run('plain', {}))
    expect(job).toMatchObject({
      status: 'FAILED',
      error: 'job timed out after 1 retries',
      retries: 1,
    })
  })
})

const [newest] = known.map(([, python]) => python)
const crowded = newest === undefined ? test.skip : test

crowded(
  'ten workers, 200 jobs, one worker killed and one hung: every job ends exactly once',
  async () => {
    const rig = await startRig(newest ?? '', {
      crowd: { workersMax: 10, scaling: { type: 'REQUEST_COUNT', requestCount: 1 } },
    })
    const mark = (name: string) => join(rig.directory, name)
    const inputs = Array.from({ length: 200 }, (_, number) => ({
      number,
      ...(number === 60 ? { die: mark('died') } : {}),
      ...(number === 80 ? { hang: mark('hung') } : {}),
    }))
    const ids = await Promise.all(inputs.map((input) => rig.run('crowd', input)))
    let mostWorkers = 0
    const unwell = { health: 0, list: 0 }
    await until(async () => {
      const { jobs, workers: counts } = await rig.get('/v2/crowd/health')
      expect(jobs.inQueue + jobs.inProgress + jobs.completed + jobs.failed).toBe(200)
      // What the two had that were lost is in progress until the platform misses it.
      expect(jobs.inProgress).toBeLessThanOrEqual(counts.running + 2)
      const { workers, summary } = await rig.get('/v2/serverless/crowd/workers')
      expect(summary.total).toBe(workers.length)
      for (const status of ['idle', 'running', 'initializing', 'throttled', 'unhealthy']) {
        const named = workers.filter((worker: { status: string }) => {
          return worker.status === status.toUpperCase()
        })
        expect(summary[status]).toBe(named.length)
      }
      expect(workers.length).toBeLessThanOrEqual(10)
      mostWorkers = Math.max(mostWorkers, summary.idle + summary.running)
      unwell.health = Math.max(unwell.health, counts.unhealthy)
      unwell.list = Math.max(unwell.list, summary.unhealthy)
      return jobs.completed + jobs.failed === 200
    })
    const jobs = await Promise.all(ids.map((id) => rig.get(`/v2/crowd/status/${id}`)))
    expect(jobs.map(({ status }) => status)).toEqual(ids.map(() => 'COMPLETED'))
    expect(jobs.map(({ output }) => output)).toEqual(inputs.map(({ number }) => number))
    expect(jobs.flatMap(({ retries }, number) => (retries === undefined ? [] : [number]))).toEqual([
      60, 80,
    ])
    expect((await rig.get('/v2/crowd/health')).jobs).toMatchObject({
      completed: 200,
      failed: 0,
      retried: 2,
    })
    expect(mostWorkers).toBe(10)
    expect(Math.min(unwell.health, unwell.list)).toBeGreaterThan(0)
    expect(existsSync(mark('died')) && existsSync(mark('hung'))).toBe(true)

    const entries = await rig.timeline()
    const ends = entries.filter(({ kind }) => kind === 'job.completed').map(({ id }) => id)
    expect(ends.toSorted()).toEqual(ids.toSorted())
    const whys = entries
      .filter(({ kind }) => kind === 'worker.crashed')
      .map(({ detail }) => detail?.why)
    expect(whys).toHaveLength(2)
    expect(whys).toContain('killed by SIGKILL')
    expect(whys.join()).toMatch(/no sign of life for \d+ s/)
    expect(notesOf(rig)).toHaveLength(202)
    await rig.stop()
    expect(rig.processes()).toEqual([])
  },
  180_000,
)

crowded('an emulator that is killed outright leaves no worker behind', async () => {
  const rig = await startRig(newest ?? '', { slow: { workersMin: 1 } })
  await rig.post('/v2/slow/runsync', { input: { seconds: 0 } })
  await rig.run('slow', { seconds: 600 })
  expect(rig.processes().length).toBeGreaterThan(0)
  await rig.stop('SIGKILL')
  await until(() => rig.processes().length === 0)
})

async function readStream({ get }: Rig, endpointId: string, id: string): Promise<unknown[]> {
  const read: unknown[] = []
  for (;;) {
    const { status, stream } = await get(`/v2/${endpointId}/stream/${id}`)
    read.push(...stream.map(({ output }: { output: unknown }) => output))
    if (status === 'COMPLETED' && stream.length === 0) return read
  }
}
