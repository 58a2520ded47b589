/**
 * The event heap at work: so many items pending, the first taken and another put in, over and over.
 * With the path of a tinyqueue, the same with that. A process measures one of the two, because in
 * one that had both the compiler would serve neither well.
 */
import { pathToFileURL } from 'node:url'
import { Heap } from '../../src/sim/heap.ts'
import { Random } from '../../src/sim/random.ts'
import { tell } from './plenty.ts'

interface Queue {
  readonly push: (atMs: number, event: object) => void
  /** Removes the first and returns when it was due. */
  readonly pop: () => number
}

interface TinyItem {
  readonly atMs: number
  readonly order: number
  readonly event: object
}
interface TinyQueue {
  push(item: TinyItem): void
  pop(): TinyItem | undefined
}
type TinyQueueClass = new (
  items: TinyItem[],
  compare: (left: TinyItem, right: TinyItem) => number,
) => TinyQueue

const [tinyqueuePath = '', ...sizes] = process.argv.slice(2)
const createQueue = tinyqueuePath === '' ? createOwn : await loadTinyQueue(tinyqueuePath)
const exchanges = 500_000
const spanMs = 60_000

measure(1_000)
for (const pending of sizes.map(Number)) tell({ pending, nanoseconds: measure(pending) })

/** Nanoseconds for one exchange. */
function measure(pending: number): number {
  const queue = createQueue()
  const delays = drawDelays()
  for (let index = 0; index < pending; index++) {
    queue.push(delays[index & 65_535] as number, { kind: 'job.due', jobId: `job ${index}` })
  }
  exchange(queue, delays, pending)
  const startedAtMs = performance.now()
  exchange(queue, delays, exchanges)
  return ((performance.now() - startedAtMs) * 1e6) / exchanges
}

function exchange(queue: Queue, delays: Float64Array, count: number): void {
  const event = { kind: 'job.due', jobId: 'job' }
  for (let index = 0; index < count; index++) {
    queue.push(queue.pop() + (delays[index & 65_535] as number), event)
  }
}

function drawDelays(): Float64Array {
  const stream = new Random('delays').stream('heap')
  return Float64Array.from({ length: 65_536 }, () => stream.uint32() % spanMs)
}

function createOwn(): Queue {
  const heap = new Heap<object>()
  return {
    push: (atMs, event) => void heap.push(atMs, event),
    pop: () => heap.pop()?.atMs ?? 0,
  }
}

async function loadTinyQueue(path: string): Promise<() => Queue> {
  const module: { default: TinyQueueClass } = await import(pathToFileURL(path).href)
  return () => {
    let order = 0
    const queue = new module.default([], (left, right) =>
      left.atMs === right.atMs ? left.order - right.order : left.atMs - right.atMs,
    )
    return {
      push: (atMs, event) => queue.push({ atMs, order: order++, event }),
      pop: () => queue.pop()?.atMs ?? 0,
    }
  }
}
