/** What it takes to keep a world of many pods: in memory, in a file, as a document, and back again. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createPod } from '../../src/domain/pods.ts'
import { goOn } from '../../src/domain/resume-world.ts'
import { SnapshotFiles } from '../../src/emulator/data/snapshot-files.ts'
import { Snapshots } from '../../src/emulator/data/snapshots.ts'
import type { Emulator } from '../../src/emulator/emulator.ts'
import type { Reply } from '../../src/surfaces/http/reply.ts'
import { restoreWorld, saveWorld } from '../../src/world/snapshot.ts'
import { startPlenty, tell } from './plenty.ts'

const [count = 0, rounds = 1] = process.argv.slice(2).map(Number)
const directory = mkdtempSync(join(tmpdir(), 'compute-emulator-bench-snapshot-'))
process.on('exit', () => rmSync(directory, { recursive: true, force: true }))

const emulator = await startPlenty({ clock: 'manual', seed: '1', profile: 'instant' })
addPods(emulator)
for (let round = 0; round < rounds; round++) await measure(emulator)
emulator.close()

async function measure(emulator: Emulator): Promise<void> {
  const { world } = emulator.main
  const inMemory = await time(() => new Snapshots().save('all', saveWorld(world)))
  const inFile = await time(() =>
    new Snapshots(new SnapshotFiles(directory, [])).save('all', saveWorld(world)),
  )
  const fromFile = await time(() => {
    const again = restoreWorld(world.settings, new SnapshotFiles(directory, []).read('all'))
    goOn(again)
    if (again.pods.size !== world.pods.size) throw new Error('there are pods missing')
  })
  await ask(emulator, 'POST', '', JSON.stringify({ name: 'all' }))
  let document: Document = { text: '', longestMs: 0 }
  const asDocument = await time(async () => {
    document = await readDocument(emulator)
  })
  const body = `{"name":"all","document":${document.text}}`
  const fromDocument = await time(async () => {
    await ask(emulator, 'POST', '', body)
    await ask(emulator, 'POST', '/all/load')
  })
  if (emulator.main.world.pods.size !== world.pods.size) throw new Error('there are pods missing')
  const { longestMs } = document
  tell({ inMemory, inFile, fromFile, asDocument, fromDocument, longestMs })
}

/** As the control API has it, but for the sockets. */
async function ask(
  emulator: Emulator,
  method: string,
  rest: string,
  text?: string,
): Promise<Reply> {
  const path = `/_emulator/snapshots${rest}`
  const reply = await emulator.handle(emulator.route(method, path), {
    ...{ method, path, search: '', text, origin: 'http://127.0.0.1:4300', onHangUp: () => {} },
    headers: { 'content-type': 'application/json' },
  })
  if (reply.status >= 400) throw new Error(`${method} ${path}: ${JSON.stringify(reply)}`)
  return reply
}

interface Document {
  readonly text: string
  /** How long others waited for their turn, at most. */
  readonly longestMs: number
}

/** By a reader that is as fast as the emulator. */
async function readDocument(emulator: Emulator): Promise<Document> {
  const { stream } = await ask(emulator, 'GET', '/all')
  const parts: Buffer[] = []
  let longestMs = 0
  let hadTurnMs = performance.now()
  let ended = false
  stream?.({
    write: (part) => void parts.push(Buffer.from(part)),
    end: () => {
      ended = true
    },
    pressure: { isHigh: () => false, onceLow: () => {} },
  })
  while (!ended) {
    await new Promise((resolve) => setImmediate(resolve))
    longestMs = Math.max(longestMs, performance.now() - hadTurnMs)
    hadTurnMs = performance.now()
  }
  return { text: Buffer.concat(parts).toString(), longestMs }
}

/** In ms of CPU: the disk has its own pace, and the machine its own load. */
async function time(act: () => unknown): Promise<number> {
  const before = process.cpuUsage()
  await act()
  const { user, system } = process.cpuUsage(before)
  return (user + system) / 1_000
}

function addPods({ main }: Emulator): void {
  const { world } = main
  const [example] = world.pods.values()
  if (example === undefined) throw new Error('the default world has a pod to copy')
  for (let index = 0; index < count; index++) {
    main.turn(() => createPod(world, { ...example.spec, name: `pod ${index}` }))
    while (main.step(world.nowMs));
  }
}
