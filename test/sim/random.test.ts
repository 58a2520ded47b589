import { Random } from '../../src/sim/random.ts'

test('the same seed draws the same numbers, another seed others', () => {
  const draws = (seed: string) => {
    const stream = new Random(seed).stream('x')
    return Array.from({ length: 5 }, () => stream.uint32())
  }
  expect(draws('a')).toEqual(draws('a'))
  expect(draws('a')).not.toEqual(draws('b'))
})

test('a draw for one purpose changes nothing for another', () => {
  const quiet = new Random('s')
  const busy = new Random('s')
  for (let draw = 0; draw < 100; draw++) busy.stream('ids').uint32()
  expect(busy.stream('ports').uint32()).toBe(quiet.stream('ports').uint32())
})

test('a stream goes on from its saved state', () => {
  const random = new Random('s')
  random.stream('x').uint32()
  const restored = new Random('s', random.states)
  expect(restored.stream('x').uint32()).toBe(random.stream('x').uint32())
})

test('durations stay in their range, and a lognormal has the percentiles it was given', () => {
  const stream = new Random('s').stream('durations')
  const uniform = Array.from({ length: 1_000 }, () => stream.duration({ uniform: [10, 20] }))
  expect(Math.min(...uniform)).toBeGreaterThanOrEqual(10)
  expect(Math.max(...uniform)).toBeLessThanOrEqual(20)

  const long = Array.from({ length: 20_000 }, () =>
    stream.duration({ lognormal: { p50: 1_000, p95: 4_000 } }),
  )
  long.sort((a, b) => a - b)
  expect(long[10_000]).toBeGreaterThan(950)
  expect(long[10_000]).toBeLessThan(1_050)
  expect(long[19_000]).toBeGreaterThan(3_700)
  expect(long[19_000]).toBeLessThan(4_300)
})

test('a fixed duration draws nothing', () => {
  const random = new Random('s')
  expect(random.stream('x').duration(42)).toBe(42)
  expect(random.stream('x').uint32()).toBe(new Random('s').stream('x').uint32())
})
