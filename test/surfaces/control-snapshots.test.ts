/** Snapshots: kept, gone back to, written out, and begun from by another key. */
import { createHash } from 'node:crypto'
import { inPieces } from '../../src/emulator/data/pieces.ts'
import { saveWorld } from '../../src/world/snapshot.ts'
import { startCloud } from '../support/cloud.ts'

const pod = { name: 'p', image: 'example/image:1', gpu: { id: 'NVIDIA GeForce RTX 4090' } }

test('a snapshot brings back the world, its time included, and the world goes on from there', async () => {
  const { post, get, advance } = await startCloud()
  const { body: job } = await post('/v2/demo/run', { input: { mock_delay: 60 } })
  await advance('10s')
  const saved = await post('/_emulator/snapshots', { name: 'running' })
  expect(saved).toMatchObject({
    status: 201,
    body: { name: 'running', counts: { jobs: 1, pods: 1 } },
  })
  const { now } = (await get('/_emulator/clock')).body
  await post('/v2/pods', pod)
  await advance('1h')
  expect((await get(`/v2/demo/status/${job.id}`)).status).toBe(404)

  const loaded = await post('/_emulator/snapshots/running/load')
  expect(loaded).toMatchObject({ status: 200, body: { now } })
  expect((await get('/v2/pods')).body.pods).toHaveLength(1)
  expect((await get(`/v2/demo/status/${job.id}`)).body.status).toBe('IN_PROGRESS')
  await advance('60s')
  expect((await get(`/v2/demo/status/${job.id}`)).body.status).toBe('COMPLETED')
})

test('a caller that waits when another world is loaded gets the answer of its own', async () => {
  const { post, advance } = await startCloud()
  await post('/_emulator/snapshots', { name: 'empty' })
  const sync = post('/v2/demo/runsync', { input: { mock_delay: 60 } })
  await advance('1s')
  await post('/_emulator/snapshots/empty/load')
  expect((await sync).body).toMatchObject({ status: 'IN_PROGRESS' })
})

test('a snapshot can be taken elsewhere as a document', async () => {
  const here = await startCloud()
  await here.post('/v2/pods', pod)
  await here.post('/_emulator/snapshots', { name: 'mine' })
  const { body: document } = await here.get('/_emulator/snapshots/mine')
  const there = await startCloud()
  expect((await there.post('/_emulator/snapshots', { name: 'theirs', document })).status).toBe(201)
  await there.post('/_emulator/snapshots/theirs/load')
  expect((await there.get('/v2/pods')).body).toEqual((await here.get('/v2/pods')).body)
})

test('a document that was changed, or that a newer program wrote, is refused', async () => {
  const { post, get } = await startCloud()
  await post('/_emulator/snapshots', { name: 'mine' })
  const { body: document } = await get('/_emulator/snapshots/mine')
  const changed = { ...document, world: document.world.slice(1) }
  const add = (each: object) => post('/_emulator/snapshots', { name: 'new', document: each })
  expect(await add(changed)).toMatchObject({
    status: 400,
    body: { detail: expect.stringContaining('damaged') },
  })
  expect(await add({ ...document, format: 99 })).toMatchObject({
    status: 400,
    body: { detail: expect.stringContaining('format 99') },
  })
  expect(await add({ world: {} })).toMatchObject({ status: 422 })
  expect((await get('/_emulator/snapshots')).body.snapshots).toHaveLength(1)
})

test('a document of format 1, which has the world as one object, is still read', async () => {
  const here = await startCloud()
  await here.post('/v2/pods', pod)
  const world = saveWorld(here.world())
  const checksum = createHash('sha256').update(JSON.stringify(world)).digest('hex')
  const about = { format: 1, version: '0.1.0', name: 'old', savedAt: '2026-01-01T00:00:00.000Z' }
  const there = await startCloud()
  const add = (document: object) => there.post('/_emulator/snapshots', { name: 'old', document })
  expect((await add({ ...about, checksum, world })).status).toBe(201)
  await there.post('/_emulator/snapshots/old/load')
  expect((await there.get('/v2/pods')).body).toEqual((await here.get('/v2/pods')).body)
  expect((await add({ ...about, checksum, world: { ...world, seed: 'other' } })).status).toBe(400)
})

