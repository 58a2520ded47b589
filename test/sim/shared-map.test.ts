/** A map that is copied in constant time is, to whoever uses it, a map like any other. */
import fc from 'fast-check'
import { SharedMap } from '../../src/sim/shared-map.ts'

const key = fc.constantFrom('a', 'b', 'c', 'd', 'e')
const step = fc.oneof(
  fc.record({ set: key, value: fc.nat(99) }),
  fc.record({ delete: key }),
  fc.record({ copy: fc.constantFrom('stay', 'go') }),
)

test('copies and originals do what maps do, in the same order, and leave each other alone', () => {
  fc.assert(
    fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
      let present = { shared: new SharedMap<number>(), plain: new Map<string, number>() }
      const others: (typeof present)[] = []
      for (const step of steps) {
        if ('set' in step) {
          present.shared.set(step.set, step.value)
          present.plain.set(step.set, step.value)
        } else if ('delete' in step) {
          present.shared.delete(step.delete)
          present.plain.delete(step.delete)
        } else {
          const copy = { shared: present.shared.copy(), plain: new Map(present.plain) }
          others.push(step.copy === 'go' ? present : copy)
          if (step.copy === 'go') present = copy
        }
      }
      for (const { shared, plain } of [present, ...others]) {
        expect([...shared.entries()]).toEqual([...plain])
        expect([...shared.values()]).toEqual([...plain.values()])
        expect(shared.size).toBe(plain.size)
        for (const name of 'abcde') {
          expect([shared.get(name), shared.has(name)]).toEqual([plain.get(name), plain.has(name)])
        }
      }
    }),
    { seed: 1, numRuns: 500 },
  )
})

test('what was set since the last copy is its own, and what is shared is not', () => {
  const map = new SharedMap<number>()
  map.set('a', 1)
  expect(map.owned('a')).toBe(1)
  const copy = map.copy()
  expect([map.owned('a'), copy.owned('a'), copy.get('a')]).toEqual([undefined, undefined, 1])
  copy.set('a', 2)
  expect([copy.owned('a'), map.get('a')]).toEqual([2, 1])
})
