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

test('a moved item comes out at its new time, after those that were there before it', () => {
  const heap = new Heap<string>()
  const early = heap.push(1, 'early', 7)
  const late = heap.push(30, 'late')
  heap.push(20, 'stays')

  const moved = heap.move(early, 20, 8)
  heap.move(late, 10)
  expect(heap.find(early)).toBeUndefined()
  expect(heap.cancel(early)).toBe(false)
  expect(heap.find(moved ?? 0)).toMatchObject({ atMs: 20, item: 'early', tag: 8 })
  expect(heap.toSorted().map(({ item }) => item)).toEqual(['late', 'stays', 'early'])
  expect(heap.move(early, 5)).toBeUndefined()
})

test('whatever is pushed, moved and cancelled, what is left comes out like a stable sort', () => {
  const action = fc.record({
    atMs: fc.nat(50),
    moves: fc.option(fc.record({ which: fc.nat(200), toMs: fc.nat(50) })),
    cancels: fc.option(fc.nat(200)),
  })
  fc.assert(
    fc.property(fc.array(action, { maxLength: 300 }), (actions) => {
      const heap = new Heap<number>()
      const pending: { atMs: number; item: number; id: number }[] = []
      actions.forEach(({ atMs, moves, cancels }, item) => {
        pending.push({ atMs, item, id: heap.push(atMs, item) })
        if (moves !== null && pending.length > 0) {
          const [mover] = pending.splice(moves.which % pending.length, 1)
          const id = heap.move(mover?.id ?? -1, moves.toMs) ?? -1
          pending.push({ atMs: moves.toMs, item: mover?.item ?? -1, id })
        }
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
