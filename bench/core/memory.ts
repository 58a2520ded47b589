/**
 * What a big world weighs: pods that run, endpoints, and jobs of which half wait and half have
 * ended and are kept. Jobs come out of JSON, as they do when they are submitted.
 */
import { createPod } from '../../src/domain/pods.ts'
import { submitJob } from '../../src/domain/serverless/submit.ts'
import type { Session } from '../../src/emulator/session.ts'
import type { PodSpec } from '../../src/model/pod.ts'
import { startPlenty, tell } from './plenty.ts'

const [podCount = 0, endpointCount = 0, jobCount = 0] = process.argv.slice(2).map(Number)
const collect = globalThis.gc
if (collect === undefined) throw new Error('run it with --expose-gc')

const before = weigh()
const emulator = await startPlenty({
  clock: 'manual',
  seed: '1',
  profile: 'instant',
  queues: Array.from({ length: endpointCount }, (_, index) => ({
    id: `endpoint-${index}`,
    workersMax: index % 2 === 0 ? 0 : 3,
  })),
})
const session = emulator.main
addPods(session)
const withPods = weigh()
addJobs(session)
while (session.step(session.world.nowMs + 10_000) && runs(session));
const after = weigh()
tell({ before, withPods, after, pods: countPods(session), jobs: countJobs(session) })
emulator.close()

function weigh() {
  for (let round = 0; round < 3; round++) collect?.()
  const { rss, heapUsed, arrayBuffers } = process.memoryUsage()
  return { rss, heapUsed, arrayBuffers }
}

function addPods({ world, turn, step }: Session): void {
  const [example] = world.pods.values()
  if (example === undefined) throw new Error('the default world has a pod to copy')
  for (let index = 0; index < podCount; index++) {
    const spec = JSON.parse(JSON.stringify({ ...example.spec, name: `pod ${index}` })) as PodSpec
    turn.call(session, () => createPod(world, spec))
    while (step.call(session, world.nowMs));
  }
}

function addJobs({ world, turn }: Session): void {
  for (let index = 0; index < jobCount; index++) {
    const endpointId = `endpoint-${index % endpointCount}`
    const input = JSON.parse(`{"prompt":"picture number ${index}","steps":${index % 50}}`)
    const submission = { input, sync: false, webhook: null, s3Config: undefined, policy: {} }
    turn.call(session, () => submitJob(world, endpointId, submission))
  }
}

function runs({ world }: Session): boolean {
  return world.work.underWay
}

function countPods({ world }: Session): number {
  return world.pods.where(({ status }) => status === 'RUNNING').length
}

function countJobs({ world }: Session): Record<string, number> {
  const counts: Record<string, number> = {}
  for (const { status } of world.jobs.values()) counts[status] = (counts[status] ?? 0) + 1
  return counts
}
