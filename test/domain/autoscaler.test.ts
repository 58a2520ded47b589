import { desiredWorkers } from '../../src/domain/serverless/autoscaler.ts'
import type { Scaling } from '../../src/model/endpoint.ts'

const delay: Scaling = { type: 'QUEUE_DELAY', queueDelayMs: 4_000 }
const count: Scaling = { type: 'REQUEST_COUNT', requestCount: 4 }

type Row = [
  why: string,
  scaling: Scaling,
  min: number,
  max: number,
  queued: number,
  running: number,
  workers: number,
  waitMs: number,
  wanted: number,
]

// biome-ignore format: a table is read by its columns.
test.each<Row>([
  // why                                           scaling min max queued running workers waitMs wanted
  ['an empty queue needs no worker',               delay,  0,  3,    0,      0,      0,       0,   0],
  ['a minimum is there without any job',           delay,  2,  3,    0,      0,      0,       0,   2],
  ['a cold queue does not wait for the delay',     delay,  0,  3,    1,      0,      0,       0,   1],
  ['one that waits less than the delay waits on',  delay,  0,  3,    9,      1,      1,   3_999,   1],
  ['one that waited the delay adds a worker',      delay,  0,  3,    9,      1,      1,   4_000,   2],
  ['the maximum holds however long they wait',     delay,  0,  3,    9,      3,      3,   9_000,   3],
  ['there are never more workers than jobs',       delay,  0,  9,    1,      1,      2,   9_000,   2],
  ['jobs at work keep their workers',              delay,  0,  3,    0,      2,      2,       0,   2],
  ['idle workers are not wanted, and leave later', delay,  0,  3,    0,      0,      2,       0,   0],
  ['no worker is allowed at a maximum of zero',    delay,  0,  0,    5,      0,      0,  60_000,   0],
  ['four requests fit one worker',                 count,  0,  3,    4,      0,      0,       0,   1],
  ['a fifth request needs another',                count,  0,  3,    4,      1,      1,       0,   2],
  ['requests at work count like those that wait',  count,  0,  3,    0,      8,      1,       0,   2],
  ['the count does not look at the waiting time',  count,  0,  3,    1,      0,      1,  60_000,   1],
  ['the maximum holds for requests too',           count,  0,  3,   99,      0,      0,       0,   3],
  ['the minimum holds for requests too',           count,  1,  3,    0,      0,      0,       0,   1],
])('%s', (_why, scaling, workersMin, workersMax, queued, inProgress, workers, oldestWaitMs, wanted) => {
  const load = { queued, inProgress, workers, oldestWaitMs, extraWorkers: 0 }
  expect(desiredWorkers({ scaling, workersMin, workersMax }, load)).toBe(wanted)
})

test('two extra workers go above the maximum while jobs wait, and no others', () => {
  const wanted = (queued: number, workersMax: number) =>
    desiredWorkers(
      { scaling: count, workersMin: 0, workersMax },
      { queued, inProgress: 12, workers: 3, oldestWaitMs: 0, extraWorkers: 2 },
    )
  expect(wanted(1, 3)).toBe(4)
  expect(wanted(99, 3)).toBe(5)
  expect(wanted(0, 2)).toBe(2)
  expect(wanted(99, 0)).toBe(0)
})
