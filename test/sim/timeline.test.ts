import { Timeline } from '../../src/sim/timeline.ts'

test('time stops at each event on the way, and then goes where it was sent', () => {
  const timeline = new Timeline<string>(0, 10)
  timeline.after(30, 'b')
  timeline.after(10, 'a')
  const seen: [string, number][] = []
  for (;;) {
    const event = timeline.takeDue(100)
    if (event === undefined) break
    seen.push([event, timeline.nowMs])
  }
  expect(seen).toEqual([
    ['a', 10],
    ['b', 30],
  ])
  expect(timeline.nowMs).toBe(100)
})

test('what an event leads to names it as its cause', () => {
  const timeline = new Timeline<string>(0, 10)
  timeline.beginRequest()
  timeline.record('pod.created', 'p')
  timeline.after(5, 'boot')
  timeline.beginRequest()
  timeline.record('pod.created', 'q')
  timeline.takeDue(5)
  timeline.record('pod.running', 'p')

  expect(timeline.past.map(({ seq, kind, id, cause }) => [seq, kind, id, cause])).toEqual([
    [1, 'pod.created', 'p', null],
    [2, 'pod.created', 'q', null],
    [3, 'pod.running', 'p', 1],
  ])
})

test('the past keeps only so many entries, and still counts all of them', () => {
  const timeline = new Timeline<string>(0, 3)
  for (const id of ['a', 'b', 'c', 'd', 'e']) timeline.record('x', id)
  expect(timeline.past.map(({ seq, id }) => [seq, id])).toEqual([
    [3, 'c'],
    [4, 'd'],
    [5, 'e'],
  ])
  expect(timeline.entryCount).toBe(5)
})

test('time never goes back', () => {
  const timeline = new Timeline<string>(100, 1)
  expect(timeline.takeDue(50)).toBeUndefined()
  expect(timeline.nowMs).toBe(100)
})

test('a timer that is moved is caused by whoever moved it, and one that is gone is not moved', () => {
  const timeline = new Timeline<string>(0, 10)
  timeline.record('job.submitted', 'a')
  const timer = timeline.after(50, 'expires')
  timeline.beginRequest()
  timeline.record('job.started', 'a')
  const moved = timeline.move(timer, 5)

  expect(timeline.dueAtMs(timer)).toBeUndefined()
  expect(timeline.dueAtMs(moved ?? 0)).toBe(5)
  expect(timeline.pending).toEqual([{ atMs: 5, event: 'expires', cause: 2 }])
  expect(timeline.move(timer, 7)).toBeUndefined()
  expect(timeline.move(null, 7)).toBeUndefined()
})

test('whoever observes what is pending hears of a moved timer as of one that goes and one that comes', () => {
  const timeline = new Timeline<string>(0, 10)
  const timer = timeline.after(50, 'expires')
  const heard: unknown[] = []
  timeline.observe({
    scheduled: (pending) => heard.push(pending),
    gone: (id) => heard.push(id),
  })
  const moved = timeline.move(timer, 5)
  expect(heard).toEqual([timer, { id: moved, atMs: 5, item: 'expires', tag: 0 }])
})
