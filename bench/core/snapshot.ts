/** What it takes to keep a world of many pods: in memory, as a document, in a file, and back again. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createPod } from '../../src/domain/pods.ts'
import { goOn } from '../../src/domain/resume-world.ts'
import { SnapshotFiles } from '../../src/emulator/data/snapshot-files.ts'
import { Snapshots, toDocument } from '../../src/emulator/data/snapshots.ts'
import type { Emulator } from '../../src/emulator/emulator.ts'
import { restoreWorld, saveWorld } from '../../src/world/snapshot.ts'
import { startPlenty, tell } from './plenty.ts'

const [count = 0, rounds = 1] = process.argv.slice(2).map(Number)
const directory = mkdtempSync(join(tmpdir(), 'compute-emulator-bench-snapshot-'))
process.on('exit', () => rmSync(directory, { recursive: true, force: true }))

const emulator = await startPlenty({ clock: 'manual', seed: '1', profile: 'instant' })
addPods(emulator)
for (let round = 0; round < rounds; round++) measure(emulator)
emulator.close()

function measure({ main: { world } }: Emulator): void {
  const inMemory = time(() => new Snapshots().save('all', saveWorld(world)))
  const asDocument = time(() => toDocument('all', saveWorld(world)))
  const inFile = time(() =>
    new Snapshots(new SnapshotFiles(directory, [])).save('all', saveWorld(world)),
  )
  const fromFile = time(() => {
    const again = restoreWorld(world.settings, new SnapshotFiles(directory, []).read('all'))
    goOn(again)
    if (again.pods.size !== world.pods.size) throw new Error('there are pods missing')
  })
  tell({ pods: world.pods.size, inMemory, asDocument, inFile, fromFile })
}

/** In ms of CPU: the disk has its own pace, and the machine its own load. */
function time(act: () => unknown): number {
  const before = process.cpuUsage()
  act()
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
