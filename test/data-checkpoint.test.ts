/** A checkpoint is written while the world goes on, and no moment of that loses anything. */
import { cpSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { WorldFiles } from '../src/adapters/data/world-files.ts'
import { temporaryFolder } from './support/folder.ts'

interface State {
  readonly sum: number
  /** Enough for many turns of the loop. */
  readonly items: readonly number[]
}

const items = Array.from({ length: 10_000 }, (_, index) => index)
const turn = () => new Promise((resolve) => setImmediate(resolve))

const open = (directory: string, damage: string[] = []) =>
  new WorldFiles<State, number>(directory, {
    head: { format: 1, version: '0', key: null },
    onDamage: (note) => damage.push(note),
  })

/** A directory with sum 0, and 1 and 2 in its journal. */
function begun() {
  const directory = join(temporaryFolder('checkpoint'), 'world')
  const files = open(directory)
  files.begin({ sum: 0, items }, false)
  for (const change of [1, 2]) files.append(change)
  return { directory, files }
}

/** As the directory would be found if the process was killed now. */
function killed(directory: string): string {
  const copy = join(temporaryFolder('checkpoint'), 'world')
  cpSync(directory, copy, { recursive: true })
  return copy
}

/** The state that is read, and the changes that follow it. */
function found(directory: string): [sum: number | undefined, changes: number[]] {
  const saved = open(directory).read()
  expect(saved?.state.items).toEqual(items)
  return [saved?.state.sum, [...(saved?.changes ?? [])]]
}

test('whenever it is killed, what was told is there: in the checkpoint before, or in the new one', async () => {
  const { directory, files } = begun()
  const renewal = files.renew({ sum: 3, items })
  expect(files.isDue).toBe(false)
  files.append(3)
  expect(found(killed(directory))).toEqual([0, [1, 2, 3]])
  await turn()
  await turn()
  files.append(4)
  expect(found(killed(directory))).toEqual([0, [1, 2, 3, 4]])
  await renewal
  files.append(5)
  expect(found(killed(directory))).toEqual([3, [3, 4, 5]])
})

test('where the new checkpoint is damaged, the one before and both journals say the same', async () => {
  const { directory, files } = begun()
  const renewal = files.renew({ sum: 3, items })
  files.append(3)
  await renewal
  const path = join(directory, 'checkpoint-2.ndjson')
  writeFileSync(path, readFileSync(path, 'utf8').replace('"sum"', '"som"'))
  expect(found(directory)).toEqual([0, [1, 2, 3]])
})

test('others have their turn while it is written', async () => {
  const { files } = begun()
  let turns = 0
  let written = false
  const renewal = files.renew({ sum: 3, items }).then(() => {
    written = true
  })
  while (!written) {
    await turn()
    turns += 1
  }
  await renewal
  expect(turns).toBeGreaterThan(items.length / 1_000)
})

test('one that is not finished is no more once its files are closed, or the world begins anew', async () => {
  const { directory, files } = begun()
  const renewal = files.renew({ sum: 3, items })
  await turn()
  expect(readdirSync(directory)).toContain('checkpoint-2.ndjson.draft')
  const left = killed(directory)
  files.close()
  await renewal
  expect(readdirSync(directory)).not.toContain('checkpoint-2.ndjson.draft')
  expect(found(directory)).toEqual([0, [1, 2]])

  const again = open(left)
  expect([...(again.read()?.changes ?? [])]).toEqual([1, 2])
  again.begin({ sum: 3, items }, true)
  again.append(6)
  expect(found(killed(left))).toEqual([3, [6]])
  again.begin({ sum: 9, items }, true)
  expect(readdirSync(left).sort()).toEqual([
    ...['checkpoint-3.ndjson', 'checkpoint-4.ndjson'],
    ...['journal-3.ndjson', 'journal-4.ndjson'],
  ])
})

test('journals between two checkpoints stay as long as the first of them', async () => {
  const { directory, files } = begun()
  const renewal = files.renew({ sum: 3, items })
  files.append(3)
  const left = killed(directory)
  files.close()
  await renewal
  const again = open(left)
  expect([...(again.read()?.changes ?? [])]).toEqual([1, 2, 3])
  again.begin({ sum: 6, items }, true)
  again.append(4)
  const path = join(left, 'checkpoint-3.ndjson')
  writeFileSync(path, readFileSync(path, 'utf8').replace('"sum"', '"som"'))
  expect(found(left)).toEqual([0, [1, 2, 3, 4]])
})
