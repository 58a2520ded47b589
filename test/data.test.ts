/** An emulator that keeps everything in a directory, and one that goes on there. */

import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { saveWorld } from '../src/world/snapshot.ts'
import type { World } from '../src/world/world.ts'
import type { Cloud } from './support/cloud.ts'
import { makeData } from './support/data.ts'

const pod = { name: 'p', image: 'example/image:1', gpu: { id: 'NVIDIA GeForce RTX 4090' } }
const key = (name: string) => ({ authorization: `Bearer ${name}` })
const names = async ({ get }: Cloud, of = key('any')) =>
  (await get('/v2/pods', of)).body.pods.map(({ name }: { name: string }) => name)

/** All that a world is, but for what the end of a process ends. */
function stateOf(world: World) {
  const { timeline, queues: _, ...rest } = JSON.parse(JSON.stringify(saveWorld(world)))
  const { nowMs, past, entryCount, pending } = timeline
  const due = pending.filter(({ item }: { item: { kind: string } }) => item.kind !== 'wait.over')
  return { ...rest, nowMs, past, entryCount, due }
}

test('what was answered is there after the process was killed, time included', async () => {
  const data = makeData()
  const cloud = await data.start()
  for (const name of ['a', 'b', 'c']) await cloud.post('/v2/pods', { ...pod, name })
  const [, , , { id }] = (await cloud.get('/v2/pods')).body.pods
  await cloud.delete(`/v2/pods/${id}`)
  await cloud.post('/v2/secrets', { name: 'token', value: 'hidden' })
  await cloud.post('/v2/demo/run', { input: { mock_delay: 60 } })
  await cloud.advance('20s')
  const again = await data.killed().start()
  expect(stateOf(again.world())).toEqual(stateOf(cloud.world()))
  expect(await names(again)).toEqual(await names(cloud))
  expect(again.emulator.notices).toEqual([])
})

test('a job goes on where it was, and runs once', async () => {
  const data = makeData()
  const cloud = await data.start()
  const { body: job } = await cloud.post('/v2/demo/run', { input: { mock_delay: 60 } })
  await cloud.advance('30s')
  const again = await data.killed().start()
  const status = async () => (await again.get(`/v2/demo/status/${job.id}`)).body
  expect((await status()).status).toBe('IN_PROGRESS')
  await again.advance('31s')
  expect(await status()).toMatchObject({ status: 'COMPLETED', executionTime: 60_000 })
  const starts = again
    .world()
    .timeline.past.filter(({ kind, id }) => kind === 'job.started' && id === job.id)
  expect(starts).toHaveLength(1)
})

test('a caller that waited is gone, and its job is not', async () => {
  const data = makeData()
  const cloud = await data.start()
  void cloud.post('/v2/demo/runsync', { input: { mock_delay: 60 } })
  await cloud.advance('10s')
  const again = await data.killed().start()
  const pending = again.world().timeline.pending.map(({ event }) => event.kind)
  expect(pending).toContain('job.due')
  expect(pending).not.toContain('wait.over')
  await again.advance('2m')
  expect((await again.get('/v2/demo/health')).body.jobs.completed).toBe(1)
})

test('nobody hears of what is not written down: a webhook, a caller that waited, a time', async () => {
  const data = makeData()
  const found: Promise<Cloud>[] = []
  const sendWebhook = async () => {
    found.push(data.killed().start({ sendWebhook: async () => 200 }))
    return 200
  }
  const cloud = await data.start({ sendWebhook })
  const sync = cloud.post('/v2/demo/runsync', { input: 1, webhook: 'http://127.0.0.1:9/' })
  await cloud.advance('10s')
  const { body } = await sync
  expect(body.status).toBe('COMPLETED')
  const told = await found[0]
  expect((await told?.get(`/v2/demo/status/${body.id}`))?.body).toMatchObject({ output: 1 })
  expect(told?.world().deliveries.size).toBe(1)
  await cloud.advance('1h')
  const later = await data.killed().start()
  expect(later.world().nowMs).toBe(cloud.world().nowMs)
})

test('an end that was asked for loses nothing either', async () => {
  const data = makeData()
  const cloud = await data.start()
  await cloud.post('/v2/pods', pod)
  await cloud.advance('1m')
  const before = stateOf(cloud.world())
  cloud.emulator.close()
  expect(stateOf((await data.start()).world())).toEqual(before)
})

test('in real time a world goes on from the time that it had', async () => {
  const data = makeData()
  const cloud = await data.start({ clock: 'real', startMs: Date.UTC(2025, 5, 1) })
  cloud.emulator.close()
  const again = await data.start({ clock: 'real' })
  const { now } = (await again.get('/_emulator/clock')).body
  expect(now).toMatch(/^2025-06-01T00:00:/)
})

