/** A tree in parts, and lists as columns: what is written is what is read. */
import fc from 'fast-check'
import { fromColumns, toColumns } from '../../src/sim/columns.ts'
import { addPart, type Part, partsOf, type Tree } from '../../src/sim/parts.ts'

const throughText = <Value>(value: Value): Value => JSON.parse(JSON.stringify(value))
const again = (values: unknown[]) =>
  fromColumns(throughText(toColumns(values)), throughText(values.length))

/** Of few shapes and few values, so that many have something in common. */
const value = fc.letrec((tie) => ({
  value: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    fc.constantFrom(undefined, null, 0, 1, 'a', 'b', true, [], {}),
    fc.array(tie('value'), { maxLength: 2 }),
    fc.dictionary(
      fc.constantFrom('a', 'b', '1', '__proto__', 'all', 'each', 'fields'),
      tie('value'),
      {
        maxKeys: 3,
        noNullPrototype: true,
      },
    ),
  ),
})).value

test('any values are the same again as columns, in the order of their fields', () => {
  fc.assert(
    fc.property(fc.array(value, { minLength: 1, maxLength: 6 }), (values) => {
      expect(JSON.stringify(again(values))).toBe(JSON.stringify(values))
    }),
    { numRuns: 2_000 },
  )
})

test('what resources have in common is written once, and is one value when it is read', () => {
  const items = ['a', 'b', 'c'].map((id) => ({ id, spec: { image: 'x', ports: [1, 2] }, of: [id] }))
  expect(toColumns(items)).toEqual({
    fields: {
      id: { each: ['a', 'b', 'c'] },
      spec: { fields: { image: { all: 'x' }, ports: { items: [{ all: 1 }, { all: 2 }] } } },
      of: { items: [{ each: ['a', 'b', 'c'] }] },
    },
  })
  const [first, second] = again(items) as typeof items
  expect(second?.spec).toBe(first?.spec)
  expect(second?.of).not.toBe(first?.of)
})

test('a tree is the same again from its parts, however long its lists are', () => {
  const pods = Array.from({ length: 1_001 }, (_, index) => ({ id: `pod ${index}`, tags: ['x'] }))
  const tree = {
    format: 2,
    seed: null,
    absent: undefined,
    timeline: { nowMs: 1, entries: [] },
    collections: { pods, jobs: [] },
    images: ['a', 'b'],
  }
  const parts = throughText([...partsOf(tree)])
  expect(parts.filter(([path]) => path.join('.') === 'collections.pods')).toHaveLength(7)
  const read: Tree = {}
  for (const part of parts) addPart(read, part)
  expect(JSON.stringify(read)).toBe(JSON.stringify(tree))
})

test('parts as format 1 wrote them are read', () => {
  const parts: Part[] = [
    [['collections'], {}],
    [['collections', 'pods'], []],
    [['collections', 'pods'], [{ id: 'a' }]],
    [['collections', 'pods'], [{ id: 'b' }]],
  ]
  const read: Tree = {}
  for (const part of parts) addPart(read, part)
  expect(read).toEqual({ collections: { pods: [{ id: 'a' }, { id: 'b' }] } })
})

test('large items come in parts of a few', () => {
  const jobs = Array.from({ length: 10 }, (_, index) => ({ id: index, input: 'x'.repeat(100_000) }))
  const parts = [...partsOf({ collections: { jobs } })].slice(2)
  expect(parts.map(([, count]) => count)).toEqual([2, 2, 2, 2, 2])
})
