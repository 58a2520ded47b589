/** A world that was saved and goes on elsewhere is the same world. */
import fc from 'fast-check'
import { balanceOf, chargesOf } from '../../src/domain/billing.ts'
import { resumeWorld, splitWorld } from '../../src/domain/resume-world.ts'
import { saveWorld } from '../../src/world/snapshot.ts'
import type { World } from '../../src/world/world.ts'
import { action, makeWorld, passTime, perform, settings } from '../support/story.ts'

/** Through a file and back. */
const written = (world: World) => JSON.parse(JSON.stringify(saveWorld(world)))
const story = (world: World) => world.timeline.past.map((entry) => JSON.stringify(entry))

test('whatever happened before, it goes on from its snapshot as it would have gone on', () => {
  fc.assert(
    fc.property(
      fc.array(action, { maxLength: 40 }),
      fc.array(action, { maxLength: 30 }),
      fc.boolean(),
      (before, after, parks) => {
        const original = makeWorld('snapshot', 4, parks ? 'FLASHBOOT' : 'OFF')
        for (const each of before) perform(original, each)
        const copy = resumeWorld(original.settings, written(original))
        for (const world of [original, copy]) {
          for (const each of after) perform(world, each)
          passTime(world, 60_000)
        }
        expect(story(copy)).toEqual(story(original))
        expect(copy.queues.of('e').workers).toEqual(original.queues.of('e').workers)
        expect(copy.random.states).toEqual(original.random.states)
        expect([...chargesOf(copy)]).toEqual([...chargesOf(original)])
        expect(balanceOf(copy)).toBe(balanceOf(original))
      },
    ),
    { numRuns: 150 },
  )
}, 60_000)

test('a snapshot is not touched by what its world does afterwards', () => {
  const world = makeWorld('snapshot', 4)
  perform(world, { do: 'submit', seconds: 3 })
  const kept = saveWorld(world)
  const text = JSON.stringify(kept)
  passTime(world, 60_000)
  perform(world, { do: 'image', tag: 9 })
  expect(JSON.stringify(kept)).toBe(text)
})

test('two worlds begun from one snapshot do not know each other', () => {
  const snapshot = saveWorld(makeWorld('snapshot', 4))
  const [one, other] = [resumeWorld(settings, snapshot), resumeWorld(settings, snapshot)]
  perform(one, { do: 'submit', seconds: 3 })
  expect([one.jobs.size, other.jobs.size]).toEqual([1, 0])
})

test('a world that is split off goes on as one from a snapshot, and neither knows of the other', () => {
  fc.assert(
    fc.property(
      fc.array(action, { maxLength: 40 }),
      fc.array(action, { maxLength: 20 }),
      fc.array(action, { maxLength: 20 }),
      (before, between, after) => {
        const original = makeWorld('snapshot', 4)
        for (const each of before) perform(original, each)
        const expected = resumeWorld(original.settings, written(original))
        const kept = JSON.stringify(saveWorld(original))
        const [first, second] = [splitWorld(original, []), splitWorld(original, [])]
        for (const each of between) perform(original, each)
        expect(JSON.stringify(saveWorld(second))).toBe(kept)
        const third = splitWorld(original, [])
        const untouched = JSON.stringify(saveWorld(original))
        for (const world of [first, third, expected]) {
          for (const each of after) perform(world, each)
          passTime(world, 60_000)
        }
        expect(story(first)).toEqual(story(expected))
        expect(first.queues.of('e').workers).toEqual(expected.queues.of('e').workers)
        expect(balanceOf(first)).toBe(balanceOf(expected))
        expect(JSON.stringify(saveWorld(original))).toBe(untouched)
      },
    ),
    { numRuns: 50 },
  )
}, 60_000)