test('keys and worlds of their own are there again', async () => {
  const data = makeData()
  const cloud = await data.start({ isolate: true })
  await cloud.post('/v2/pods', { ...pod, name: 'mine' }, key('isolated'))
  // It is called like nothing else, the default world included.
  await cloud.post('/v2/pods', { ...pod, name: 'theirs' }, key('default'))
  await cloud.put('/_emulator/keys', { key: 'reader', access: 'read-only' })
  await cloud.put('/_emulator/keys', { key: 'gone', access: 'all' })
  await cloud.delete('/_emulator/keys/gone')
  await cloud.post('/_emulator/fork', { key: 'forked' })
  await cloud.post('/v2/pods', { ...pod, name: 'fork only' }, key('forked'))
  const again = await data.killed().start()
  expect(await names(again, key('isolated'))).toContain('mine')
  expect(await names(again, key('default'))).toContain('theirs')
  expect(again.world().pods.size).toBe(1)
  expect(await names(again, key('forked'))).toContain('fork only')
  expect(await names(again, key('gone'))).not.toContain('mine')
  expect((await again.post('/v2/pods', pod, key('reader'))).status).toBe(403)
  expect((await again.get('/_emulator/accounts')).body.worlds).toHaveLength(5)
})

test('reset, load and fork are kept as well, and what they replaced does not come back', async () => {
  const data = makeData()
  const cloud = await data.start()
  await cloud.post('/_emulator/fork', { key: 'forked' })
  await cloud.post('/v2/pods', { ...pod, name: 'first' })
  await cloud.post('/_emulator/snapshots', { name: 'first' })
  await cloud.post('/_emulator/reset', { seed: '7' })
  const reset = await data.killed().start()
  expect(await names(reset)).not.toContain('first')
  expect((await reset.get('/_emulator/accounts')).body.worlds).toHaveLength(1)
  expect((await reset.get('/_emulator/state')).body.seed).toBe('7')

  await cloud.post('/_emulator/snapshots/first/load')
  await cloud.post('/v2/pods', { ...pod, name: 'second' })
  const loaded = await data.killed().start()
  expect(await names(loaded)).toEqual(await names(cloud))
  expect(await names(loaded)).toEqual(expect.arrayContaining(['first', 'second']))
})

test('snapshots are kept by name, and a deleted one is gone', async () => {
  const data = makeData()
  const cloud = await data.start()
  await cloud.post('/v2/pods', pod)
  await cloud.post('/_emulator/snapshots', { name: 'a' })
  await cloud.post('/_emulator/snapshots', { name: 'A' })
  await cloud.post('/_emulator/snapshots', { name: 'b' })
  await cloud.delete('/_emulator/snapshots/b')
  await cloud.post('/_emulator/reset')
  const again = await data.killed().start()
  const { snapshots } = (await again.get('/_emulator/snapshots')).body
  expect(snapshots.map(({ name }: { name: string }) => name).toSorted()).toEqual(['A', 'a'])
  expect(snapshots).toContainEqual(expect.objectContaining({ counts: expect.anything() }))
  expect((await again.post('/_emulator/snapshots/a/load')).status).toBe(200)
  expect(await names(again)).toContain('p')
})

test('what the data began with counts, and whoever asks for something else is told', async () => {
  const data = makeData()
  const cloud = await data.start({ seed: '7' })
  await cloud.post('/v2/pods', pod)
  cloud.emulator.close()
  const again = await data.start({ seed: '8', world: 'empty' })
  expect(again.emulator.notices).toEqual([
    expect.stringContaining('goes on with seed 7, not 8'),
    expect.stringContaining('began as world default'),
  ])
  expect(await names(again)).toContain('p')
  await again.post('/_emulator/reset', { seed: '8' })
  again.emulator.close()
  expect((await data.start({ seed: '8', world: 'empty' })).emulator.notices).toEqual([])
})

test('handlers and workers that are named for a run are those of the data, too', async () => {
  const data = makeData()
  const cloud = await data.start()
  cloud.emulator.close()
  const options = {
    handlers: { demo: 'slow' },
    workers: { demostream: 'attached', own: 'attached' },
  }
  const again = await data.start(options)
  const backends = () =>
    ['demostream', 'own'].map((id) => again.world().endpoints.find(id)?.backend.type)
  expect(again.world().endpoints.find('demo')?.handler).toBe('slow')
  expect(backends()).toEqual(['attached', 'attached'])
  await again.delete('/v2/serverless/demo')
  again.emulator.close()
  await expect(data.start(options)).rejects.toThrow("endpoint 'demo' was deleted")
  // It was let go again.
  await data.start()
})

test('one process at a time has a directory', async () => {
  const data = makeData()
  const cloud = await data.start()
  await expect(data.start()).rejects.toThrow(`is in use by process ${process.pid}`)
  cloud.emulator.close()
  expect(readdirSync(data.path)).not.toContain('lock')
  writeFileSync(join(data.path, 'lock'), '{"pid":1,"host":"elsewhere","began":""}')
  await expect(data.start()).rejects.toThrow('is in use by process 1 on elsewhere')
})