test('snapshots are listed, take the place of older ones, and can be deleted', async () => {
  const { post, get, delete: remove } = await startCloud()
  await post('/_emulator/snapshots', { name: 'a' })
  await post('/_emulator/snapshots', { name: 'b' })
  await post('/_emulator/snapshots', { name: 'a' })
  const names = async () =>
    (await get('/_emulator/snapshots')).body.snapshots.map(({ name }: { name: string }) => name)
  expect(await names()).toEqual(['a', 'b'])
  expect((await remove('/_emulator/snapshots/a')).status).toBe(204)
  expect(await names()).toEqual(['b'])
  expect((await remove('/_emulator/snapshots/a')).status).toBe(404)
  expect((await post('/_emulator/snapshots/a/load')).status).toBe(404)
  expect((await post('/_emulator/snapshots', { name: '../a' })).status).toBe(422)
})

test('a fork is a world of its own for the key that it is made for', async () => {
  const { post, get } = await startCloud()
  const mine = { authorization: 'Bearer key-of-my-test' }
  await post('/v2/pods', pod)
  const forked = await post('/_emulator/fork', { key: 'key-of-my-test' })
  expect(forked).toMatchObject({ status: 201, body: { key: 'key-…test', counts: { pods: 2 } } })
  await post('/v2/pods', { ...pod, name: 'only mine' }, mine)
  expect((await get('/v2/pods', mine)).body.pods).toHaveLength(3)
  expect((await get('/v2/pods')).body.pods).toHaveLength(2)
  const { worlds } = (await get('/_emulator/accounts')).body
  expect(worlds).toMatchObject([{ key: null }, { key: 'key-…test', counts: { pods: 3 } }])
})

test('a fork may begin with a snapshot', async () => {
  const { post, get } = await startCloud()
  await post('/_emulator/snapshots', { name: 'start' })
  await post('/v2/pods', pod)
  const forked = await post('/_emulator/fork', { key: 'key-of-my-test', snapshot: 'start' })
  expect(forked.body.counts.pods).toBe(1)
  expect((await post('/_emulator/fork', { key: 'k', snapshot: 'none' })).status).toBe(404)
  expect((await get('/_emulator/accounts')).body.worlds).toHaveLength(2)
})

test('a webhook that was on its way is posted again where the world goes on', async () => {
  const { post, get, advance } = await startCloud()
  await post('/v2/demo/run', { input: 1, webhook: 'http://127.0.0.1:9/hook' })
  await post('/_emulator/clock/run-until', { condition: 'counts.deliveries == 1' })
  await post('/_emulator/snapshots', { name: 'posted' })
  await advance('1h')
  await post('/_emulator/snapshots/posted/load')
  await advance('1h')
  const { webhooks } = (await get('/_emulator/webhooks')).body
  expect(webhooks).toMatchObject([{ status: 'FAILED', attempts: [{}, {}, {}] }])
})

test('others have their turn between two pieces of a document, as fast as it is read', async () => {
  const had: string[] = []
  let read = () => {}
  const reading = new Promise<void>((resolve) => {
    const stream = inPieces(['a', 'b', 'c'].values() as Iterator<string, void>)
    stream({
      write: (part) => had.push(String(part)),
      end: () => resolve(),
      pressure: {
        isHigh: () => had.at(-1) === 'b',
        onceLow: (listener) => {
          read = listener
        },
      },
    })
  })
  const turn = () => new Promise((resolve) => setImmediate(resolve))
  had.push('another')
  await turn()
  await turn()
  expect(had).toEqual(['a', 'another', 'b'])
  read()
  await reading
  expect(had).toEqual(['a', 'another', 'b', 'c'])
})
