/** What is read from a Docker engine, and said to one, where none is needed to know. */
import { hostname } from 'node:os'
import fc from 'fast-check'
import { isOrphan, labelsFor } from '../src/adapters/docker/instance.ts'
import { readFrames } from '../src/adapters/docker/log-frames.ts'
import { splitWords } from '../src/adapters/docker/words.ts'
import { createLines } from '../src/adapters/programs/lines.ts'
import { containerExited, containerStarted, containerWrote } from '../src/domain/pod-containers.ts'
import { reclaimPod } from '../src/domain/pods.ts'
import { saveWorld } from '../src/world/snapshot.ts'
import { startCloud } from './support/cloud.ts'

function frame(output: number, text: string): Buffer {
  const head = Buffer.from([output, 0, 0, 0, 0, 0, 0, 0])
  head.writeUInt32BE(Buffer.byteLength(text), 4)
  return Buffer.concat([head, Buffer.from(text)])
}

test('lines of both outputs are whole, wherever the frames and the parts of them are cut', () => {
  const bytes = Buffer.concat([
    frame(1, 'grü'),
    frame(2, 'oops\nno '),
    frame(1, 'ße\r\n\nlast'),
    frame(2, 'end\n'),
  ])
  fc.assert(
    fc.property(fc.array(fc.nat(bytes.length), { maxLength: 6 }), (cuts) => {
      const lines: string[] = []
      const frames = readFrames(() => createLines((added) => lines.push(...added)))
      const ends = [0, ...cuts.toSorted((left, right) => left - right), bytes.length]
      for (let index = 1; index < ends.length; index++) {
        frames.add(bytes.subarray(ends[index - 1], ends[index]))
      }
      frames.end()
      expect(lines).toEqual(['oops', 'grüße', '', 'no end', 'last'])
    }),
  )
})

test('a hundred thousand short lines may come at once', () => {
  const lines: string[] = []
  const frames = readFrames(() => createLines((added) => lines.push(...added)))
  frames.add(Buffer.concat(Array.from({ length: 100_000 }, () => frame(1, 'a\n'))))
  expect(lines).toHaveLength(100_000)
})

test.each([
  ['', []],
  ['python -u handler.py', ['python', '-u', 'handler.py']],
  [`bash -c 'a && b' "c d" e\\ f`, ['bash', '-c', 'a && b', 'c d', 'e f']],
  [`--name="two words" ''`, ['--name=two words', '']],
  [`"say \\"hi\\" for \\$5"`, ['say "hi" for $5']],
])('the start command %s is these words', (line, words) => {
  expect(splitWords(line)).toEqual(words)
})

test('a container is left behind when its emulator is gone, and not before', () => {
  const own = labelsFor('w1')
  expect(isOrphan(own)).toBe(false)
  const [name = ''] = Object.keys(own).filter((label) => own[label]?.includes(`${process.pid} `))
  expect(isOrphan({ ...own, [name]: '999999999 1' })).toBe(true)
  // The number of the process is in use again.
  expect(isOrphan({ ...own, [name]: `${process.pid} 1` })).toBe(true)
  const [host = ''] = Object.keys(own).filter((label) => own[label] === hostname())
  expect(isOrphan({ ...own, [host]: 'elsewhere', [name]: '999999999 1' })).toBe(false)
})

