/** Forks: worlds of their own for tests, at a cost that does not grow with what is in them. */
import { createEmulator, type EmbeddedEmulator } from '../src/index.ts'

const headers = { authorization: 'Bearer test-key', 'content-type': 'application/json' }
const input = { method: 'POST', headers, body: JSON.stringify({ input: { prompt: 'hello' } }) }

const podsOf = async (emulator: EmbeddedEmulator) => {
  const answer = await emulator.fetch('/v2/pods', { headers })
  return ((await answer.json()) as { pods: { id: string }[] }).pods.map(({ id }) => id)
}

async function makePods(emulator: EmbeddedEmulator, count: number): Promise<void> {
  const { world } = emulator.emulator.main
  const [pod] = world.pods.all()
  if (pod === undefined) throw new Error('the start state has a pod')
  for (let number = world.pods.size; number < count; number++) {
    world.pods.put({ ...pod, id: `pod${number}` })
  }
}

test('a fork goes on from where it was taken, and neither sees what the other does', async () => {
  const first = await createEmulator({ clock: 'manual' })
  await first.fetch('/v2/demo/run', input)
  await first.clock.advance('1m')
  const other = first.fork()
  expect(other.clock.now()).toBe(first.clock.now())
  await other.fetch('/v2/pods/demopod', { method: 'DELETE', headers })
  await other.clock.advance('1h')
  expect([await podsOf(first), await podsOf(other)]).toEqual([['demopod'], []])
  expect(other.clock.now() - first.clock.now()).toBe(3_600_000)
  const done = await first.fetch('/v2/demo/health', { headers })
  expect(await done.json()).toMatchObject({ jobs: { completed: 1 } })
  other.reset()
  expect(await podsOf(other)).toEqual(['demopod'])
  await Promise.all([first.close(), other.close()])
})

test('two forks of one world tell the same story, byte for byte', async () => {
  const first = await createEmulator({ clock: 'manual', seed: '7' })
  const stories = [first.fork(), first.fork()].map(async (fork) => {
    const { id } = (await (await fork.fetch('/v2/demo/run', input)).json()) as { id: string }
    await fork.clock.advance('2m')
    const timeline = await (await fork.fetch('/_emulator/timeline')).text()
    await fork.close()
    return [id, timeline]
  })
  const [one, other] = await Promise.all(stories)
  expect(one).toEqual(other)
  await first.close()
})

test('a caller who waits in the first world is not waited for in the fork', async () => {
  const first = await createEmulator({ clock: 'manual' })
  const waiting = first.fetch('/v2/demo/runsync', input)
  while (first.clock.status().waitingCallers === 0) await new Promise(setImmediate)
  const fork = first.fork()
  expect(fork.clock.status().waitingCallers).toBe(0)
  expect(fork.clock.status().pending).toBe(first.clock.status().pending - 1)
  await first.clock.advance('1m')
  expect(await (await waiting).json()).toMatchObject({ status: 'COMPLETED' })
  await Promise.all([first.close(), fork.close()])
})

test('a fork of 10 000 pods costs what a fork of 10 costs', async () => {
  const few = await createEmulator({ clock: 'manual' })
  const many = await createEmulator({ clock: 'manual' })
  await makePods(few, 10)
  await makePods(many, 10_000)
  const timeOf = (emulator: EmbeddedEmulator) => {
    const startedMs = performance.now()
    const fork = emulator.fork()
    const tookMs = performance.now() - startedMs
    expect(fork.emulator.main.world.pods.size).toBe(emulator.emulator.main.world.pods.size)
    return tookMs
  }
  // The quickest of many: on a machine that does other things, the others measure those.
  const rounds = Array.from({ length: 60 }, () => [timeOf(few), timeOf(many)] as const)
  const quickest = (index: 0 | 1) => Math.min(...rounds.map((round) => round[index]))
  expect(quickest(1) / quickest(0)).toBeLessThan(3)
  await Promise.all([few.close(), many.close()])
})
