import fc from 'fast-check'
import { Heap } from '../../src/sim/heap.ts'

test('items come out by time, and those of one time in the order they came in', () => {
  const heap = new Heap<string>()
  heap.push(20, 'late')
  heap.push(10, 'first of two')
  heap.push(10, 'second of two')
  heap.push(0, 'at once')

  expect([heap.pop(), heap.pop(), heap.pop(), heap.pop()].map((entry) => entry?.item)).toEqual([
    'at once',
    'first of two',
    'second of two',
    'late',
  ])
  expect(heap.pop()).toBeUndefined()
})

test('a cancelled item never comes out, and its id stays dead when its place is used again', () => {
  const heap = new Heap<string>()
  const gone = heap.push(1, 'gone')
  expect(heap.cancel(gone)).toBe(true)
  heap.push(2, 'takes its place')

  expect(heap.cancel(gone)).toBe(false)
  expect(heap.find(gone)).toBeUndefined()
  expect(heap.pop()?.item).toBe('takes its place')
})

test('whatever is pushed and cancelled, what is left comes out like a stable sort', () => {
  const action = fc.record({ atMs: fc.nat(50), cancels: fc.option(fc.nat(200)) })
  fc.assert(
    fc.property(fc.array(action, { maxLength: 300 }), (actions) => {
      const heap = new Heap<number>()
      const pending: { atMs: number; item: number; id: number }[] = []
      actions.forEach(({ atMs, cancels }, item) => {
        pending.push({ atMs, item, id: heap.push(atMs, item) })
        if (cancels === null || pending.length === 0) return
        const [victim] = pending.splice(cancels % pending.length, 1)
        expect(heap.cancel(victim?.id ?? -1)).toBe(true)
      })
      const expected = pending.toSorted((a, b) => a.atMs - b.atMs).map(({ item }) => item)
      expect(heap.toSorted().map(({ item }) => item)).toEqual(expected)
      const popped = Array.from({ length: heap.size }, () => heap.pop()?.item)
      expect(popped).toEqual(expected)
    }),
  )
})