test.each([
  ['whose number another process has by now', { pid: process.pid, began: 'another boot' }],
  ['that is no more', { pid: 2 ** 22 + 1, began: '' }],
])('the lock of a process %s is taken over', async (_, holder) => {
  const data = makeData()
  ;(await data.start()).emulator.close()
  const { hostname } = await import('node:os')
  writeFileSync(join(data.path, 'lock'), JSON.stringify({ ...holder, host: hostname() }))
  await data.start()
})

test('data of a newer program is refused, and left as it is', async () => {
  const data = makeData()
  ;(await data.start()).emulator.close()
  const file = join(data.path, 'emulator.json')
  const newer = readFileSync(file, 'utf8').replace('"format": 1', '"format": 2')
  writeFileSync(file, newer)
  await expect(data.start()).rejects.toThrow(
    /has format 2, written by version .* reads up to format 1/,
  )
  expect(readFileSync(file, 'utf8')).toBe(newer)
  expect(readdirSync(data.path)).not.toContain('lock')
})

test('a directory with something else in it is not taken', async () => {
  const data = makeData()
  ;(await data.start()).emulator.close()
  await expect(data.start({ data: join(data.path, '..') })).rejects.toThrow(
    'has something else in it: data',
  )
  await expect(data.start({ data: join(data.path, 'emulator.json') })).rejects.toThrow(
    /emulator.json cannot be used to keep data: E/,
  )
})

test('what is kept can be read by its owner alone', async () => {
  const data = makeData()
  const cloud = await data.start()
  await cloud.post('/_emulator/snapshots', { name: 'a' })
  const modes = readdirSync(data.path, { recursive: true, encoding: 'utf8' }).map((name) => {
    const stat = statSync(join(data.path, name))
    return [name, (stat.mode & 0o077).toString(8)]
  })
  expect(modes.length).toBeGreaterThan(5)
  expect(modes.filter(([, others]) => others !== '0')).toEqual([])
  expect(existsSync(join(data.path, 'lock'))).toBe(true)
})

test('whatever happened, a killed emulator goes on to the same story as one that was not', async () => {
  const deed = fc.oneof(
    fc.record({ do: fc.constant('pod' as const) }),
    fc.record({
      do: fc.constant('act' as const),
      which: fc.nat(),
      on: fc.constantFrom('stop', 'start'),
    }),
    fc.record({ do: fc.constant('remove' as const), which: fc.nat() }),
    fc.record({ do: fc.constant('job' as const), seconds: fc.nat(9) }),
    fc.record({ do: fc.constant('cancel' as const), which: fc.nat() }),
    fc.record({ do: fc.constant('template' as const) }),
    fc.record({ do: fc.constant('time' as const), ms: fc.nat(9_000) }),
    fc.record({ do: fc.constant('batch' as const) }),
    fc.record({ do: fc.constant('restart' as const) }),
  )
  await fc.assert(
    fc.asyncProperty(fc.array(deed, { minLength: 5, maxLength: 30 }), async (deeds) => {
      let data = makeData()
      let cloud = await data.start({ sendWebhook: async () => 200 })
      const jobs: string[] = []
      for (const [index, each] of deeds.entries()) {
        const { post, delete: remove, advance } = cloud
        const pods = cloud.world().pods.all()
        const podId = 'which' in each ? pods[each.which % Math.max(1, pods.length)]?.id : undefined
        if (each.do === 'pod') await post('/v2/pods', { ...pod, name: `pod ${index}` })
        else if (each.do === 'act') await post(`/v2/pods/${podId}/action`, { action: each.on })
        else if (each.do === 'remove') await remove(`/v2/pods/${podId}`)
        else if (each.do === 'job') {
          const input = { mock_delay: each.seconds }
          jobs.push((await post('/v2/demo/run', { input, webhook: 'http://127.0.0.1:9/' })).body.id)
        } else if (each.do === 'cancel') {
          await post(`/v2/demo/cancel/${jobs[each.which % Math.max(1, jobs.length)]}`)
        } else if (each.do === 'template') {
          await post('/v2/templates', { name: `template-${index}`, image: 'example/image:1' })
        } else if (each.do === 'batch') {
          const items = ['a', 'b', 'c'].map((input) => ({ input }))
          expect((await post('/v2/demo/batch', items)).status).toBe(200)
        } else if (each.do === 'time') await advance(each.ms)
        else {
          const left = data.killed()
          const again = await left.start({ sendWebhook: async () => 200 })
          expect(stateOf(again.world())).toEqual(stateOf(cloud.world()))
          cloud.emulator.close()
          data = left
          cloud = again
        }
        expect(cloud.bugs).toEqual([])
      }
      const again = await data.killed().start({ sendWebhook: async () => 200 })
      for (const each of [cloud, again]) await each.advance('2m')
      expect(again.world().timeline.past).toEqual(cloud.world().timeline.past)
      const ids = (each: Cloud) =>
        each
          .world()
          .pods.all()
          .map(({ id }) => id)
      expect(ids(again)).toEqual(ids(cloud))
      again.emulator.close()
      cloud.emulator.close()
    }),
    { numRuns: 15 },
  )
}, 60_000)
