/** A journal of what changed brings a copy of the world to where the world is. */
import fc from 'fast-check'
import { plainContainer } from '../../src/domain/containers.ts'
import { createPod } from '../../src/domain/pods.ts'
import { resumeWorld } from '../../src/domain/resume-world.ts'
import { gpuCompute } from '../../src/model/compute.ts'
import type { PodSpec } from '../../src/model/pod.ts'
import { Recorder, type WorldChange } from '../../src/world/changes.ts'
import { collectionsOf, restoreWorld, saveWorld } from '../../src/world/snapshot.ts'
import type { World } from '../../src/world/world.ts'
import { action, gpuTypeId, makeWorld, passTime, perform } from '../support/story.ts'

const copied = <Value>(value: Value): Value => JSON.parse(JSON.stringify(value))

const toPod = (name: string): PodSpec => ({
  name,
  container: { ...plainContainer, image: 'example/image:1' },
  compute: gpuCompute([gpuTypeId], 1),
  clouds: ['SECURE'],
  locations: [],
  persistent: null,
  network: null,
  templateId: null,
  interruptible: false,
  locked: false,
  globalNetworking: false,
})

const story = (world: World) => world.timeline.past.map((entry) => JSON.stringify(entry))

/** All of a world; of what its idle workers were, only what they are. */
function stateOf(world: World) {
  const { queues, ...rest } = copied(saveWorld(world))
  const idles = (id: string) => world.workers.find(id)?.status === 'IDLE'
  const lines = Object.entries(queues).map(([endpointId, { queue, idle, workers }]) => ({
    endpointId,
    queue,
    idle: idle.filter(idles),
    workers,
  }))
  return { ...rest, lines }
}

test('whatever happens, the changes of each turn lead from the beginning to the end', () => {
  fc.assert(
    fc.property(
      fc.array(action, { minLength: 1, maxLength: 50 }),
      fc.boolean(),
      fc.boolean(),
      (actions, parks, eachEvent) => {
        const world = makeWorld('journal', 4, parks ? 'FLASHBOOT' : 'OFF')
        const beginning = copied(saveWorld(world))
        const recorder = new Recorder(world, collectionsOf(world))
        const changes: WorldChange[] = []
        const note = () => {
          const change = recorder.take()
          if (change !== undefined) changes.push(copied(change))
        }
        for (const each of actions) {
          perform(world, each, eachEvent ? note : undefined)
          note()
        }
        const copy = restoreWorld(world.settings, beginning, changes)
        expect(stateOf(copy)).toEqual(stateOf(world))

        const [one, other] = [world, resumeWorld(world.settings, copied(saveWorld(copy)))]
        for (const each of [one, other]) passTime(each, 60_000)
        // Timers of new events have other ids, and nothing else differs.
        expect(story(other)).toEqual(story(one))
      },
    ),
    { numRuns: 150 },
  )
}, 60_000)

test('a turn that changes nothing is no change', () => {
  const world = makeWorld('journal', 4)
  const recorder = new Recorder(world, collectionsOf(world))
  expect(recorder.take()).toBeUndefined()
  passTime(world, 10)
  expect(recorder.take()).toEqual({ nowMs: 10, nextOrder: expect.any(Number) })
  expect(recorder.take()).toBeUndefined()
})

test('resources of one turn come back in the order in which they were made', () => {
  const world = makeWorld('journal', 4)
  const beginning = copied(saveWorld(world))
  const recorder = new Recorder(world, collectionsOf(world))
  const [first, second] = ['first', 'second'].map((name) => createPod(world, toPod(name)))
  if (first === undefined || second === undefined) throw new Error('two pods were made')
  world.pods.put({ ...world.pods.require(first.id) })
  const copy = restoreWorld(world.settings, beginning, [copied(recorder.take() as WorldChange)])
  expect(copy.pods.all()).toEqual(copied(world.pods.all()))
  expect(copy.pods.page({ limit: 10 })).toEqual(copied(world.pods.page({ limit: 10 })))
})
