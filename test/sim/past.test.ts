import fc from 'fast-check'
import { Past } from '../../src/sim/past.ts'
import type { Entry } from '../../src/sim/timeline.ts'

const entryOf = (seq: number): Entry => {
  const cause = seq % 3 === 1 ? null : seq - 1
  const entry = { seq, atMs: seq * 10, kind: `kind ${seq % 5}`, id: `id ${seq}`, cause }
  return seq % 2 === 0 ? entry : { ...entry, detail: { seq } }
}

function written(keep: number, count: number): Past {
  const past = new Past(keep)
  for (let seq = 1; seq <= count; seq++) past.push(entryOf(seq))
  return past
}

test('however many entries are written, the last are kept as they were, oldest first', () => {
  const counts = fc.record({ keep: fc.nat(300), count: fc.nat(700), last: fc.nat(400) })
  fc.assert(
    fc.property(counts, ({ keep, count, last }) => {
      const past = written(keep, count)
      const all = Array.from({ length: count }, (_, index) => entryOf(index + 1))
      const kept = all.slice(count - Math.min(keep, count))
      expect(past.total).toBe(count)
      expect(past.toArray()).toStrictEqual(kept)
      expect(past.last(last)).toStrictEqual(kept.slice(kept.length - Math.min(last, kept.length)))
    }),
  )
})

test('a copy goes on by itself, and what was restored goes on where it was', () => {
  const past = written(100, 250)
  const copy = past.copy()
  const restored = new Past(100)
  restored.restore(past.toArray(), past.total)
  for (const each of [copy, restored]) each.push(entryOf(251))

  expect(past.total).toBe(250)
  expect(past.toArray()).toStrictEqual(written(100, 250).toArray())
  expect(copy.toArray()).toStrictEqual(written(100, 251).toArray())
  expect(restored.toArray()).toStrictEqual(copy.toArray())
  past.push(entryOf(251))
  expect(past.toArray()).toStrictEqual(copy.toArray())
})