describe('a pod in a container, where no Docker engine answers', () => {
  const { DOCKER_HOST } = process.env
  beforeAll(() => {
    process.env.DOCKER_HOST = 'unix:///not/there.sock'
  })
  afterAll(() => {
    if (DOCKER_HOST === undefined) delete process.env.DOCKER_HOST
    else process.env.DOCKER_HOST = DOCKER_HOST
  })
  const body = { name: 'mine', image: 'local/e:1', gpu: { id: 'NVIDIA GeForce RTX 4090' } }

  async function start() {
    const cloud = await startCloud({ pods: 'docker' })
    const { id } = (await cloud.post('/v2/pods', body)).body
    /** As far as it comes while nobody waits for the outside. */
    const passAlone = (ms: number) => {
      const { emulator } = cloud
      const untilMs = cloud.world().nowMs + ms
      while (emulator.main.step(untilMs)) expect(cloud.bugs).toEqual([])
    }
    return { ...cloud, id, passAlone, pod: () => cloud.world().pods.require(id) }
  }

  test('is an error, and its log says what to do; it can be started again', async () => {
    const { advance, world, id, pod, post } = await start()
    expect(world().pods.require('demopod').container).toBeNull()
    await advance('1m')
    expect(pod().status).toBe('ERROR')
    const words = world().logs.of(id)
    expect(words.at(-1)?.text).toMatch(/^container exited: no Docker engine answers .*DOCKER_HOST/)
    await post(`/v2/pods/${id}/action`, { action: 'start' })
    await advance('1m')
    expect(pod()).toMatchObject({ status: 'ERROR', container: { launch: 2, asked: false } })
  })

  test('that was saved while it started begins to start again where it goes on', async () => {
    const { advance, passAlone, world, emulator, pod } = await start()
    passAlone(150)
    expect(pod().status).toBe('STARTING')
    const saved = structuredClone(saveWorld(world()))
    await advance('1m')
    emulator.load(emulator.main, saved)
    expect(pod()).toMatchObject({ status: 'STARTING', container: { launch: 1, asked: true } })
    await advance('1m')
    expect(pod().status).toBe('ERROR')
  })

  test('writes to its log, where no line shows a key', async () => {
    const { passAlone, id, get, advance, world } = await start()
    passAlone(150)
    containerWrote(world(), id, 1, 'token hf_Qx7Zk2Lm9Vt4Rw8Yp3Nd is mine')
    expect((await get(`/v2/pods/${id}/logs`)).text).toContain('token hf_*** is mine')
    await advance('1m')
  })

  test.each([
    [137, 'pod.killed', /has not ended: SIGKILL$/],
    [0, 'pod.container-exited', /^container exited: exit code 0$/],
  ])(
    'that is reclaimed and ends with exit code %i has %s in the timeline, once',
    async (code, kind, words) => {
      const cloud = await startCloud({ pods: 'docker' })
      const spot = { imageName: 'i', gpuTypeIds: [body.gpu.id], interruptible: true }
      const { id } = (await cloud.post('/v1/pods', spot)).body
      const world = cloud.world()
      while (cloud.emulator.main.step(world.nowMs + 150)) expect(cloud.bugs).toEqual([])
      containerStarted(world, id, 1)
      reclaimPod(world, id)
      expect(world.takeEffects()).toContainEqual(
        expect.objectContaining({
          kind: 'container.stop',
          withinMs: world.waitMs('spotWarningMs'),
        }),
      )
      expect(world.pods.require(id).status).toBe('EXITED')
      for (const _time of [1, 2]) containerExited(world, id, 1, { code, signal: null })
      const ends = ['pod.killed', 'pod.container-exited']
      const told = [...world.timeline.past].filter((entry) => ends.includes(entry.kind))
      expect(told).toMatchObject([{ kind, id }])
      expect(world.logs.of(id).at(-1)?.text).toMatch(words)
      await cloud.advance('1m')
      expect(cloud.bugs).toEqual([])
    },
  )

  test('that is stopped or terminated while it starts is just that', async () => {
    const first = await start()
    first.passAlone(150)
    await first.post(`/v2/pods/${first.id}/action`, { action: 'stop' })
    await first.advance('1m')
    expect(first.pod().status).toBe('EXITED')
    const second = await start()
    second.passAlone(150)
    await second.delete(`/v2/pods/${second.id}`)
    await second.advance('1m')
    expect(second.world().pods.find(second.id)).toBeUndefined()
    expect([...first.bugs, ...second.bugs]).toEqual([])
  })
})
