/** Damaged files: the good part goes on, the bad part stays, and somebody is told. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readdirSync, readFileSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Cloud } from './support/cloud.ts'
import { run } from './support/command.ts'
import { type DataDirectory, makeData } from './support/data.ts'

const pod = { name: 'p', image: 'example/image:1', gpu: { id: 'NVIDIA GeForce RTX 4090' } }
const addPod = (cloud: Cloud, name: string) => cloud.post('/v2/pods', { ...pod, name })
const names = async ({ get }: Cloud) =>
  (await get('/v2/pods')).body.pods.map(({ name }: { name: string }) => name).toSorted()
const last = (data: DataDirectory, files: RegExp) => data.files(files).toSorted().at(-1) ?? ''

/** Another byte somewhere in the line that has this text. */
function spoil(file: string, text: string): Buffer {
  const bytes = readFileSync(file)
  const at = bytes.indexOf(text)
  expect(at).toBeGreaterThan(0)
  bytes[at] = (bytes[at] ?? 0) ^ 1
  writeFileSync(file, bytes)
  return bytes
}

test('a line that was torn is one that nobody was told of: the rest goes on without a word', async () => {
  const data = makeData()
  const cloud = await data.start()
  await addPod(cloud, 'told')
  const journal = last(data, /^journal/)
  const { length } = readFileSync(journal)
  await addPod(cloud, 'torn')
  const left = data.killed()
  truncateSync(last(left, /^journal/), length + 100)
  const again = await left.start()
  expect(await names(again)).toContain('told')
  expect(await names(again)).not.toContain('torn')
  expect(again.emulator.notices).toEqual([])
})

test('a journal goes on up to what is damaged; the rest is put aside and named', async () => {
  const data = makeData()
  const cloud = await data.start()
  await addPod(cloud, 'before')
  await addPod(cloud, 'damaged')
  await addPod(cloud, 'after')
  const left = data.killed()
  const bytes = spoil(last(left, /^journal/), '"damaged"')
  const again = await left.start()
  expect(await names(again)).toContain('before')
  expect(await names(again)).not.toContain('after')
  const aside = last(left, /damaged$/)
  expect(again.emulator.notices).toEqual([expect.stringMatching(/is damaged after \d+ change/)])
  expect(again.emulator.notices[0]).toContain(aside)
  expect(bytes.toString()).toContain(readFileSync(aside, 'utf8'))
  expect(readFileSync(aside, 'utf8')).toContain('"after"')
})

test('where a checkpoint is damaged, the one before and what came after it lead to the same world', async () => {
  const data = makeData()
  const cloud = await data.start()
  await addPod(cloud, 'first')
  cloud.emulator.close()
  const next = await data.start()
  await addPod(next, 'second')
  const left = data.killed()
  spoil(last(left, /^checkpoint/), '"first"')
  const again = await left.start()
  expect(await names(again)).toEqual(await names(next))
  expect(again.emulator.notices).toEqual([
    expect.stringMatching(/checkpoint-2.* is damaged, and is/),
  ])
  expect(readFileSync(last(left, /damaged$/), 'utf8')).toContain('irst"')
  again.emulator.close()
  expect(await names(await left.start())).toEqual(await names(next))
})

test('what began with a damaged checkpoint is not put on another world', async () => {
  const data = makeData()
  const cloud = await data.start()
  await addPod(cloud, 'old')
  await cloud.post('/_emulator/reset')
  await addPod(cloud, 'new')
  const left = data.killed()
  spoil(last(left, /^checkpoint/), '"demopod"')
  const again = await left.start()
  expect(await names(again)).toContain('old')
  expect(await names(again)).not.toContain('new')
  expect(again.emulator.notices).toHaveLength(2)
  expect(readFileSync(last(left, /^journal.*damaged$/), 'utf8')).toContain('"new"')
})

