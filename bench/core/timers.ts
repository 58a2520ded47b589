/**
 * How punctual the clock `real` is: callers wait for spans that chance chose, while very many
 * others wait for something far away. With `bare`, the same spans as plain timers of Node: what the
 * machine has to give.
 */
import { Random } from '../../src/sim/random.ts'
import { startPlenty, tell } from './plenty.ts'

const [subject = '', pendingText = '0', probesText = '0', spanText = '0'] = process.argv.slice(2)
const [pending, probes, spanMs] = [pendingText, probesText, spanText].map(Number) as [
  number,
  number,
  number,
]
const aDayMs = 86_400_000
const stream = new Random('probes').stream('spans')
const spans = Array.from({ length: probes }, () => 100 + (stream.uint32() % spanMs))

const latenesses = subject === 'bare' ? await waitBare() : await waitOnClock()
latenesses.sort((left, right) => left - right)
const at = (share: number) => latenesses[Math.floor(share * (latenesses.length - 1))]
tell({ earliestMs: at(0), p50Ms: at(0.5), p99Ms: at(0.99), p999Ms: at(0.999), latestMs: at(1) })
process.exit(0)

/** In milliseconds from when each was due, by a clock of our own. */
async function waitOnClock(): Promise<number[]> {
  const emulator = await startPlenty({ clock: 'real', seed: '1', queues: [] })
  const { main, clock } = emulator
  // Virtual time is in whole milliseconds: the largest difference is the true one.
  let offsetMs = Number.NEGATIVE_INFINITY
  const wait = (topic: string, limitMs: number, over: (dueMs: number) => void) => {
    clock.catchUp(main)
    const { nowMs } = main.world
    offsetMs = Math.max(offsetMs, nowMs - performance.now())
    const reply = { status: 200 }
    const otherwise = () => {
      over(nowMs + limitMs)
      return reply
    }
    const waiting = { waitFor: topic, limitMs, answer: () => undefined, otherwise }
    return main.wait(waiting, { onHangUp: () => {} })
  }
  for (let index = 0; index < pending; index++) void wait(`far ${index}`, aDayMs, () => {})
  const seen: { readonly dueMs: number; readonly atMs: number }[] = []
  const note = (dueMs: number) => void seen.push({ dueMs, atMs: performance.now() })
  await Promise.all(spans.map((span, index) => wait(`near ${index}`, span, note)))
  return seen.map(({ dueMs, atMs }) => atMs + offsetMs - dueMs)
}

function waitBare(): Promise<number[]> {
  const seen: number[] = []
  return new Promise((resolve) => {
    for (const span of spans) {
      const dueMs = performance.now() + span
      setTimeout(() => {
        seen.push(performance.now() - dueMs)
        if (seen.length === spans.length) resolve(seen)
      }, span)
    }
  })
}
