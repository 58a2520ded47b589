/**
 * What it costs to make, list, read and delete pods through REST v2 where there are many already,
 * without sockets. A page has 100 pods and begins anywhere in the list.
 */
import { createPod } from '../../src/domain/pods.ts'
import type { Emulator } from '../../src/emulator/emulator.ts'
import { startPlenty, tell } from './plenty.ts'

const rounds = 2_000
// biome-ignore lint/suspicious/noExplicitAny: it reads bodies of every shape.
type Body = any
const gpu = { id: 'NVIDIA GeForce RTX 4090' }
const body = JSON.stringify({ name: 'one more', image: 'example/image:1', gpu })

// The first time is the compiler's.
const [first = 0, ...others] = process.argv.slice(2).map(Number)
await measure(first)
for (const count of [first, ...others]) tell({ pods: count, costs: await measure(count) })

/** Microseconds, by what was done. */
async function measure(count: number): Promise<Record<string, number>> {
  const emulator = await startPlenty({ clock: 'manual', seed: '1', profile: 'instant' })
  addPods(emulator, count)
  await ask(emulator, 'POST', '/v2/pods', '', body)
  const cursors = await readCursors(emulator)
  const made: string[] = []
  const costs: Record<string, number> = {}
  const time = async (what: string, step: (index: number) => Promise<void>) => {
    const startedMs = performance.now()
    for (let index = 0; index < rounds; index++) await step(index)
    costs[what] = ((performance.now() - startedMs) * 1_000) / rounds
  }
  await time('create', async () => {
    made.push((await ask(emulator, 'POST', '/v2/pods', '', body)).id)
  })
  await time('page', async (index) => {
    await ask(emulator, 'GET', '/v2/pods', `limit=100${cursors[index % cursors.length]}`)
  })
  await time('read', async (index) => {
    await ask(emulator, 'GET', `/v2/pods/${made[index]}`)
  })
  await time('delete', async (index) => {
    await ask(emulator, 'DELETE', `/v2/pods/${made[index]}`)
  })
  emulator.close()
  return costs
}

function addPods({ main }: Emulator, count: number): void {
  const { world } = main
  const [example] = world.pods.values()
  if (example === undefined) throw new Error('the default world has a pod to copy')
  for (let index = 0; index < count; index++) {
    main.turn(() => createPod(world, { ...example.spec, name: `pod ${index}` }))
    while (main.step(world.nowMs));
  }
}

/** Of every page that is full, so that all cost the same. */
async function readCursors(emulator: Emulator): Promise<string[]> {
  const cursors = ['']
  for (;;) {
    const page = await ask(emulator, 'GET', '/v2/pods', `limit=100${cursors.at(-1)}`)
    if (page.pods.length < 100 || !page.pagination.hasNextPage) return cursors.slice(0, -1)
    cursors.push(`&cursor=${page.pagination.nextCursor}`)
  }
}

async function ask(
  emulator: Emulator,
  method: string,
  path: string,
  search = '',
  text?: string,
): Promise<Body> {
  const headers = { authorization: 'Bearer key' }
  const wire = { method, path, search, headers, origin: '', text, onHangUp: () => {} }
  const reply = await emulator.handle(emulator.route(method, path), wire)
  if (reply.status >= 300) throw new Error(`${method} ${path}: ${reply.status}`)
  return reply.body
}