test('where nothing can be read the start is refused, and everything is still there', async () => {
  const data = makeData()
  await addPod(await data.start(), 'only')
  const left = data.killed()
  spoil(last(left, /^checkpoint/), '"demopod"')
  for (let attempt = 0; attempt < 2; attempt++) {
    await expect(left.start()).rejects.toThrow(/nothing in .* can be read: there is checkpoint-1/)
  }
  expect(readFileSync(last(left, /^journal/), 'utf8')).toContain('"only"')
})

test('without the file of what belongs to no world the worlds go on', async () => {
  const data = makeData()
  await addPod(await data.start(), 'kept')
  const left = data.killed()
  writeFileSync(join(left.path, 'emulator.json'), '{"format"')
  const again = await left.start()
  expect(again.emulator.notices).toEqual([expect.stringContaining('emulator.json is damaged')])
  expect(await names(again)).toContain('kept')
})

test('a damaged snapshot is refused by name, and the others can be loaded', async () => {
  const data = makeData()
  const cloud = await data.start()
  for (const name of ['good', 'bad']) await cloud.post('/_emulator/snapshots', { name })
  const left = data.killed()
  const file = join(left.path, 'snapshots')
  const bad = readdirSync(file).find((name) => name.startsWith('bad')) ?? ''
  spoil(join(file, bad), '"demopod"')
  const again = await left.start()
  expect((await again.post('/_emulator/snapshots/bad/load')).body.detail).toContain(bad)
  expect((await again.post('/_emulator/snapshots/good/load')).status).toBe(200)
  expect(again.bugs).toEqual([])
})

test('the command says what is wrong with its data in one sentence', async () => {
  const data = makeData()
  ;(await data.start()).emulator.close()
  const file = join(data.path, 'emulator.json')
  writeFileSync(file, readFileSync(file, 'utf8').replace('"format": 1', '"format": 9'))
  const start = await run(['start', '--port', '0', '--data', data.path])
  expect(start).toMatchObject({ code: 1, stdout: '' })
  expect(start.stderr).toMatch(
    /^\S+ has format 9, written by version \S+; .* name another --data\n$/,
  )
  const both = await run(['start', '--port', '0', '--data', data.path, '--scenario', 'x'])
  expect(both).toMatchObject({ code: 2, stderr: expect.stringContaining('leave out --data') })
})

test('what cannot be written is not answered: the emulator ends with a sentence and loses nothing', async () => {
  const data = makeData()
  const program = fileURLToPath(new URL('../bin/compute-emulator.js', import.meta.url))
  const start = `exec '${process.execPath}' '${program}' start --port 0 --json --clock manual --data '${data.path}'`
  // As full as a disk can be: files end at a hundred kilobytes or two.
  const child = spawn('sh', ['-c', `ulimit -f 200; ${start}`], {
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let said = ''
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    said += text
  })
  const [line] = await once(child.stdout.setEncoding('utf8'), 'data')
  const { url } = JSON.parse(String(line).split('\n')[0] ?? '')
  const answered: string[] = []
  const headers = { authorization: 'Bearer any', 'content-type': 'application/json' }
  const body = JSON.stringify({ input: 'x'.repeat(1_000) })
  const submit = () => fetch(`${url}/v2/demo/run`, { method: 'POST', headers, body })
  for (;;) {
    const answer = await submit().catch(() => undefined)
    if (answer === undefined) break
    expect(answer.status).toBe(200)
    answered.push(((await answer.json()) as { id: string }).id)
  }
  const [code] = child.exitCode === null ? await once(child, 'exit') : [child.exitCode]
  expect(code).toBe(1)
  expect(said).toMatch(/^\S+journal-1\.ndjson cannot be written, and nothing .*: EFBIG.*\n$/)
  expect(answered.length).toBeGreaterThan(20)
  const again = await data.start()
  expect(answered.filter((id) => again.world().jobs.find(id) === undefined)).toEqual([])
})
