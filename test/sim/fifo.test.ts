import { Fifo } from '../../src/sim/fifo.ts'
import { Ring } from '../../src/sim/ring.ts'

test('a queue gives back what came first, also after thousands came and went', () => {
  const fifo = new Fifo<number>()
  let next = 0
  for (let item = 0; item < 10_000; item++) {
    fifo.push(item)
    if (item % 3 === 0) expect(fifo.shift()).toBe(next++)
  }
  expect(fifo.length).toBe(10_000 - next)
  expect(fifo.peek()).toBe(next)
  expect([...fifo].at(-1)).toBe(9_999)
  fifo.clear()
  expect(fifo.shift()).toBeUndefined()
})

test('a ring of no places keeps nothing and counts everything', () => {
  const ring = new Ring<string>(0)
  ring.push('a')
  expect(ring.toArray()).toEqual([])
  expect(ring.total).toBe(1)
})
